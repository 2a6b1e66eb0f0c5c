/** What others see of joining and leaving: a new user by their own doing, by form or by another place's word; and their end. */
import type { Knex } from 'knex'

export interface Registration {
  /**
   * Makes the user with wallet, starting quota, invitation and first token, as the options set it; returns the id. Rejects
   * with `feature_off` where nobody may join (for `by: "password"` also where forms are off), `conflict`,
   * `invalid_field` for an address of a domain that is not taken.
   */
  join(newcomer: Newcomer, trx: Knex.Transaction): Promise<number>
  /**
   * The end of an account, by its owner's will or an admin's: the row stays for the books, and everything by which its
   * owner was known or came in goes. False: there was no such user.
   */
  leave(userId: number, trx: Knex.Transaction): Promise<boolean>
  /** Rejects as above, before the person has to enter anything. */
  admits(by: Newcomer['by']): void
  /** Throws `invalid_field` where the rules for domains and aliases of addresses do not let it in. */
  checkEmail(email: string): void
  /** A name that nobody has: the one wished for where it is free and fits, else `prefix` and a number. */
  freeName(wish: string | undefined, prefix: string, trx: Knex.Transaction): Promise<string>
  /** Whether who joins by form shows by a mail code that their address is theirs. */
  verifiesEmail(): boolean
  /** Takes the address from accounts that never showed it to be theirs, for one that has. */
  claimEmail(email: string, userId: number | undefined, trx: Knex.Transaction): Promise<void>
  /** The code a user invites others with; made when it is first requested. */
  invitationCode(userId: number): Promise<string>
}

export interface Newcomer {
  readonly by: 'password' | 'oauth'
  readonly username: string
  readonly displayName?: string
  /** From `Identity.hash`. Absent: nobody can sign in by password until one is set. */
  readonly passwordHash?: string
  readonly email?: string
  /** An address that nobody has shown to be theirs is not kept: it would keep its owner out. */
  readonly emailVerified?: boolean
  /** Code of who invited them. An unknown one is no reason to refuse. */
  readonly invitationCode?: string
  /** Names what is paid for them (BILL-2). */
  readonly requestId: string
}

declare module '../../../kernel/contract/service.js' {
  interface Services {
    registration: Registration
  }
}
