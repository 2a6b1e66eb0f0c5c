/** The settings as the gateway needs them. */
import type { Settings } from '../../../kernel/contract/kit.js'
import type { PaymentOffer } from '../../../kernel/contract/payment.js'
import { amountOf } from '../../../kernel/toolkit/json/index.js'
import { currencyDigits } from '../../../kernel/toolkit/payment/index.js'

export interface Account {
  readonly key: string
  readonly webhookSecret: string
  /** ISO 4217, upper case. */
  readonly currency: string
  readonly isTest: boolean
}

/** Their minor units at Stripe are not those of ISO 4217 (docs.stripe.com/currencies), so nothing is sold in them. */
const unlike: ReadonlySet<string> = new Set(['ISK', 'MGA', 'UGX'])

/** Undefined: something is missing without which callbacks could not be verified (M22). */
export function accountOf(settings: Settings): Account | undefined {
  const key = settings.string('key').trim()
  const webhookSecret = settings.string('webhookSecret').trim()
  const currency = settings.string('currency').trim().toUpperCase()
  const mode = /^(?:sk|rk)_(test|live)_/.exec(key)?.[1]
  if (mode === undefined || webhookSecret === '') return undefined
  if (currencyDigits(currency) === undefined || unlike.has(currency)) return undefined
  return { key, webhookSecret, currency, isTest: mode === 'test' }
}

export function offerOf(
  settings: Settings,
  { currency, isTest }: Account,
): PaymentOffer | undefined {
  const unitPrice = amountOf(String(settings.number('unitPrice')))
  const amountMin = amountOf(String(settings.number('amountMin')))
  if (unitPrice === undefined || amountMin === undefined) return undefined
  return { currency, unitPrice, amountMin, isTest }
}
