/** Exact amounts of a bill in the currency the operator shows; rates are decimals too, so nothing is lost. */
import { type Currency, useMoney } from '../../../ui/money.js'
import { type Decimal, decimalText, readDecimal, times } from './decimal.js'

const dollarsOfQuota: Decimal = { units: 2n, scale: 6 }
const quotaOfDollar: Decimal = { units: 500_000n, scale: 0 }

function dollarsText(dollars: Decimal, { symbol, rate, inUnits }: Currency): string {
  if (inUnits) return decimalText(times(dollars, quotaOfDollar))
  const factor = readDecimal(rate) ?? { units: 1n, scale: 0 }
  return `${symbol}${decimalText(times(dollars, factor), 2)}`
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
