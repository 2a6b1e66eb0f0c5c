/** A rate card while it is edited: a table of texts, and what is wrong with it before the gateway is asked. */
import type { RateCard } from '../../../api/prices.js'
import { isZero } from '../../../ui/decimal.js'
import { readFigure } from '../../../ui/price-entry/figure.js'
import { any, dimensionsOf, ratesOf } from '../../../ui/rate-card/card-text.js'

export interface CardDraft {
  unit: string
  /** Names of the columns. */
  dimensions: string[]
  rows: RowDraft[]
  minimum: string
  step: string
}

export interface RowDraft {
  /** For the list alone: rows have no name. */
  readonly key: number
  /** By the place of the column; blank is any. */
  values: string[]
  price: string
}

let keys = 0

export function blankRow(columns: number): RowDraft {
  keys += 1
  return { key: keys, values: Array.from({ length: columns }, () => ''), price: '' }
}

export function draftOf(card: RateCard | null): CardDraft {
  if (card === null) {
    return { unit: 'second', dimensions: [], rows: [blankRow(0)], minimum: '', step: '' }
  }
  const dimensions = dimensionsOf(card)
  const rows = ratesOf(card).map(({ when, price }) => {
    const values = dimensions.map((name) => (when[name] === any ? '' : (when[name] ?? '')))
    return { ...blankRow(0), values, price }
  })
  const { unit, minimum = '', step = '' } = card
  return { unit, dimensions: [...dimensions], rows, minimum, step }
}

/** Decimals stay as they are typed. */
export function cardOf({ unit, dimensions, rows, minimum, step }: CardDraft): RateCard {
  const names = dimensions.map((name) => name.trim())
  const rates = rows.map(({ values, price }) => ({
    when: Object.fromEntries(names.map((name, at) => [name, values[at]?.trim() || any])),
    price: price.trim(),
  }))
  const isFlat = names.length === 0 && rates.length === 1
  return {
    unit: unit.trim(),
    ...(isFlat ? { price: rates[0]!.price } : { rates }),
    ...(minimum.trim() !== '' && { minimum: minimum.trim() }),
    ...(step.trim() !== '' && { step: step.trim() }),
  }
}

const word = /^[a-z][a-z0-9_-]{0,31}$/

/** Key of the text that says what is wrong; empty: nothing is. */
export type Fault = '' | 'needed' | 'noFigure' | 'noWord' | 'twice' | 'noStep'

export function priceFault(text: string): Fault {
  if (text.trim() === '') return 'needed'
  return readFigure(text) === undefined ? 'noFigure' : ''
}

/** Of a field that may be blank. */
export function amountFault(text: string): Fault {
  return text.trim() === '' ? '' : priceFault(text)
}

export function stepFault(text: string): Fault {
  const value = readFigure(text)
  return value !== undefined && isZero(value) ? 'noStep' : amountFault(text)
}

export function unitFault(text: string): Fault {
  return word.test(text.trim()) ? '' : 'noWord'
}

export function dimensionFault(name: string, { dimensions }: CardDraft): Fault {
  const normal = name.trim()
  if (!word.test(normal) || normal === 'unit') return 'noWord'
  return dimensions.filter((one) => one.trim() === normal).length > 1 ? 'twice' : ''
}

export function isWhole(draft: CardDraft): boolean {
  const faults = [
    unitFault(draft.unit),
    amountFault(draft.minimum),
    stepFault(draft.step),
    ...draft.dimensions.map((name) => dimensionFault(name, draft)),
    ...draft.rows.map(({ price }) => priceFault(price)),
  ]
  return faults.every((fault) => fault === '')
}
