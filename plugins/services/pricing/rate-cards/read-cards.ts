/** The option `TaskRateCards` as rate cards, and what may stand in one (BILL-7, BILL-8). A `Refusal` names the place. */
import { type Decimal, zero } from '../decimal.js'
import { checkCount, checkSize, decimalIn, NameRegister, refusal, shaped } from '../map-rules.js'
import { faultOfKey, shownKey } from '../model-key.js'
import { type CardText, type RateText, rateOf, readCardTexts } from './card-text.js'
import { any, normalValue, type Rate, type RateCard, unitOfQuantity } from './rate-card.js'

/** A wider table, or a longer one, is no price list anybody could read. */
const dimensionsMax = 8
const ratesMax = 500
const valueCharactersMax = 64

const word = /^[a-z][a-z0-9_-]{0,31}$/

export function rateCards(option: string, text: string): ReadonlyMap<string, RateCard> {
  checkSize(option, text)
  const entries = shaped(option, () => readCardTexts(text))
  checkCount(
    option,
    entries.reduce((sum, { card }) => sum + (card.rates?.length ?? 1), 0),
  )
  const names = new NameRegister(option)
  return new Map(
    entries.map(({ key, card }) => [
      names.take(key),
      cardOf(card, { option, name: shownKey(key) }),
    ]),
  )
}

interface Place {
  readonly option: string
  readonly name: string
}

function cardOf(card: CardText, { option, name }: Place): RateCard {
  const { unit, minimum, step } = card
  const amount = (text: string, field: string) => decimalIn(option, text, `${field} of ${name}`)
  if (unit === undefined || !word.test(unit)) {
    throw refusal(option, `must name the unit of ${name} in lower case letters, such as second`)
  }
  const dimensions = dimensionsOf(card)
  if (dimensions.length > dimensionsMax) {
    throw refusal(option, `must hold at most ${dimensionsMax} dimensions for ${name}`)
  }
  const rates = ratesOf(card, dimensions, { option, name })
  checkReach(rates, { option, name })
  return {
    unit,
    dimensions,
    rates,
    minimum: minimum === undefined ? zero : amount(minimum, 'minimum'),
    ...(step !== undefined && { step: positive(amount(step, 'step'), { option, name }) }),
    written: { unit, ...writtenPrices(card), ...given('minimum', minimum), ...given('step', step) },
  }
}

function writtenPrices({ price, rates = [] }: CardText) {
  if (price !== undefined) return { price }
  return { rates: rates.map((rate) => ({ when: rate.when ?? {}, price: rate.price ?? '' })) }
}

function given(field: 'minimum' | 'step', text: string | undefined) {
  return text === undefined ? {} : { [field]: text }
}

function positive(step: Decimal, { option, name }: Place): Decimal {
  if (step.units > 0n) return step
  throw refusal(option, `must hold a number above 0 for step of ${name}`)
}

/** Columns of the table: all that any row names. */
function dimensionsOf({ rates = [] }: CardText): readonly string[] {
  return [...new Set(rates.flatMap(({ when = {} }) => Object.keys(when)))]
}

/** One price stands for a table of one row. */
function ratesOf(
  { price, rates }: CardText,
  dimensions: readonly string[],
  { option, name }: Place,
): readonly Rate[] {
  if ((price === undefined) === (rates === undefined)) {
    throw refusal(option, `must hold either a price or rates for ${name}`)
  }
  if (rates === undefined) {
    return [{ when: {}, values: [], price: decimalIn(option, price!, `price of ${name}`) }]
  }
  if (rates.length > ratesMax) {
    throw refusal(option, `must hold at most ${ratesMax} rates for ${name}`)
  }
  return rates.map((rate, at) => rateIn(rate, dimensions, { option, name: rateOf(name, at) }))
}

function rateIn(
  { when = {}, price }: RateText,
  dimensions: readonly string[],
  { option, name }: Place,
): Rate {
  if (price === undefined) throw refusal(option, `must hold a price for ${name}`)
  for (const [dimension, value] of Object.entries(when)) {
    const shown = shownKey(dimension)
    if (!word.test(dimension) || dimension === unitOfQuantity) {
      throw refusal(option, `: ${shown} cannot be a dimension of ${name}`)
    }
    const isLong = [...value].length > valueCharactersMax
    const fault = isLong ? `is longer than ${valueCharactersMax} characters` : faultOfKey(value)
    if (fault !== undefined) throw refusal(option, `: the value of ${shown} of ${name} ${fault}`)
  }
  // Every row fills in every column: no price depends on what somebody left out.
  const blank = dimensions.find((dimension) => !Object.hasOwn(when, dimension))
  if (blank !== undefined) {
    throw refusal(option, `must hold ${blank}, or "*" for any, for ${name}`)
  }
  const values = dimensions.map((dimension) => normalValue(when[dimension]!))
  return { when, values, price: decimalIn(option, price, `price of ${name}`) }
}

/** A row that others stand in the way of is a mistake somebody would pay for. */
function checkReach(rates: readonly Rate[], { option, name }: Place): void {
  for (const [at, { values }] of rates.entries()) {
    const above = rates.slice(0, at).findIndex((rate) => takesAll(rate.values, values))
    if (above < 0) continue
    const one = rateOf(name, at)
    throw refusal(option, `: ${one} is never reached, since rate ${above + 1} stands before it`)
  }
}

/** Whatever fits the narrower row fits the wider one as well. */
function takesAll(wider: readonly string[], narrower: readonly string[]): boolean {
  return wider.every((value, column) => value === any || value === narrower[column])
}
