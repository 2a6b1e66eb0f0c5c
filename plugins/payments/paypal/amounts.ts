/** Amounts of PayPal: decimal text in the currencies it takes, three of them without decimals. */
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import type { PaymentNotice } from '../../../kernel/contract/payment.js'
import { objectOf, someText } from '../../../kernel/toolkit/json/index.js'
import { decimalAmount, minorUnits } from '../../../kernel/toolkit/payment/index.js'

const taken: ReadonlySet<string> = new Set(
  (
    'AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF ILS JPY MXN ' +
    'MYR NOK NZD PHP PLN SEK SGD THB TWD USD'
  ).split(' '),
)
const whole: ReadonlySet<string> = new Set(['HUF', 'JPY', 'TWD'])

export function isTaken(currency: string): boolean {
  return taken.has(currency)
}

/** Throws where PayPal cannot take the amount. */
export function amountObject(minor: bigint, currency: string): JsonObject {
  const value = decimalAmount(minor, currency)
  if (!whole.has(currency)) return { currency_code: currency, value }
  const [integer = '', fraction = ''] = value.split('.')
  if (/[1-9]/.test(fraction)) throw new Error(`PayPal takes no decimals in ${currency}.`)
  return { currency_code: currency, value: integer }
}

export type Amount = Required<Pick<PaymentNotice, 'amountMinor' | 'currency'>>

/** Undefined: it is no amount, or has more digits than its currency. */
export function amountIn(value: Json | undefined): Amount | undefined {
  const found = objectOf(value)
  const currency = someText(found?.currency_code)
  const decimal = someText(found?.value)
  if (currency === undefined || decimal === undefined) return undefined
  const amountMinor = minorUnits(decimal, currency)
  return amountMinor === undefined ? undefined : { amountMinor, currency }
}
