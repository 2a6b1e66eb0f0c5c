/**
 * What others see of the ledger: holds for the line, postings for everything else that moves money.
 * `Hold`, `LogDraft`, `Closing` and `Charge` are contract types, since the line carries them.
 */
import type { Knex } from 'knex'
import type { Hold, RequestId } from '../../../kernel/contract/exchange.js'

export interface Ledger {
  /** The one reservation of a request. Makes nothing yet: the first `cover` does. */
  hold(terms: HoldTerms): Hold
  /**
   * One movement outside the line, once per key. In `trx` when given, else in a transaction of its
   * own.
   */
  post(posting: Posting, trx?: Knex.Transaction): Promise<Posted>
  /** The wallet of a user, made when missing. Answers the account id. */
  openWallet(userId: number, trx: Knex.Transaction): Promise<number>
  /** Disabled wallets refuse every new hold and cut running streams at the next mark. */
  setWalletActive(userId: number, active: boolean, trx: Knex.Transaction): Promise<void>
  wallets(userIds: readonly number[]): Promise<ReadonlyMap<number, Wallet>>
  /** Runs every invariant of money.md section 11 in one snapshot; empty: all hold. */
  check(): Promise<readonly Breach[]>
  /**
   * Closes holds whose owner is gone; answers how many. Runs by itself, callable for tests and
   * shutdown.
   */
  sweep(): Promise<number>
  /** Resolves when every operation handed in so far has been answered. */
  flushed(): Promise<void>
}

export interface HoldTerms {
  readonly requestId: RequestId
  readonly kind: 'sync' | 'realtime' | 'search' | 'playground'
  readonly userId: number
  /** Absent: the Playground, which no token caps. */
  readonly tokenId?: number
  /** Account asked for; the stored row's wins on a repeat (BILL-3). */
  readonly accountId: number
}

export interface Posting {
  /** Stable key, e.g. `admin:<uuid>`; empty: refused (BILL-2). */
  readonly key: string
  readonly kind: 'admin' | 'topup' | 'grant' | 'invite' | 'redeem'
  readonly userId: number
  /** Positive credits the wallet, negative debits it. Quota. */
  readonly amount: bigint
  /** Lets the balance fall below its floor; only an admin's entry may. */
  readonly mayOverdraw?: boolean
  readonly requestId: string
  /** Why, for the statement of account. */
  readonly note: string
}

export interface Posted {
  /**
   * `already`: this key was posted before; nothing moved now. `short`: the wallet does not hold it;
   * nothing moved.
   */
  readonly verdict: 'posted' | 'already' | 'short'
  /** Balance as shown afterwards: posted − held. */
  readonly balance: bigint
}

export interface Wallet {
  readonly accountId: number
  readonly posted: bigint
  readonly held: bigint
  readonly floor: bigint
  /** Charged by requests so far. */
  readonly used: bigint
  readonly requests: number
  readonly active: boolean
}

export interface Breach {
  /** I1 … I11; the last: rewards of invitations are those earned, less those moved. */
  readonly invariant: string
  /** What does not add up, with ids and figures. */
  readonly finding: string
}

declare module '../../../kernel/contract/service.js' {
  interface Services {
    ledger: Ledger
  }
}
