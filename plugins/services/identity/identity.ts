/** What others see of identity: who stands behind an API key, a session or a password. */
import type { Knex } from 'knex'
import type { Token, User } from '../../../kernel/contract/exchange.js'
import type { Principal } from '../../../kernel/contract/management.js'

export interface Identity {
  /**
   * The token and user behind an API key, from memory where it can (AUTH-1, AUTH-3). Throws a `Refusal`:
   * `invalid_api_key`, `token_disabled`, `token_expired`, `token_owner_deleted`, `user_disabled`, `access_denied`.
   */
  byKey(key: string, address: string): Identified | Promise<Identified>
  /** Who is behind a management request, read from the database each time (AUTH-2). */
  principal(request: {
    readonly headers: Readonly<Record<string, string | string[] | undefined>>
  }): Promise<Principal | undefined>
  /** Checks a password (argon2id, same time for unknown names) and opens a session. Throws `invalid_credentials`, `account_disabled`. */
  signIn(attempt: SignIn): Promise<Session>
  signOut(principal: Principal): Promise<void>
  /** Ends every session of a user: their role, state or password changed. */
  cutSessions(userId: number, trx: Knex.Transaction): Promise<void>
  /** `Set-Cookie` value that takes the session cookie away. */
  clearedCookie(secure: boolean): string
  /** argon2id hash of a new password. Throws `invalid_field` above 128 bytes. */
  hash(password: string): Promise<string>
  /** Makes a user with a wallet and answers the id. Throws `conflict` when the name is taken. */
  enroll(person: NewUser, trx: Knex.Transaction): Promise<number>
  /** A fresh API key, and what is stored of it. */
  newKey(): NewKey
}

export interface NewUser {
  readonly username: string
  readonly displayName: string
  /** From `hash`; made before the transaction, since it takes its time. */
  readonly passwordHash: string
  readonly role: number
  readonly group: string
}

export interface NewKey {
  /** 48 characters, without the `sk-` shown before them. */
  readonly key: string
  /** SHA-256 of `key`: how it is looked up (failures.md X13). */
  readonly hash: Buffer
  /** The last four characters, kept in clear so that owners recognise it. */
  readonly tail: string
}

export interface Identified {
  readonly user: User
  readonly token: Token
  /** The channel named behind the key. Absent: any. */
  readonly pinned?: number
}

export interface SignIn {
  readonly username: string
  readonly password: string
  readonly address: string
  readonly userAgent: string
  readonly secure: boolean
}

export interface Session {
  readonly principal: Principal
  /** Whole `Set-Cookie` value. */
  readonly cookie: string
}

declare module '../../../kernel/contract/service.js' {
  interface Services {
    identity: Identity
  }
}
