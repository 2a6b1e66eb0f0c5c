/** What others see of step-up: a sensitive operation asks for a fresh proof that the person is who the session says (AUTH-4, AUTH-5). */
import type { Knex } from 'knex'
import type { ManagementRequest, Principal } from '../../../kernel/contract/management.js'

/** What a proof is good for; each operation names its own. */
export type Scope =
  | 'access_token'
  | 'account_delete'
  | 'password_change'
  | 'email_change'
  | 'two_factor'
  | 'passkey_register'
  | 'passkey_delete'
  | 'channel_key'
  | 'balance'
  | 'oauth_unbind'

export interface Verification {
  /** A proof for one use within five minutes, by this user in this session. Throws `session_required`. */
  grant(principal: Principal, scope: Scope, trx?: Knex.Transaction): Promise<Proof>
  /**
   * Consumes the proof a request brings as `X-Verification-Token`. Rejects with `session_required` for access tokens,
   * with `verification_required` where it brings none that fits scope, user and session.
   */
  require(
    request: Pick<ManagementRequest, 'principal' | 'headers'>,
    scope: Scope,
    trx?: Knex.Transaction,
  ): Promise<void>
}

export interface Proof {
  readonly token: string
  /** Unix seconds. */
  readonly expiresAt: number
}

declare module '../../../kernel/contract/service.js' {
  interface Services {
    verification: Verification
  }
}
