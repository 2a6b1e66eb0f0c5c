/** What is written of one model's price, every figure as decimal text; and what differs between two such. */
import {
  type Figure,
  figures,
  type ModelChange,
  type PriceRow,
  type RateCard,
} from '../../api/price-figures.js'
import { plainNumber } from './figure.js'

export interface Entry {
  readonly free: boolean
  /** Null: not set. Empty: required, and not yet given. */
  readonly figures: Readonly<Record<Figure, string | null>>
  readonly card: RateCard | null
}

export type Mode = PriceRow['mode']

/** Of a model nothing is written of. */
export const blankEntry: Entry = { free: false, figures: figuresOf(() => null), card: null }

export function entryOf(row: PriceRow): Entry {
  const text = (figure: Figure) => plainOf(row[figure])
  return { free: row.mode === 'free', figures: figuresOf(text), card: row.rate_card }
}

/** Free by name, else the fixed price, else the card, else the ratio: as a request is charged. */
export function modeOf({ free, figures: written, card }: Entry): Mode {
  if (free) return 'free'
  if (written.model_price !== null) return 'price'
  if (card !== null) return 'card'
  return written.model_ratio === null ? 'none' : 'ratio'
}

/** In the other mode. Fields the new mode requires become empty, and what would stand before it goes. */
export function inMode(entry: Entry, mode: Mode): Entry {
  const { model_price, model_ratio } = entry.figures
  if (mode === 'free') return { ...entry, free: true }
  if (mode === 'price') return put({ ...entry, free: false }, { model_price: model_price ?? '' })
  const byTokens = { ...entry, free: false, card: null }
  return put(byTokens, { model_price: null, model_ratio: model_ratio ?? '' })
}

/** Charged by the card. */
export function inCard(entry: Entry, card: RateCard): Entry {
  return put({ ...entry, free: false, card }, { model_price: null })
}

export function put(entry: Entry, changed: Partial<Record<Figure, string | null>>): Entry {
  return { ...entry, figures: { ...entry.figures, ...changed } }
}

/** Figures that differ, as decimal text. */
export interface Change {
  readonly free?: boolean
  readonly card?: RateCard | null
  readonly figures: Readonly<Partial<Record<Figure, string | null>>>
}

/** Undefined: they are the same. */
export function changeBetween(before: Entry, after: Entry): Change | undefined {
  const changed = figures.filter((figure) => before.figures[figure] !== after.figures[figure])
  const freed = before.free !== after.free
  const dealt = !isSameCard(before.card, after.card)
  if (changed.length === 0 && !freed && !dealt) return undefined
  const values = changed.map((figure) => [figure, after.figures[figure]])
  return {
    ...(freed && { free: after.free }),
    ...(dealt && { card: after.card }),
    figures: Object.fromEntries(values),
  }
}

export function isSameCard(one: RateCard | null, other: RateCard | null): boolean {
  return cardJson(one) === cardJson(other)
}

/** Fields in one order, whoever wrote them. */
function cardJson(card: RateCard | null): string {
  if (card === null) return ''
  const { unit, price, rates, minimum, step } = card
  return JSON.stringify({ unit, price, rates, minimum, step })
}

export function changed(before: Entry, change: Change): Entry {
  const { free = before.free, card = before.card } = change
  return put({ ...before, free, card }, change.figures)
}

/** As the gateway takes it. */
export function sentChange(change: Change): ModelChange {
  const sent = Object.entries(change.figures).map(([figure, text]) => [
    figure,
    text === null ? null : Number(text),
  ])
  return {
    ...Object.fromEntries(sent),
    ...(change.free !== undefined && { free: change.free }),
    ...(change.card !== undefined && { rate_card: change.card }),
  }
}

function figuresOf(text: (figure: Figure) => string | null): Entry['figures'] {
  return Object.fromEntries(figures.map((figure) => [figure, text(figure)])) as Entry['figures']
}

function plainOf(value: number | null): string | null {
  return value === null ? null : plainNumber(value)
}
