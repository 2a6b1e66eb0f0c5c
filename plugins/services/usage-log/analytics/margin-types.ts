/** What was earned and what it cost upstream. For admins alone. */
import type { DaySpan } from './types.js'

export type MarginDimension = 'channel' | 'model' | 'user'

export type MarginOrder = 'quota' | 'cost' | 'margin' | 'unknown'

/** At most one. */
export interface MarginScope {
  readonly channelId?: number
  readonly model?: string
  readonly userId?: number
}

export interface MarginSums {
  /** Charges. */
  readonly requests: bigint
  /** Charges less refunds, quota. */
  readonly quota: bigint
  /** Of `quota`, what was earned where the cost is known. */
  readonly knownQuota: bigint
  /** Billionths of a USD, of all calls whose cost is known. */
  readonly cost: bigint
  /** `knownQuota` in billionths of a USD. */
  readonly revenue: bigint
  /** `revenue` less `cost`. */
  readonly margin: bigint
}

export interface MarginDay extends MarginSums {
  /** Its beginning, Unix seconds. */
  readonly at: number
}

export interface MarginOverview {
  /** Counted up to this moment, Unix seconds. Absent: nothing is counted yet. */
  readonly asOf?: number
  readonly totals: MarginSums
  /** As many days before. Where the last day is not over, theirs ends at the same hour. */
  readonly before: MarginSums
  /** Days without any usage are left out. */
  readonly series: readonly MarginDay[]
}

export interface RankedMargin extends MarginSums {
  /** Of a channel or a user. 0: none. */
  readonly id: number
  readonly name: string
}

export interface MarginRanking {
  readonly items: readonly RankedMargin[]
  /** All that are not listed. */
  readonly others: MarginSums
}

export interface MarginQuery extends DaySpan {
  readonly dimension: MarginDimension
  /** The greatest first; margins: the smallest first. */
  readonly order: MarginOrder
  readonly limit: number
}

/** What a channel cost on a day by the model its upstream was asked for. */
export interface CostDay {
  readonly day: number
  readonly model: string
  readonly cost: bigint
}

/** Of a channel on a day; channel 0: of all. */
export interface DayMargin extends MarginSums {
  readonly channelId: number
  readonly name: string
}
