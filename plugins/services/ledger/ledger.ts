/**
 * What others see of the ledger: holds for the line, postings for everything else that moves money.
 * `Hold`, `LogDraft`, `Closing` and `Charge` are contract types, since the line carries them.
 */
import type { Knex } from 'knex'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Hold, LogDraft } from '../../../kernel/contract/line/money.js'
import type { RequestId } from '../../../kernel/contract/names.js'

export interface Ledger {
  /** The one reservation of a request. Makes nothing yet: the first `cover` does. */
  hold(options: HoldRequest): Hold
  /**
   * One movement outside the line, once per key. In `trx` when given, else in a transaction of its
   * own.
   */
  post(posting: Posting, trx?: Knex.Transaction): Promise<Posted>
  /**
   * Keeps what the caller's own key is used for, in the transaction of the write. Does nothing where the caller named
   * none; rejects with `idempotency_key_reused` where the key was used for another write.
   */
  claimKey(write: KeyedWrite, trx: Knex.Transaction): Promise<void>
  /** The wallet of a user, made when missing. Answers the account id. */
  openWallet(userId: number, trx: Knex.Transaction): Promise<number>
  /** Disabled wallets refuse every new hold and cut running streams at the next mark. */
  setWalletActive(
    userIds: number | readonly number[],
    active: boolean,
    trx: Knex.Transaction,
  ): Promise<void>
  wallets(userIds: readonly number[]): Promise<ReadonlyMap<number, Wallet>>
  /** The accounts of subscriptions, one for each period in which quota was granted. */
  readonly periods: PeriodAccounts
  /** What media tasks cost, after their request has left the line. */
  readonly tasks: TaskMoney
  /** Runs every invariant of ledger/README.md section 11 over the whole book in one snapshot; empty: all hold. */
  check(): Promise<readonly Breach[]>
  /** The same as one of the processes does it once an hour. */
  readonly inspection: Inspection
  /** Sums over every account, of one moment. */
  overview(): Promise<Overview>
  /** Oldest first. */
  openHolds(page: Page): Promise<PageOf<OpenHold>>
  /** Newest first. */
  entries(query: EntryQuery): Promise<PageOf<Entry>>
  /**
   * Closes holds whose owner is gone; answers how many. Runs by itself, callable for tests and
   * shutdown.
   */
  sweep(): Promise<number>
  /** Resolves when every operation handed in so far has been answered. */
  flushed(): Promise<void>
}

export interface HoldRequest {
  readonly requestId: RequestId
  /** `task`: its hold outlives the process, and is closed by whoever deals with the task. */
  readonly kind: 'sync' | 'realtime' | 'search' | 'playground' | 'task'
  readonly userId: number
  /** Absent: the Playground, which no token caps. */
  readonly tokenId?: number
  /** Account requested; the stored row's wins on a repeat (BILL-3). */
  readonly accountId: number
  /**
   * What may pay in place of that account, in order of preference, by what is known when money is first set aside: the first
   * that holds all of it pays, and is pinned (BILL-3). Absent: the account alone.
   */
  readonly sources?: (draft: LogDraft) => readonly FundingSource[]
}

/** Where the money of a request may come from. */
export interface FundingSource {
  readonly accountId: number
  /** Absent: a wallet. */
  readonly subscription?: { readonly id: number; readonly plan: string }
  /** Whether it may pay for this. Absent: for anything. */
  covers?(draft: LogDraft): boolean
  /** Is called when it could not set aside so much. */
  fellShort?(quota: bigint): void
}

/** As `ManagementRequest` has it. */
export interface KeyedWrite {
  readonly moneyKey: string
  readonly moneyPrint?: Buffer
}

