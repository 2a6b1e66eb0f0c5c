/** Who calls: the user, and the token used. */

export interface User {
  readonly id: number
  readonly username: string
  readonly role: number
  readonly group: string
  /** Ledger account of the wallet. */
  readonly walletId: number
}

export interface Token {
  readonly id: number
  readonly name: string
  /** Legacy group; empty: the user's group. */
  readonly group: string
  /** Legacy switch, read where no policy is stored (ROUTE-9). */
  readonly crossGroupRetry: boolean
  /** The policy as stored. Absent: none is, and one is made of the two above at run time. */
  readonly routing?: RoutingPolicy
  /** Models the token may use; absent: all. */
  readonly models?: ReadonlySet<string>
  /** Absent: it has none but its cap. */
  readonly limits?: TokenLimits
  /** Absent: its requests are not recorded for its own sake. */
  readonly recording?: RecordingTerms
}

/** What of requests is kept, and until when (decision 0097). */
export interface RecordingTerms {
  readonly level: 'headers' | 'bodies'
  /** Unix milliseconds. */
  readonly until: number
}

export interface TokenLimits {
  /** Requests and tokens in a minute; 0: no limit. */
  readonly rpm: number
  readonly tpm: number
  /** Absent: none. */
  readonly budget?: TokenBudget
}

/** Quota that may be used in each period, in UTC; weeks begin on Monday. */
export interface TokenBudget {
  readonly quota: bigint
  readonly period: BudgetPeriod
}

export type BudgetPeriod = 'day' | 'week' | 'month'

/** Where a token's requests may go, in the spelling of its record (ROUTE-5). */
export interface RoutingPolicy {
  readonly version: 1
  readonly mode: 'smart' | 'manual'
  /** `smart`: key of the auto route whose chain is followed; empty otherwise. */
  readonly auto_route: string
  /** `manual`: groups in order, at most 8; empty otherwise. */
  readonly groups: readonly string[]
  /** After a failure the next group may be tried; retries inside a group are unaffected. */
  readonly retry_on_failure: boolean
}
