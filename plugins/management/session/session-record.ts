/** A session as its owner reads it. */
import type { SessionView } from '../../services/identity/index.js'

/** `own`: id of the caller's session. */
export function sessionRecord(session: SessionView, own: string | undefined) {
  return {
    sid: session.sid,
    method: session.method,
    address: session.address,
    user_agent: session.userAgent,
    created_at: seconds(session.createdAt),
    last_seen_at: seconds(session.lastSeenAt),
    current: session.sessionId === own,
  }
}

function seconds(time: Date): number {
  return Math.floor(time.getTime() / 1000)
}
