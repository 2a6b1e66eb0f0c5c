/**
 * A rate card: what one unit of a media task costs, as a table. Its columns are dimensions of the task, such as
 * resolution and audio; a row says for which values its price holds, and `*` is any value, or none.
 *
 * Vendors publish tables, not factors: a price with audio is seldom the one without times the same factor in every
 * resolution. So rows hold prices, and nothing is multiplied but units (decision 0080).
 */
import type { Decimal } from '../decimal.js'
import type { WrittenCard } from '../pricing.js'

export interface RateCard {
  readonly unit: string
  /** Columns, in the order of the first row. Empty: there is one price. */
  readonly dimensions: readonly string[]
  /** The first that fits is the price. */
  readonly rates: readonly Rate[]
  /** Least units billed. */
  readonly minimum: Decimal
  /** Units are rounded up to a multiple of it. Absent: they are not. */
  readonly step?: Decimal
  readonly written: WrittenCard
}

export interface Rate {
  /** As written, by dimension. */
  readonly when: Readonly<Record<string, string>>
  /** The same to compare with, by the place of the dimension. */
  readonly values: readonly string[]
  /** USD per unit. */
  readonly price: Decimal
}

/** Any value of a dimension, or none. */
export const any = '*'

/** The unit of a price of a whole task: how many seconds or pieces it has does not count. */
export const wholeTask = 'task'

/** The dimension that says what the quantity of a usage counts. */
export const unitOfQuantity = 'unit'

/** `1080P` and `1080p` are the same value. */
export function normalValue(value: string): string {
  return value.normalize('NFC').trim().toLowerCase()
}
