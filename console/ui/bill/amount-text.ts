/**
 * Prices and amounts of a bill in the currency the operator shows. Rates are decimals, so nothing is lost on the way;
 * what is shown is rounded for the eye, amounts of one column to the same number of places.
 */
import {
  type Decimal,
  groupedText,
  readDecimal,
  rounded,
  shortened,
  significant,
  times,
  wholeNumber,
} from '../decimal.js'
import { type Currency, useMoney } from '../money.js'

/** One dollar is 500,000 units. */
export const dollarsOfQuota: Decimal = { units: 2n, scale: 6 }
const quotaOfDollar = wholeNumber(500_000n)
/** A ratio written with twelve digits makes a price of 2.4999999999999 where 2.50 was meant. */
const priceDigits = 6
/** A unit of quota is 0.000002 dollars. */
const amountPlaces = 6

function inCurrency(dollars: Decimal, { rate, inUnits }: Currency): Decimal {
  if (inUnits) return times(dollars, quotaOfDollar)
  return times(dollars, readDecimal(rate) ?? wholeNumber(1n))
}

export function unitsText(units: Decimal): string {
  return groupedText(shortened(units, amountPlaces))
}

export function useAmountText() {
  const { currency } = useMoney()
  return {
    /** Of dollars: `$2.50`. */
    price(dollars: Decimal): string {
      const { symbol, inUnits } = currency.value
      const shown = significant(inCurrency(dollars, currency.value), priceDigits)
      return `${symbol}${groupedText(shown, inUnits ? 0 : 2)}`
    },
    /** Of quota, as one column of a bill: all with as many places as the longest needs. */
    column(quotas: readonly Decimal[]): readonly string[] {
      const { symbol, inUnits } = currency.value
      const shown = quotas.map((quota) => inCurrency(times(quota, dollarsOfQuota), currency.value))
      if (inUnits) return shown.map(unitsText)
      const amounts = shown.map((amount) => rounded(amount, amountPlaces))
      const places = Math.max(2, ...amounts.map(({ scale }) => scale))
      return amounts.map((amount) => `${symbol}${groupedText(amount, places)}`)
    },
  }
}
