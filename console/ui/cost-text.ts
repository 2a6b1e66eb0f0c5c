/** Billionths of a US dollar for people: exact, with as many places as there are, and at least two. */
import { groupedText, wholeNumber } from './decimal.js'

export function costText(billionths: number | string | bigint): string {
  const amount = BigInt(billionths)
  const size = amount < 0n ? -amount : amount
  const { units } = wholeNumber(size)
  const digits = String(units).padStart(10, '0')
  const fraction = digits.slice(-9).replace(/0+$/, '').padEnd(2, '0')
  return `${amount < 0n ? '-' : ''}$${groupedText(wholeNumber(BigInt(digits.slice(0, -9))))}.${fraction}`
}
