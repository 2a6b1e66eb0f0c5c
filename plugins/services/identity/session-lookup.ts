/** Who stands behind a session cookie, read from the database with each request, and that the session was used. */
import { hash } from 'node:crypto'
import type { Clock, Settings } from '../../../kernel/contract/kit.js'
import type { Principal } from '../../../kernel/contract/management.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import { sessionIdOf } from './cookie.js'
import { isOver } from './session-bounds.js'
import { principalOf, type SessionRow } from './session-rows.js'

/** How old the last use may be before another is written. */
const touchMs = 60_000

const whoIs = `
  SELECT s.created_at, s.last_seen_at, u.id, u.username, u.role, u."group"
  FROM sessions s JOIN users u ON u.id = s.user_id
  WHERE s.id_hash = $1 AND s.expires_at > $2 AND u.status = 1 AND u.deleted_at IS NULL`

const touch = 'UPDATE sessions SET last_seen_at = $2 WHERE id_hash = $1 AND last_seen_at < $2'

interface LookupDependencies {
  readonly database: Database
  readonly clock: Clock
  readonly settings: Settings
  /** As of `SessionDependencies`. */
  readonly alwaysSecure: boolean
}

/** @param unused asking is no use of the session */
export type SessionLookup = (
  headers: Readonly<Record<string, string | string[] | undefined>>,
  secure: boolean,
  unused?: boolean,
) => Promise<Principal | undefined>

export function sessionLookup(dependencies: LookupDependencies): SessionLookup {
  const { database, clock, settings, alwaysSecure } = dependencies

  async function noteUse(idHash: Buffer, row: SessionRow, now: number): Promise<void> {
    if (now - row.last_seen_at.getTime() <= touchMs) return
    const values = [idHash, new Date(now)]
    await database.query({ name: 'identity_touch', text: touch, values })
  }

  return async (headers, secure, unused = false) => {
    const id = sessionIdOf(headers.cookie, secure || alwaysSecure)
    if (id === undefined) return undefined
    const now = clock.now()
    const idHash = hash('sha256', id, 'buffer')
    const { rows } = await database.query({
      name: 'identity_session',
      text: whoIs,
      values: [idHash, new Date(now)],
    })
    const row: SessionRow | undefined = rows[0]
    if (row === undefined || isOver(row, settings, now)) return undefined
    if (!unused) await noteUse(idHash, row, now)
    return principalOf(row, idHash)
  }
}
