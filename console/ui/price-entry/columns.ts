/**
 * The columns of the price list, and the way from ratios to prices and back: ratio 1 is two US dollars per million
 * input tokens, all other ratios are factors over that one.
 */
import type { Figure } from '../../api/price-figures.js'
import { type Decimal, isSame, isZero, over, plainText, rounded, times } from '../decimal.js'
import { type Entry, put } from './entry.js'
import { knownFigure, readFigure } from './figure.js'

export const tokenColumns = [
  'input',
  'output',
  'cacheRead',
  'cacheWrite',
  'imageInput',
  'audioInput',
  'audioOutput',
] as const
export type Column = (typeof tokenColumns)[number] | 'call'
export const allColumns: readonly Column[] = [...tokenColumns, 'call']

export const figureOf: Readonly<Record<Column, Figure>> = {
  input: 'model_ratio',
  output: 'completion_ratio',
  cacheRead: 'cache_ratio',
  cacheWrite: 'create_cache_ratio',
  imageInput: 'image_ratio',
  audioInput: 'audio_ratio',
  audioOutput: 'audio_completion_ratio',
  call: 'model_price',
}

/** What a ratio counts as where none is written. */
const usual: Readonly<Partial<Record<Column, string>>> = {
  output: '1',
  cacheRead: '1',
  cacheWrite: '1.25',
  imageInput: '1',
  audioInput: '1',
}

const usdOfRatioOne = knownFigure('2')
/** Finer than any price; what a rounded ratio leaves beyond it is no price anybody set. */
const priceDecimals = 9
const ratioDecimals = [12, 13, 14, 15, 16] as const

/** What one of the column's figure costs, in units of the currency: `rate` is that of one US dollar. */
function factorOf(column: Column, entry: Entry, rate: Decimal): Decimal | undefined {
  if (column === 'call') return rate
  const one = times(usdOfRatioOne, rate)
  if (column === 'input') return one
  const { model_ratio, audio_ratio } = entry.figures
  const base = readFigure(model_ratio ?? '')
  if (base === undefined) return undefined
  if (column !== 'audioOutput') return times(one, base)
  return times(one, base, readFigure(audio_ratio ?? '1') ?? knownFigure('1'))
}

/** The price a written figure makes; undefined: none is written. */
export function priceOf(column: Column, entry: Entry, rate: Decimal): string | undefined {
  return priced(column, entry, rate, entry.figures[figureOf[column]])
}

/** The price that holds while no figure is written. */
export function usualPrice(column: Column, entry: Entry, rate: Decimal): string | undefined {
  return priced(column, entry, rate, usualFigure(column, entry))
}

/** Audio goes out at the text's factor where it has none of its own. */
export function usualFigure(column: Column, entry: Entry): string | undefined {
  if (column === 'audioOutput') return entry.figures.completion_ratio ?? '1'
  return usual[column]
}

function priced(
  column: Column,
  entry: Entry,
  rate: Decimal,
  figure: string | null | undefined,
): string | undefined {
  const factor = factorOf(column, entry, rate)
  const value = readFigure(figure ?? '')
  if (factor === undefined || value === undefined) return undefined
  return plainText(shown(times(factor, value)))
}

/** Without what the rounding of a ratio left at its end; a price finer than that stays as it is. */
function shown(exact: Decimal): Decimal {
  if (exact.scale < ratioDecimals[0]) return exact
  const near = rounded(exact, priceDecimals)
  const units = near.units * 10n ** BigInt(exact.scale - near.scale)
  const left = units > exact.units ? units - exact.units : exact.units - units
  return left * 10n ** BigInt(priceDecimals) <= exact.units ? near : exact
}

/** The figure that makes the price. Undefined: no figure could, since what it is a factor of is missing or 0. */
export function figureFor(
  column: Column,
  price: Decimal,
  entry: Entry,
  rate: Decimal,
): string | undefined {
  const factor = factorOf(column, entry, rate)
  if (factor === undefined || isZero(factor)) return undefined
  const tries = ratioDecimals.map((decimals) => over(price, factor, decimals))
  const exact = tries.find((ratio) => isSame(shown(times(factor, ratio)), price))
  return plainText(exact ?? tries[0]!)
}

/** With another price of a million input tokens; what else has a price of its own keeps it. */
export function withInput(entry: Entry, price: Decimal, rate: Decimal): Entry {
  const ratio = figureFor('input', price, entry, rate)!
  const before = tokenColumns.map((column) => [column, priceOf(column, entry, rate)] as const)
  let next = put(entry, { model_ratio: ratio })
  for (const [column, kept] of before) {
    if (column === 'input' || kept === undefined) continue
    const figure = figureFor(column, knownFigure(kept), next, rate)
    if (figure !== undefined) next = put(next, { [figureOf[column]]: figure })
  }
  return next
}
