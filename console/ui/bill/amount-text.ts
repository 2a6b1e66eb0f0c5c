/** Exact amounts of a bill in the currency the operator shows; rates are decimals too, so nothing is lost. */
import { type Decimal, groupedText, readDecimal, times, wholeNumber } from '../decimal.js'
import { type Currency, useMoney } from '../money.js'

/** One dollar is 500,000 units. */
export const dollarsOfQuota: Decimal = { units: 2n, scale: 6 }
const quotaOfDollar = wholeNumber(500_000n)

function dollarsText(dollars: Decimal, { symbol, rate, inUnits }: Currency): string {
  if (inUnits) return groupedText(times(dollars, quotaOfDollar))
  const factor = readDecimal(rate) ?? wholeNumber(1n)
  return `${symbol}${groupedText(times(dollars, factor), 2)}`
}

export function useAmountText() {
  const { currency } = useMoney()
  return {
    /** Of dollars. */
    price: (dollars: Decimal) => dollarsText(dollars, currency.value),
    /** Of quota. */
    amount: (quota: Decimal) => dollarsText(times(quota, dollarsOfQuota), currency.value),
  }
}
