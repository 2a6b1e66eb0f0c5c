/** What an open console can listen to, at which path, and who may (nes subscriptions). */
import type { LiveTopic } from '../contract/services/live.js'

export interface LivePath {
  /** As nes takes it. */
  readonly path: string
  readonly audience: 'user' | 'admin'
}

export const livePaths: readonly LivePath[] = [
  { path: '/live/changes/{topic}', audience: 'admin' },
  { path: '/live/account', audience: 'user' },
  { path: '/live/orders', audience: 'user' },
  { path: '/live/tasks', audience: 'user' },
  { path: '/live/runs', audience: 'admin' },
  { path: '/live/system', audience: 'admin' },
  { path: '/live/health', audience: 'admin' },
]

/** Of the audiences, those somebody of this role is part of. */
export function audiencesOf(role: number): LivePath['audience'][] {
  return role >= adminRole ? ['user', 'admin'] : ['user']
}

const adminRole = 10

export function pathOfTopic(topic: LiveTopic): string {
  return `/live/${topic}`
}

/** What may be subscribed at all; whether there is such a path is another question. */
export const livePathShape = /^\/live\/[a-z][a-z_/-]{0,62}$/
