/** How long sessions last: unused, and at the latest. Admins' may be shorter. What is set counts at the next use of each. */
import type { Settings } from '../../../kernel/contract/kit.js'

export interface SessionBounds {
  readonly idleMs: number
  readonly absoluteMs: number
}

/** When a session was opened, when it was used last, and the role of who stands behind it. */
export interface SessionTimes {
  readonly role: number
  readonly created_at: Date
  readonly last_seen_at: Date
}

const minuteMs = 60_000
const hourMs = 3_600_000
const idleMinutesDefault = 24 * 60
const lifetimeHoursDefault = 30 * 24
const adminRole = 10

export function boundsOf(settings: Settings, role: number): SessionBounds {
  const idle = settings.number('idleMinutes') || idleMinutesDefault
  const lifetime = settings.number('lifetimeHours') || lifetimeHoursDefault
  if (role < adminRole) return { idleMs: idle * minuteMs, absoluteMs: lifetime * hourMs }
  const own = {
    idle: settings.number('adminIdleMinutes') || idle,
    lifetime: settings.number('adminLifetimeHours') || lifetime,
  }
  // For admins the bounds may be shorter than for everybody, never longer.
  return {
    idleMs: Math.min(own.idle, idle) * minuteMs,
    absoluteMs: Math.min(own.lifetime, lifetime) * hourMs,
  }
}

export function isOver(session: SessionTimes, settings: Settings, now: number): boolean {
  const { idleMs, absoluteMs } = boundsOf(settings, session.role)
  const { created_at, last_seen_at } = session
  return now - last_seen_at.getTime() >= idleMs || now - created_at.getTime() >= absoluteMs
}
