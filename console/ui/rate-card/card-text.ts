/** A rate card in words: "$0.07 per second, 1080p $0.10, at least 5 seconds". */
import type { RateCard } from '../../api/prices.js'
import { plainText, readDecimal } from '../decimal.js'
import { dimensionWord, phrases, unitWord } from './card-words.js'

export type Rate = NonNullable<RateCard['rates']>[number]

/** Any value of a dimension. */
export const any = '*'

/** One price is a table of one row. */
export function ratesOf({ price, rates }: RateCard): readonly Rate[] {
  return rates ?? [{ when: {}, price: price ?? '' }]
}

/** Columns of the table. */
export function dimensionsOf(card: RateCard): readonly string[] {
  return [...new Set(ratesOf(card).flatMap(({ when }) => Object.keys(when)))]
}

/** What a row holds for: `1080p + audio`. Empty: for all that no row above it is for. */
export function conditionText({ when }: Pick<Rate, 'when'>): string {
  return Object.entries(when)
    .filter(([, value]) => value !== any)
    .map(([name, value]) => valueText(name, value))
    .join(' + ')
}

/** A value that says nothing by itself has its dimension's name beside it. */
function valueText(name: string, value: string): string {
  const word = dimensionWord(name)
  if (value === 'true') return word
  if (value === 'false') return phrases.without(word)
  return /^[\d.]+$/.test(value) ? `${word} ${value}` : value
}

export interface CardTextOptions {
  /** Of US dollars, as decimal text. */
  readonly price: (usd: string) => string
  /** Most rows that are told one by one. */
  readonly rows?: number
}

export function cardText(card: RateCard, { price, rows = Infinity }: CardTextOptions): string {
  const rates = ratesOf(card)
  const base = rates.find((rate) => conditionText(rate) === '')
  const others = rates.filter((rate) => rate !== base)
  const first = base ?? others[0]!
  const rest = base === undefined ? others.slice(1) : others
  const told = rest.slice(0, rows)
  const further = rest.length - told.length
  return [
    [base === undefined && conditionText(first), perUnit(first, card, price)]
      .filter(Boolean)
      .join(' '),
    ...told.map((rate) => `${conditionText(rate)} ${price(rate.price)}`),
    ...(further > 0 ? [phrases.further(further)] : []),
    ...rulesOf(card),
  ].join(phrases.separator())
}

function perUnit(rate: Rate, { unit }: RateCard, price: CardTextOptions['price']): string {
  return phrases.per(price(rate.price), unitWord(unit, '1'))
}

/** How units are counted beyond what was made. */
export function rulesOf({ unit, minimum, step }: RateCard): readonly string[] {
  const least = plain(minimum)
  const each = plain(step)
  return [
    ...(least !== '' && least !== '0' ? [phrases.atLeast(least, unitWord(unit, least))] : []),
    ...(each === '1' ? [phrases.whole(unitWord(unit, 'many'))] : []),
    ...(each !== '' && each !== '1' ? [phrases.steps(each, unitWord(unit, each))] : []),
  ]
}

/** Without an exponent, and without zeros that say nothing. */
function plain(amount: string | undefined): string {
  const value = readDecimal(amount)
  return value === undefined ? '' : plainText(value)
}
