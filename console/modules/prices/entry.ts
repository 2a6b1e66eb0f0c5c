/** What is written of one model's price, every figure as decimal text; and what differs between two such. */
import { type Figure, figures, type ModelChange, type PriceRow } from '../../api/prices.js'
import { plainNumber } from './figure.js'

export interface Entry {
  readonly free: boolean
  /** Null: not set. Empty: required, and not yet given. */
  readonly figures: Readonly<Record<Figure, string | null>>
}

export type Mode = PriceRow['mode']

/** Of a model nothing is written of. */
export const blankEntry: Entry = { free: false, figures: figuresOf(() => null) }

export function entryOf(row: PriceRow): Entry {
  const text = (figure: Figure) => plainOf(row[figure])
  return { free: row.mode === 'free', figures: figuresOf(text) }
}

/** Free by name, else the fixed price, else the ratio: as a request is charged. */
export function modeOf({ free, figures: written }: Entry): Mode {
  if (free) return 'free'
  if (written.model_price !== null) return 'price'
  return written.model_ratio === null ? 'none' : 'ratio'
}

/** In the other mode. Fields the new mode requires become empty. */
export function inMode(entry: Entry, mode: Mode): Entry {
  const { model_price, model_ratio } = entry.figures
  if (mode === 'free') return { ...entry, free: true }
  if (mode === 'price') return put({ ...entry, free: false }, { model_price: model_price ?? '' })
  return put({ ...entry, free: false }, { model_price: null, model_ratio: model_ratio ?? '' })
}

export function put(entry: Entry, changed: Partial<Record<Figure, string | null>>): Entry {
  return { ...entry, figures: { ...entry.figures, ...changed } }
}

/** Figures that differ, as decimal text. */
export interface Change {
  readonly free?: boolean
  readonly figures: Readonly<Partial<Record<Figure, string | null>>>
}

/** Undefined: they are the same. */
export function changeBetween(before: Entry, after: Entry): Change | undefined {
  const changed = figures.filter((figure) => before.figures[figure] !== after.figures[figure])
  const freed = before.free !== after.free
  if (changed.length === 0 && !freed) return undefined
  const values = changed.map((figure) => [figure, after.figures[figure]])
  return { ...(freed && { free: after.free }), figures: Object.fromEntries(values) }
}

export function changed(before: Entry, change: Change): Entry {
  return put({ ...before, free: change.free ?? before.free }, change.figures)
}

/** As the gateway takes it. */
export function sentChange(change: Change): ModelChange {
  const sent = Object.entries(change.figures).map(([figure, text]) => [
    figure,
    text === null ? null : Number(text),
  ])
  return { ...Object.fromEntries(sent), ...(change.free !== undefined && { free: change.free }) }
}

function figuresOf(text: (figure: Figure) => string | null): Entry['figures'] {
  return Object.fromEntries(figures.map((figure) => [figure, text(figure)])) as Entry['figures']
}

function plainOf(value: number | null): string | null {
  return value === null ? null : plainNumber(value)
}
