/** What a request costs, and the one reservation that pays for it. */
import type { Usage } from '../event.js'
import type { JsonObject } from '../json.js'

/** An immutable version of the whole price table, pinned when the request is admitted (ledger/README.md section 5). */
export interface PriceTable {
  readonly version: string
  /** The price of a model in a group. Undefined: none configured, so the request is refused (M15). */
  price(query: PriceQuery): Price | undefined
  /**
   * What an upstream charges for a usage by the terms of its channel, whatever the group: billionths of a USD, added up exactly
   * and rounded once, half up. Undefined: it is not known. Absent: it never is.
   */
  upstreamCost?(query: CostQuery, usage: Usage): bigint | undefined
}

/** What the upstream of a channel charges. Decimals are texts, so that they are exact. */
export interface CostTerms {
  /** Of the list price, for every model without a price below. Absent: what those cost is not known. */
  readonly factor?: string
  /** By the name the upstream is asked for: an entry as the price list has it. */
  readonly models?: Readonly<Record<string, JsonObject>>
}

export interface CostQuery {
  /** Of the channel. Absent: it has none. */
  readonly terms: CostTerms | undefined
  readonly requestedModel: string
  readonly upstreamModel: string
}

/** What one call to an upstream cost that is not the charge's own: it failed, or nothing of it was charged. */
export interface AttemptCost {
  readonly channelId: number
  readonly upstreamModel: string
  /** Billionths of a USD. Absent: it is not known. */
  readonly cost?: bigint
}

export interface PriceQuery {
  readonly requestedModel: string
  readonly upstreamModel: string
  /** The group whose channel answers. */
  readonly group: string
  /** The caller's own group, for special ratios between groups. */
  readonly userGroup: string
}

export interface Price {
  /** The name whose price this is (logged as `price_model`). */
  readonly model: string
  /** True when nothing this price covers can ever cost anything. */
  readonly free: boolean
  /**
   * What to set aside for at most this usage; rounds up. Quota. This and `cost` throw the refusal `model_price_error`
   * where a media task has dimensions that are not priced; one whose hold was made has a cost as well.
   */
  hold(usage: Usage): bigint
  /** What this usage costs; exact sum, rounded once, half up (ledger/README.md section 1). Quota. */
  cost(usage: Usage): bigint
  /** What the price is made of, so that the same price can be had again later, whatever the table holds then. */
  terms(): JsonObject
  /** Every input and step of `cost`, so that any charge can be recomputed. */
  explain(usage: Usage): JsonObject
}

export type CoverVerdict = 'ok' | 'short' | 'shortToken' | 'shortBudget' | 'gone'

/**
 * Why an answer under way can no longer be paid from its hold. `disabled`: its key, or the owner of it, was disabled or
 * has expired. `lost`: this process no longer owns the hold, since it was cut off from the database for longer than its
 * lease; this proves nothing about the key or about money.
 */
export type GoneReason = 'disabled' | 'lost'

/** The one reservation of a request. Every call is safe to repeat. */
export interface Hold {
  /**
   * Raises what is set aside to `quota`, cumulative: a smaller amount leaves it. Mints the revision and pins the
   * funding account on first success. `short`: not enough money, nothing changed. `shortToken`: the token's cap does not
   * allow it, `shortBudget`: the budget of its period does not, nothing changed. `gone`: account or token disabled or expired. Throws the refusal `database_unavailable`
   * when the database does not answer, cannot take the reserve, or has given the hold to another process: the caller
   * then knows nothing about money.
   */
  cover(quota: bigint, draft: LogDraft): Promise<CoverVerdict>
  /** What is set aside now; 0 before the first success. */
  readonly covered: bigint
  /** What the token's budget of this period had left at the last cover, its hold counted. Absent: it has none. */
  readonly budgetLeft?: bigint
  /** The subscription that pays. Absent: the wallet does, or nothing is set aside yet. */
  readonly subscription?: { readonly id: number; readonly plan: string }
  /**
   * An answer is under way: every 2 seconds the ledger reads what it has cost so far and marks that durably, until the
   * hold is closed. A later call replaces the earlier.
   */
  follow(cost: () => bigint): void
  /** The listener is called at most once, when a mark finds the hold gone. */
  onGone(listener: (reason: GoneReason) => void): void
  /** Settles once; later calls answer the first result. `delivered` false and quota 0 releases without a row. */
  close(actual: Closing): Promise<Charge>
}

/** What is known of a request when money is first set aside; the sweeper writes its log row from it after a crash. */
export interface LogDraft {
  readonly username: string
  readonly tokenName: string
  readonly model: string
  readonly upstreamModel: string
  readonly group: string
  readonly channelId: number
  readonly channelName: string
  readonly isStream: boolean
  readonly address: string
}

export type Outcome = End | 'failed' | 'refused'

export interface Closing {
  readonly quota: bigint
  /** Whether anything reached the client that the price covers; true at price 0 writes a row of 0. */
  readonly delivered: boolean
  readonly outcome: Outcome
  readonly usage: Usage
  /** How the quota came about: `Price.explain`. */
  readonly snapshot: JsonObject
  /** Absent: the draft of the last cover stands. */
  readonly draft?: LogDraft
  /** Whole milliseconds from receipt to the end. */
  readonly durationMs: number
  /** Further facts for the log row: first event, retry chain, flags. */
  readonly detail: JsonObject
  /** What the upstream charges for it, billionths of a USD. Absent: it is not known. */
  readonly cost?: bigint
  /** What other calls of the request cost. Absent: there were none that cost anything. */
  readonly attemptCosts?: readonly AttemptCost[]
}

export interface Charge {
  readonly state: 'settled' | 'released' | 'none'
  readonly quota: bigint
  /** How far the balance went below its floor by this charge. */
  readonly shortfall: bigint
}

/** complete | cut by the gateway's own stop or a dead owner | the client left | money ran out | the upstream broke off. */
export type End = 'complete' | 'cut' | 'clientGone' | 'outOfFunds' | 'upstreamBroke'
