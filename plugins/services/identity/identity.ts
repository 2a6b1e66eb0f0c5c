/** What others see of identity: who stands behind an API key, a session or a password. */
import type { Knex } from 'knex'
import type { Token, User } from '../../../kernel/contract/line/people.js'
import type { Principal, ShownAccessToken } from '../../../kernel/contract/management.js'
import type { Authenticator } from '../../../kernel/contract/services/ports.js'
import type { RefusalCode } from '../../../kernel/toolkit/errors/index.js'
import type { Whole } from '../../../kernel/toolkit/management/index.js'

/** What its owner wishes of a new access token. */
export interface AccessTokenWish {
  readonly userId: number
  readonly name: string
  /** At least one of `tokenScopes`. */
  readonly scopes: readonly string[]
  /** Whole days; absent: as the options set it, also where they allow fewer. */
  readonly lifetimeDays?: number
  /** Quota it may move a day; for tokens of root. Absent: none. */
  readonly dailyCredit?: bigint
  /** The session it is made in, as `Principal.sessionId`. Absent: none has to be there still. */
  readonly sessionId?: string
}

/** An access token as its owner and admins read it; field names are those of the management API. Times are Unix seconds. */
export interface AccessTokenView {
  readonly id: number
  readonly name: string
  readonly scopes: readonly string[]
  readonly created_at: number
  readonly expires_at: number
  /** 0: never. */
  readonly last_used_at: number
  /** Empty: never used, or not known from where. */
  readonly last_used_address: string
  readonly expired: boolean
  /** Quota it may credit and debit a day (UTC), together. 0: none. */
  readonly daily_credit: bigint
}

export interface AccessToken extends AccessTokenView {
  /** Shown this once. */
  readonly token: string
}

/** The tokens scripts show instead of a session. Those that ended by themselves stay listed until they are removed. */
export interface AccessTokens {
  /** How long a new token lives in days, and may live at most. */
  lifetimes(): { readonly days: number; readonly daysMax: number }
  /** The oldest first. */
  list(userId: number): Promise<readonly AccessTokenView[]>
  /**
   * Throws `conflict` where the user has one of that name or as many as anybody may have, `invalid_field` for a life that
   * is too long, `gone_missing` where the user is not there or disabled, `session_required` where the session has ended.
   */
  create(wish: AccessTokenWish): Promise<AccessToken>
  /** Makes one of scope `all` in place of the one of the same name. Throws as `create`. */
  replace(wish: Pick<AccessTokenWish, 'userId' | 'name' | 'sessionId'>): Promise<AccessToken>
  /** Undefined: the user has none that this names. */
  end(
    userId: number,
    which: { readonly id: number } | { readonly name: string },
    trx?: Knex.Transaction,
  ): Promise<Pick<AccessTokenView, 'id' | 'name'> | undefined>
  /**
   * Counts a movement of a balance by a token, in the transaction of the movement. Throws `daily_credit_used` where the
   * token would move more than it may this day.
   */
  countCredit(token: ShownAccessToken, quota: bigint, trx: Knex.Transaction): Promise<void>
  /** Ends every one, because the password, role or state of the user changed. */
  endAll(userId: number, trx: Knex.Transaction): Promise<void>
}

/** In which line a password waits to be compared: a browser known to the account, or anybody. */
export type PasswordPriority = 'known' | 'stranger'

