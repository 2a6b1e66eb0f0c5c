/** Amounts of money between decimal text and minor units, exactly, by the exponents of ISO 4217 (JPY 0, USD 2, KWD 3). */
import { code } from 'currency-codes'
import { amountOf } from '../json/decimal.js'

/** Digits behind the point of a currency in any case of letters; undefined: there is no such currency, or it has no minor unit. */
export function currencyDigits(currency: string): number | undefined {
  return /^[A-Za-z]{3}$/.test(currency) ? code(currency.toUpperCase())?.digits : undefined
}

/**
 * Decimal text as minor units: `7.30` in CNY is 730. Undefined: it is no amount, the currency is unknown, or a digit would be
 * lost. For providers that write decimals; nothing is rounded (PAY-1).
 */
export function minorUnits(decimal: string, currency: string): bigint | undefined {
  const digits = currencyDigits(currency)
  const amount = amountOf(decimal)
  if (digits === undefined || amount === undefined) return undefined
  const [whole = '', fraction = ''] = amount.split('.')
  return fraction.length > digits ? undefined : BigInt(whole + fraction.padEnd(digits, '0'))
}

/** Minor units as decimal text with every digit of the currency: 730 in CNY is `7.30`. Throws where the currency is unknown. */
export function decimalAmount(minor: bigint, currency: string): string {
  const digits = currencyDigits(currency)
  if (digits === undefined) throw new Error(`"${currency}" is no currency of ISO 4217`)
  const text = String(minor < 0n ? -minor : minor).padStart(digits + 1, '0')
  const at = text.length - digits
  return `${minor < 0n ? '-' : ''}${text.slice(0, at)}${digits === 0 ? '' : `.${text.slice(at)}`}`
}
