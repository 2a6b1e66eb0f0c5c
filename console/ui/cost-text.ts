/** Billionths of a US dollar for people: exact, with as many places as there are, and at least two. */
import { groupedText, wholeNumber } from './decimal.js'

export function costText(billionths: number | string | bigint, places = 2): string {
  const amount = BigInt(billionths)
  const size = amount < 0n ? -amount : amount
  const { units } = wholeNumber(size)
  const digits = String(units).padStart(10, '0')
  const fraction = digits.slice(-9).replace(/0+$/, '').padEnd(places, '0')
  return `${amount < 0n ? '-' : ''}$${groupedText(wholeNumber(BigInt(digits.slice(0, -9))))}.${fraction}`
}

/** So many places that all of them have the same number of them. */
export function costPlaces(amounts: readonly bigint[]): number {
  return amounts.reduce((most, amount) => {
    const fraction = costText(amount).split('.')[1] ?? ''
    return Math.max(most, fraction.length)
  }, 2)
}
