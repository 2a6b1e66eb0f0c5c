/** A changed price, line by line: what it was, what it will be, and how much that is. */
import { type ChangeRow, figures, type RateCard } from '../../../api/prices.js'
import type { Decimal } from '../../../ui/decimal.js'
import { type Column, figureOf, priceOf } from '../../../ui/price-entry/columns.js'
import {
  blankEntry,
  entryOf,
  isSameCard,
  type Mode,
  modeOf,
} from '../../../ui/price-entry/entry.js'
import { differing } from '../../../ui/price-entry/row-edit.js'

export interface Line {
  readonly column: Column
  /** Undefined: there is none. */
  readonly before: Amount | undefined
  readonly after: Amount | undefined
  /** 0.25: a quarter more. Undefined: there is nothing to compare. */
  readonly part: number | undefined
}

export interface Amount {
  /** Undefined: the figure is a factor of one that is not written. */
  readonly price: string | undefined
  readonly figure: string
}

export interface ModelDifference {
  readonly model: string
  /** Undefined: it had, or will have, no price. */
  readonly modes: readonly [Mode | undefined, Mode | undefined]
  readonly lines: readonly Line[]
  /** Undefined: the rate card stays. Null: there is none. */
  readonly cards: readonly [RateCard | null, RateCard | null] | undefined
}

/** Something is written differently, or the model is charged in another way. */
export function differs({ before, after }: ChangeRow): boolean {
  if (before?.mode !== after?.mode) return true
  if (!isSameCard(before?.rate_card ?? null, after?.rate_card ?? null)) return true
  return figures.some((figure) => (before?.[figure] ?? null) !== (after?.[figure] ?? null))
}

export function differenceOf({ model, before, after }: ChangeRow, rate: Decimal): ModelDifference {
  const was = before === null ? blankEntry : entryOf(before)
  const will = after === null ? blankEntry : entryOf(after)
  const amount = (entry: typeof was, column: Column): Amount | undefined => {
    const figure = entry.figures[figureOf[column]]
    return figure === null ? undefined : { figure, price: priceOf(column, entry, rate) }
  }
  const lines = differing(was, will, rate).map((column) => {
    const pair = [amount(was, column), amount(will, column)] as const
    return { column, before: pair[0], after: pair[1], part: partOf(pair[0], pair[1]) }
  })
  return {
    model,
    lines,
    cards: isSameCard(was.card, will.card) ? undefined : [was.card, will.card],
    modes: [before && modeOf(was), after && modeOf(will)].map((mode) => mode ?? undefined) as [
      Mode | undefined,
      Mode | undefined,
    ],
  }
}

/** Shown, never charged by: a float is good enough. */
function partOf(before: Amount | undefined, after: Amount | undefined): number | undefined {
  const was = Number(before?.price ?? before?.figure)
  const will = Number(after?.price ?? after?.figure)
  if (!(was > 0) || !Number.isFinite(will)) return undefined
  return (will - was) / was
}
