/**
 * The ways somebody can show anew who they are. Who came by another place, and has neither password nor factor, can
 * only come that way again: a session that young is taken for it.
 */
import type { Clock } from '../../../kernel/contract/kit.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import type { Factors } from '../../services/factors/index.js'
import type { Identity } from '../../services/identity/index.js'
import type { LiveSession } from '../../services/verification/index.js'

export type Method = 'password' | '2fa' | 'passkey' | 'session'

const youngMs = 600_000

export interface WaysDependencies {
  readonly database: Database
  readonly identity: Identity
  readonly factors: Factors
  readonly clock: Clock
}

export function waysToVerify({ database, identity, factors, clock }: WaysDependencies) {
  return async function ways(session: LiveSession): Promise<readonly Method[]> {
    const { userId } = session
    const { totp, passkeys } = await factors.of(userId)
    if (totp || passkeys > 0) {
      return [...(totp ? (['2fa'] as const) : []), ...(passkeys > 0 ? (['passkey'] as const) : [])]
    }
    const person = await database.knex('users').where('id', userId).first('password_hash')
    if (person?.password_hash) return ['password']
    return (await cameJustNow(session)) ? ['session'] : []
  }

  async function cameJustNow({ userId, sessionId }: LiveSession): Promise<boolean> {
    const sessions = await identity.sessions(userId)
    const own = sessions.find((one) => one.sessionId === sessionId)
    if (own?.method !== 'oauth') return false
    return clock.now() - own.createdAt.getTime() < youngMs
  }
}
