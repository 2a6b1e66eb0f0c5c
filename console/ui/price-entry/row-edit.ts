/** What a row of the price list shows in each cell, and what comes of something typed there. */

import { type Decimal, isZero, plainText, rounded } from '../decimal.js'
import {
  allColumns,
  type Column,
  figureFor,
  figureOf,
  priceOf,
  tokenColumns,
  usualFigure,
  usualPrice,
  withInput,
} from './columns.js'
import { type Entry, modeOf, put } from './entry.js'
import { isExactNumber, readFigure } from './figure.js'

export interface Unit {
  /** Prices per million tokens, or the ratios that make them. */
  readonly kind: 'price' | 'ratio'
  /** Of the currency, in one US dollar. */
  readonly rate: Decimal
}

export interface Cell {
  readonly text: string
  /** The same in the other unit. */
  readonly other: string
  /** What holds while nothing is written. */
  readonly usual: string
}

/** A fixed price is a price in either unit. */
export function cellOf(column: Column, entry: Entry, { kind, rate }: Unit): Cell {
  const figure = entry.figures[figureOf[column]] ?? ''
  const price = priceOf(column, entry, rate) ?? ''
  if (column === 'call') return { text: price, other: '', usual: '' }
  if (kind === 'price') {
    return { text: price, other: brief(figure), usual: usualPrice(column, entry, rate) ?? '' }
  }
  return { text: figure, other: price, usual: usualFigure(column, entry) ?? '' }
}

/** A ratio of two prices often has no end; what counts is kept whole elsewhere. */
function brief(figure: string): string {
  const value = readFigure(figure)
  return value === undefined ? '' : plainText(rounded(value, 5))
}

export function columnsOf(entry: Entry): readonly Column[] {
  const mode = modeOf(entry)
  if (mode === 'free' || mode === 'card') return []
  return mode === 'price' ? ['call'] : tokenColumns
}

export type Typed = Entry | 'noFigure' | 'needsInput' | 'tooFine'

/** What is wrong with a cell. */
export type FigureFault = Extract<Typed, string> | 'needed'

/** The entry with what was typed into a cell, or why it can be none. */
export function typedInto(entry: Entry, column: Column, text: string, unit: Unit): Typed {
  const figure = figureOf[column]
  if (text.trim() === '') return put(entry, { [figure]: needed(column) ? '' : null })
  const value = readFigure(text)
  if (value === undefined) return 'noFigure'
  if (unit.kind === 'ratio' && column !== 'call') {
    return isExactNumber(value) ? put(entry, { [figure]: plainText(value) }) : 'tooFine'
  }
  if (column === 'input') return withInput(entry, value, unit.rate)
  const made = figureFor(column, value, entry, unit.rate)
  if (made !== undefined) return put(entry, { [figure]: made })
  return isZero(value) && entry.figures.model_ratio ? put(entry, { [figure]: null }) : 'needsInput'
}

/** Required by the mode. */
function needed(column: Column): boolean {
  return column === 'input' || column === 'call'
}

/** Columns in which two entries cost differently, or are written differently. */
export function differing(before: Entry, after: Entry, rate: Decimal): readonly Column[] {
  return allColumns.filter((column) => {
    const figure = figureOf[column]
    return (
      before.figures[figure] !== after.figures[figure] ||
      priceOf(column, before, rate) !== priceOf(column, after, rate)
    )
  })
}
