/**
 * What others see of the limits of guesses at passwords and codes (LIMIT-5). Strangers, known browsers and open sessions
 * are counted apart, so that nobody uses up what belongs to the owner of the account (decision 51).
 */
import type { ManagementRequest, Principal } from '../../../kernel/contract/management.js'

export type Guesser = Pick<ManagementRequest, 'headers' | 'address' | 'secure'>

export interface Guesses {
  /**
   * Counts a try at the password of an account, before the password is looked at. Rejects with `rate_limit_exceeded`
   * where this browser or network has tried too often, and with `work_required` where strangers together have.
   */
  password(guesser: Guesser, account: AccountNamed): Promise<GuessedBy>
  /** Counts a try by who is signed in, for their session alone. Rejects with `rate_limit_exceeded`. */
  inSession(principal: Pick<Principal, 'userId' | 'sessionId'>, at: GuessedAt): Promise<void>
  /** The same for a browser known to the account. False: it is not known, and nothing was counted. */
  onDevice(guesser: Guesser, userId: number, at: GuessedAt): Promise<boolean>
  /**
   * Counts a use of something that strangers may do to an account or an address: `free` of them in an hour, from then on
   * each with a proof of work. Rejects with `work_required`.
   */
  slowly(
    guesser: Guesser,
    what: { readonly name: string; readonly free: number },
    key: string,
  ): Promise<void>
  /** Whole `Set-Cookie` value by which this browser is known to the account from now on. */
  deviceCookie(guesser: Guesser, userId: number): string
}

/** Whether the browser is known to the account. */
export type GuessedBy = 'known' | 'stranger'

/** Tries of codes are bounded whatever the limit of passwords is set to: there are only a million of them. */
export type GuessedAt = 'password' | 'code'

export interface AccountNamed {
  /** User name; of nobody, what was typed. */
  readonly name: string
  /** Absent: nobody has that name. */
  readonly userId?: number
}

declare module '../../../kernel/contract/service.js' {
  interface Services {
    guesses: Guesses
  }
}
