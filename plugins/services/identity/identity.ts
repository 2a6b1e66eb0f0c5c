/** What others see of identity: who stands behind an API key, a session or a password. */
import type { Knex } from 'knex'
import type { Token, User } from '../../../kernel/contract/line/people.js'
import type { Principal } from '../../../kernel/contract/management.js'
import type { RefusalCode } from '../../../kernel/toolkit/errors/index.js'
import type { Whole } from '../../../kernel/toolkit/management/index.js'

export interface AccessToken {
  readonly token: string
  /** Unix seconds. */
  readonly expiresAt: number
}

export interface Identity {
  /**
   * The token and user behind an API key, from memory where it can (AUTH-1, AUTH-3). Throws a `Refusal`:
   * `invalid_api_key`, `token_disabled`, `token_expired`, `token_owner_deleted`, `user_disabled`, `access_denied`.
   */
  byKey(key: string, address: string): Identified | Promise<Identified>
  /** Why a token is of no use any more, read from the database; undefined: it is. */
  refusalOf(tokenId: number): Promise<RefusalCode | undefined>
  /**
   * Who is behind a management request, read from the database each time (AUTH-2). Throws `second_factor_missing`, by
   * session as by access token, unless `beforeFactor` is set.
   */
  principal(request: {
    readonly headers: Readonly<Record<string, string | string[] | undefined>>
    /** It came by HTTPS: only the cookie of HTTPS counts. */
    readonly secure?: boolean
    /** Asking is no use of the session. */
    readonly unused?: true
    /** Also an admin who has yet to set up the second factor that is required of them. */
    readonly beforeFactor?: true
  }): Promise<Principal | undefined>
  /** Whether a second factor is required of them that they do not have: nothing else is open to them until then. */
  mustSetUpFactor(person: Pick<Principal, 'userId' | 'role'>): Promise<boolean>
  /**
   * Who has this user name (or verified address) and password (argon2id, same time for unknown names); a hash of older
   * cost is made anew. Throws `invalid_credentials`, `account_disabled`.
   */
  byPassword(username: string, password: string): Promise<number>
  /** The user name of whoever is meant by a name or address, for counting tries (LIMIT-5); of nobody, what was typed. */
  accountNamed(typed: string): Promise<string>
  /** Whether this is the password of a user; false where they have none. */
  hasPassword(userId: number, password: string): Promise<boolean>
  /** Opens a session for who has shown who they are. Throws `account_disabled`. */
  openSession(opening: SessionOpening): Promise<Session>
  signOut(principal: Principal): Promise<void>
  /** A new id for the session of somebody who showed anew who they are (E1). Throws `session_required`. */
  renewSession(principal: Principal, secure: boolean): Promise<Session>
  /** The live sessions of a user, the one used last first. */
  sessions(userId: number): Promise<readonly SessionView[]>
  /** Ends one session of a user. False: there was none of that name. */
  endSession(userId: number, sid: string): Promise<boolean>
  /** A new access token for scripts in place of the one before; shown once (AUTH-4). */
  newAccessToken(userId: number): Promise<AccessToken>
  /**
   * Ends the access token of a user: by their wish, or because their password, role or state changed. False: there was
   * none.
   */
  endAccessToken(userId: number, trx?: Knex.Transaction): Promise<boolean>
  /**
   * Ends every session of a user, and all that was begun before: sign-ins under way, proofs, challenges, links that
   * reset the password. Their role, state, password or factors changed. `except`: the session it was done in stays.
   */
  cutSessions(userId: number, trx: Knex.Transaction, except?: Principal): Promise<void>
  /** `Set-Cookie` value that takes the session cookie away. */
  clearedCookie(secure: boolean): string
  /**
   * argon2id hash of a new password. Throws `invalid_field` above 128 characters, and for one that is easy to guess or
   * holds little besides what its owner is known by (`context`: names, mail address; the site's name goes without saying).
   */
  hash(password: string, context?: readonly string[]): Promise<string>
  /** Throws as `hash` for a password that is easy to guess, without the cost of hashing it. */
  judge(password: string, context: readonly string[]): Promise<void>
  /**
   * Columns of a new name of a user who is there already. Throws `invalid_field` where scripts are mixed, `conflict` where
   * it looks like another's.
   */
  claimName(
    username: string,
    trx: Knex.Transaction,
    userId: number,
  ): Promise<{ readonly username: string; readonly name_skeleton: string }>
  /** Makes a user with a wallet and answers the id. Throws `conflict` when the name is taken. */
  enroll(person: NewUser, trx: Knex.Transaction): Promise<number>
  /** A fresh API key, and what is stored of it. */
  newKey(): NewKey
  /** Users as the family's clients read them, deleted ones too; what only admins see stands not in it. */
  records(ids: readonly number[]): Promise<ReadonlyMap<number, UserRecord>>
}

/** Field names are the family's (management/README.md section 8). Quotas are what the wallet shows. */
export interface UserRecord {
  readonly id: number
  readonly username: string
  readonly display_name: string
  readonly email: string
  readonly email_verified: boolean
  readonly role: number
  readonly status: number
  readonly group: string
  readonly quota: Whole
  readonly used_quota: Whole
  readonly request_count: number
  readonly aff_code: string
  readonly aff_count: number
  readonly aff_quota: Whole
  readonly aff_history_quota: Whole
  /** 0: nobody. */
  readonly inviter_id: number
  /** Who they are at other places; empty: nobody. */
  readonly github_id: string
  readonly discord_id: string
  readonly oidc_id: string
  readonly wechat_id: string
  readonly telegram_id: string
  readonly linux_do_id: string
  /** JSON text; secrets stand empty in it (AUTH-10). */
  readonly setting: string
  /** Unix seconds, as the next; 0: never. */
  readonly created_at: number
  readonly last_login_at: number
}

export interface NewUser {
  readonly username: string
  readonly displayName: string
  /** From `hash`; made before the transaction, since it takes its time. Absent: no password. */
  readonly passwordHash?: string
  readonly role: number
  readonly group: string
  readonly email?: string
  readonly emailVerified?: boolean
  readonly inviterId?: number
}

export interface NewKey {
  /** 48 characters, without the `sk-` shown before them. */
  readonly key: string
  /** SHA-256 of `key`: how it is looked up (X13). */
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

export interface SessionOpening {
  readonly userId: number
  readonly method: 'password' | 'totp' | 'passkey' | 'oauth' | 'register'
  readonly address: string
  readonly userAgent: string
  readonly secure: boolean
  /** `users.sign_in_epoch` when the sign-in began; where it has grown since, `sign_in_expired`. */
  readonly epoch?: number
}

export interface SessionView {
  readonly sid: string
  readonly method: string
  readonly address: string
  readonly userAgent: string
  readonly createdAt: Date
  readonly lastSeenAt: Date
  /** Hex, as `Principal.sessionId`, to tell the caller's own. */
  readonly sessionId: string
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