export interface Identity extends Authenticator {
  /**
   * Called by the kernel (AUTH-1, AUTH-3). Throws a `Refusal`: `invalid_api_key`, `token_disabled`, `token_expired`,
   * `token_owner_deleted`, `user_disabled`, `access_denied`.
   */
  byKey(key: string, address: string): Identified | Promise<Identified>
  /** Why a token is of no use any more, read from the database; undefined: it is. */
  refusalOf(tokenId: number): Promise<RefusalCode | undefined>
  /** Whether a second factor is required of them that they do not have: nothing else is open to them until then. */
  mustSetUpFactor(person: Pick<Principal, 'userId' | 'role'>): Promise<boolean>
  /**
   * Who has this user name (or verified address) and password (argon2id, same time for unknown names); a hash of older
   * cost is made anew. Throws `invalid_credentials`, `account_disabled`.
   */
  byPassword(username: string, password: string, priority?: PasswordPriority): Promise<number>
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
  readonly accessTokens: AccessTokens
  /**
   * Ends every session of a user, and all that was begun before: sign-ins under way, proofs, challenges, links that
   * reset the password. Their role, state, password or factors changed. `except`: the session it was done in stays.
   * Returns how many live sessions ended.
   */
  cutSessions(userId: number, trx: Knex.Transaction, except?: Principal): Promise<number>
  /** `Set-Cookie` value that takes the session cookie away. */
  clearedCookie(secure: boolean): string
  /** Headers of a reply that ends the caller's own session: its cookie, and the site's cache and storage in the browser go. */
  farewellHeaders(secure: boolean): Readonly<Record<string, string>>
  /**
   * argon2id hash of a new password. Throws `invalid_field` above 128 characters, and for one that is easy to guess or
   * holds little besides what its owner is known by (`context`: names, mail address; the site's name goes without saying).
   */
  hash(password: string, context?: readonly string[]): Promise<string>
  /** Throws as `hash` for a password that is easy to guess, without the cost of hashing it. */
  judge(password: string, context: readonly string[]): Promise<void>
  /** Writes to users who are there already. */
  readonly users: Users
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

/** Columns of a user that others change; absent: stays as it is. */
export interface UserColumns {
  readonly username?: string
  readonly display_name?: string
  /** From `hash`. */
  readonly password_hash?: string
  readonly password_off?: boolean
  readonly email?: string
  readonly email_verified?: boolean
  readonly role?: number
  /** 1: enabled, 2: disabled. */
  readonly status?: number
  readonly group?: string
  readonly remark?: string
  /** Merged into what is stored, as an SQL expression. */
  readonly setting?: Knex.Raw
}

export interface ChangeOptions {
  /** In whose session it is done: that one stays. */
  readonly except?: Principal
  /** Changed only as long as this is the hash of the password. */
  readonly passwordHash?: string
  /** Changed only as long as this is the status. */
  readonly status?: number
}

/** Each verb runs in the caller's transaction and announces what changed, for the end of it. Deleted users stay as they are. */
export interface Users {
  /**
   * Changes these columns and does what follows: another password or role, and being disabled, end every session and access
   * token; a password that is switched on or off ends the sessions; the wallet takes part in the status. Without columns the
   * change is announced alone. False: there is no such user. Throws `conflict` where the name or the address belongs to another, `invalid_field` as `claimName`.
   */
  change(
    userId: number,
    columns: UserColumns,
    trx: Knex.Transaction,
    options?: ChangeOptions,
  ): Promise<boolean>
  /** The same for many, whose rows the caller holds: a group, a status, or both. */
  changeMany(change: ManyUsersChange, trx: Knex.Transaction): Promise<void>
  /** Deletes a user but for the row, which stays for the books. Undefined: there is none. */
  remove(userId: number, trx: Knex.Transaction): Promise<{ readonly email: string } | undefined>
  /** Takes an address from everybody but `owner` who has not shown that it is theirs. */
  releaseEmail(email: string, owner: number | undefined, trx: Knex.Transaction): Promise<void>
  /** Rejects with the violated constraint where another has the code. */
  setInvitationCode(userId: number, code: string, trx: Knex.Transaction): Promise<void>
  /** One more person invited, and what that is worth in quota. */
  addReward(userId: number, quota: number, trx: Knex.Transaction): Promise<void>
  /** What is left of the rewards, in quota; the caller holds the row. */
  setRewards(userId: number, left: bigint, trx: Knex.Transaction): Promise<void>
}

export interface ManyUsersChange {
  readonly ids: readonly number[]
  readonly group?: string
  readonly status?: number
  /** Those of them whose status is another one now. */
  readonly switched: readonly number[]
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
  /** Hex, as `Principal.sessionId`, which marks the caller's own. */
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