export interface Posting {
  /** Stable key, e.g. `admin:<uuid>`; empty: refused (BILL-2). */
  readonly key: string
  readonly kind:
    | 'admin'
    | 'topup'
    | 'chargeback'
    | 'grant'
    | 'invite'
    | 'redeem'
    | 'sub_buy'
    | 'sub_grant'
    | 'sub_expire'
  readonly userId: number
  /** Of this user; absent: their wallet. */
  readonly accountId?: number
  /** Positive credits the account, negative debits it. Quota. */
  readonly amount: bigint
  /** Lets the balance fall below its floor; only an admin's entry and what a payment is taken back for may. */
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

export interface TaskMoney {
  /**
   * Closes the hold of a task that was accepted and whose process is gone: at the quota, or at what is set aside. Resolves with
   * what stands charged, also where it was closed before; undefined: there is no such hold.
   */
  charge(requestId: string, quota?: bigint): Promise<bigint | undefined>
  /** Makes the hold of a request that of a task, which no lease ends. False: it is not open. */
  adopt(requestId: string): Promise<boolean>
  /**
   * Releases the hold of a task that was never accepted and whose process is gone. False: it is not open, or there is none.
   */
  release(requestId: string): Promise<boolean>
  /** Request ids of open holds of tasks, made before then and whose process is gone; oldest first. */
  abandoned(before: Date, limit: number): Promise<readonly string[]>
  /**
   * What a task cost in the end, in the transaction that ends it: the difference to its charge is posted once for each task.
   * Rejects where its hold is still open. Not in the transaction of `charge`: rows of the usage log are told apart by time.
   */
  final(end: TaskEnd, trx: Knex.Transaction): Promise<TaskCharge>
}

export interface TaskEnd {
  readonly requestId: string
  /** Keys the movement. */
  readonly taskId: string
  /** Absent: the charge stands. */
  readonly quota?: bigint
  /** For the row of the usage log. */
  readonly detail: JsonObject
  /** What the upstream charges for it in all. Absent: what was known of it stands. */
  readonly upstreamCost?: bigint
}

export interface TaskCharge {
  /** When it was accepted. */
  readonly charged: bigint
  /** In the end. */
  readonly quota: bigint
  /** How far the balance is below its floor by the difference. */
  readonly shortfall: bigint
}

export interface PeriodAccounts {
  /**
   * Makes one, which is active while its user is. `key` is the same for one period of one subscription. Answers the
   * account id.
   */
  open(
    period: { readonly userId: number; readonly key: string; readonly floor: bigint },
    trx: Knex.Transaction,
  ): Promise<number>
  /** Locked in the order of their ids, until the transaction ends. */
  lock(
    accountIds: readonly number[],
    trx: Knex.Transaction,
  ): Promise<ReadonlyMap<number, PeriodAccount>>
  /** How far `posted` less `held` may fall. */
  setFloor(accountId: number, floor: bigint, trx: Knex.Transaction): Promise<void>
  read(
    accountIds: readonly number[],
    trx?: Knex | Knex.Transaction,
  ): Promise<ReadonlyMap<number, PeriodAccount>>
}

export interface PeriodAccount {
  readonly posted: bigint
  readonly held: bigint
  /** Charged by requests so far. */
  readonly used: bigint
  readonly floor: bigint
}

export interface Breach {
  /** Numbered as the rules of `invariants.ts`. */
  readonly invariant: string
  /** What does not add up, with ids and figures. */
  readonly finding: string
}

export interface Inspection {
  /**
   * Verifies what is new since the last sound check, or the whole book (the default); logs what is broken, blocks its
   * accounts and frees those that add up again. Callers while it runs share the result; it ends, in the database
   * too, when the signals of all who wait have aborted.
   */
  run(scope?: Inspected['scope'], signal?: AbortSignal): Promise<Inspected>
  /** Whether it runs in this process, and the last result of any. */
  state(): Promise<InspectionState>
}

export interface InspectionState {
  readonly running: boolean
  /** The last that came to its end. */
  readonly last?: Inspected
  /** The one after it did not come to its end: nothing was verified. Unix milliseconds. */
  readonly failed?: { readonly at: number; readonly reason: string }
  /** When the whole book was last found sound, Unix milliseconds. */
  readonly wholeAt?: number
}

export interface Inspected {
  /** Unix milliseconds. */
  readonly startedAt: number
  readonly ms: number
  /** `new`: what was verified before counted as verified; a whole check falls due once a day. */
  readonly scope: 'whole' | 'new'
  /** Requests looked at. */
  readonly verified: number
  readonly invariants: readonly InvariantReport[]
}

export interface InvariantReport {
  /** As of `Breach`. */
  readonly id: string
  readonly name: string
  /** What has to hold, in a sentence. */
  readonly rule: string
  /** Bounded; empty: it holds. */
  readonly breaches: readonly string[]
  /** There may be more than are listed. */
  readonly hasMore: boolean
}

export interface Overview {
  /** Wallets and the like; those of the gateway are not counted. */
  readonly accounts: number
  readonly posted: bigint
  readonly held: bigint
  /** Accounts that show less than 0, and what they are short of it together. */
  readonly indebted: number
  readonly debt: bigint
  readonly openHolds: number
  readonly oldestHold?: OpenHold
  /** Accounts of the gateway: credits less debits. */
  readonly system: readonly {
    readonly id: number
    readonly name: string
    readonly balance: bigint
  }[]
  readonly blocked: number
  /** The first few. */
  readonly blockedAccounts: readonly BlockedAccount[]
}

export interface BlockedAccount {
  readonly accountId: number
  readonly userId: number
  readonly username: string | null
}

export interface Page {
  /** Counts from 1. */
  readonly page: number
  readonly pageSize: number
}

export interface PageOf<Item> {
  readonly items: readonly Item[]
  /** Counted up to 10,000, which is as far as pages reach. */
  readonly total: number
}

export interface OpenHold {
  readonly requestId: string
  readonly kind: string
  readonly userId: number
  readonly username: string
  readonly tokenId?: number
  /** What was known of the request when money was set aside. */
  readonly draft: Partial<LogDraft>
  readonly held: bigint
  /** The cost last marked while the answer was under way. */
  readonly used: bigint
  /** The process that owns it. */
  readonly instance: string
  /** That process is gone: the next sweep closes the hold. */
  readonly isOrphan: boolean
  readonly createdAt: Date
  /** By the clock of the database. */
  readonly ageSeconds: number
}

/** Of one request, or of the accounts of one user; neither: all. */
export interface EntryQuery extends Page {
  readonly requestId?: string
  readonly userId?: number
}

export interface Entry {
  readonly id: bigint
  readonly kind: string
  readonly amount: bigint
  readonly requestId: string
  readonly createdAt: Date
  readonly note: string
  readonly debit: EntrySide
  readonly credit: EntrySide
}

export interface EntrySide {
  readonly accountId: number
  /** Empty: there is no such account. */
  readonly kind: string
  /** 0: the gateway. */
  readonly userId: number
  /** Of the user, or of the gateway's account, as `revenue`. */
  readonly name: string
}

declare module '../../../kernel/contract/service.js' {
  interface Services {
    ledger: Ledger
  }
}
