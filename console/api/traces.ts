/** One request in full: `GET /api/log/trace/…`, one's own or anybody's, and what was recorded of it. */
import type { Scope } from './data.js'
import { request } from './request.js'
import type { components } from './schema.js'

type Schemas = components['schemas']
export type TraceStage = Schemas['TraceStage']
export type TraceAttempt = Schemas['TraceAttempt']
type RecordedCall = Schemas['RecordedCall']
export type RecordedBody = Schemas['RecordedBody']

type OwnTrace = Schemas['OwnTrace']
type OwnRecording = Schemas['OwnRecording']

/** Attempts are shown to admins alone. */
export interface Trace extends OwnTrace {
  readonly attempts?: readonly TraceAttempt[]
}

export interface Recording extends OwnRecording {
  readonly calls?: readonly RecordedCall[]
}

function addressOf(scope: Scope, id: string, more = ''): string {
  const own = scope === 'own' ? 'self/' : ''
  return `/api/log/${own}trace/${encodeURIComponent(id)}${more}`
}

export function readTrace(scope: Scope, id: string, signal?: AbortSignal): Promise<Trace> {
  return request('GET', addressOf(scope, id), { signal })
}

export function readRecording(scope: Scope, id: string): Promise<Recording> {
  return request('GET', addressOf(scope, id, '/recording'))
}

export async function removeRecording(scope: Scope, id: string): Promise<void> {
  await request('DELETE', addressOf(scope, id, '/recording'))
}
