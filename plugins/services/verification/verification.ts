/** What others see of step-up: a sensitive operation requires a fresh proof that the person is the owner of the session (AUTH-4, AUTH-5). */
import type { Schema } from 'joi'
import type { Knex } from 'knex'
import type { Answer, ManagementRequest, Principal } from '../../../kernel/contract/management.js'

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
  readonly scopes: readonly Scope[]
  /** Who sits before the browser. Throws `session_required` for access tokens, which lie in files. */
  session(request: Pick<ManagementRequest, 'principal'>): LiveSession
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
  /** Gives the session a new id and returns `{proof_token, expires_at, method, scope}`, a proof within the new one. */
  answer(request: Pick<ManagementRequest, 'principal' | 'secure'>, proven: Proven): Promise<Answer>
  /** What that returns, for `ManagementRoute.response`. */
  readonly response: Schema
}

/** Who has just shown that it is them, and how. */
export interface Proven {
  readonly scope: Scope
  readonly method: 'password' | '2fa' | 'passkey' | 'session'
}

export interface LiveSession extends Principal {
  readonly sessionId: string
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
