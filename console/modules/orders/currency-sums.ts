/** Sums of what was paid in each currency, exact; tests apart. */
import type { Total } from '../../api/payments.js'

export interface CurrencySum {
  readonly currency: string
  readonly test: boolean
  readonly orders: number
  /** Decimals in the currency. */
  readonly paid: string
  readonly refunded: string
  readonly disputed: string
  /** Quota units, less what was taken back. */
  readonly credit: bigint
}

export function currencySums(totals: readonly Total[]): readonly CurrencySum[] {
  const sums = new Map<string, CurrencySum>()
  for (const total of totals) {
    const { currency, test, quota, returned_quota } = total
    const key = `${test ? 'test' : 'real'} ${currency}`
    const before = sums.get(key)
    sums.set(key, {
      ...{ currency, test },
      orders: (before?.orders ?? 0) + total.orders,
      paid: added(before?.paid, total.paid),
      refunded: added(before?.refunded, total.refunded),
      disputed: added(before?.disputed, total.disputed),
      credit: (before?.credit ?? 0n) + BigInt(quota) - BigInt(returned_quota),
    })
  }
  return [...sums.entries()].sort(([a], [b]) => a.localeCompare(b)).map(([, sum]) => sum)
}

/** Decimals of one currency have the same number of places. */
function added(one = '0', other: string): string {
  const places = /\.(\d+)$/.exec(other)?.[1]?.length ?? 0
  const units = unitsOf(one, places) + unitsOf(other, places)
  if (places === 0) return String(units)
  const digits = String(units).padStart(places + 1, '0')
  return `${digits.slice(0, -places)}.${digits.slice(-places)}`
}

function unitsOf(decimal: string, places: number): bigint {
  const [whole = '0', part = ''] = decimal.split('.')
  return BigInt(whole + part.padEnd(places, '0'))
}
