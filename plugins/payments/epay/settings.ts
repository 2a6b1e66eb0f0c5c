/** The settings as the gateway needs them. */
import { isObject, type Json } from '../../../kernel/contract/json.js'
import type { Settings } from '../../../kernel/contract/kit.js'
import type { PaymentMethod, PaymentOffer } from '../../../kernel/contract/payment.js'
import { amountOf } from '../../../kernel/toolkit/json/index.js'
import { currencyDigits } from '../../../kernel/toolkit/payment/index.js'
import type { Keys } from './sign.js'

export interface Merchant {
  readonly id: string
  /** Of the service, without a slash at its end. */
  readonly address: string
  readonly currency: string
  readonly keys: Keys
}

/** Undefined: something is missing without which callbacks could not be verified (M22). */
export function merchantOf(settings: Settings): Merchant | undefined {
  const id = settings.string('merchant').trim()
  const address = settings
    .string('address')
    .trim()
    .replace(/\/(submit\.php)?$/, '')
  const currency = settings.string('currency').trim().toUpperCase()
  const keys = keysOf(settings)
  const isComplete = id !== '' && URL.canParse(address) && /^https?:/i.test(address)
  if (!isComplete || keys === undefined || currencyDigits(currency) === undefined) return undefined
  return { id, address, currency, keys }
}

function keysOf(settings: Settings): Keys | undefined {
  if (settings.string('signing') !== 'RSA') {
    const key = settings.string('key').trim()
    return key === '' ? undefined : { kind: 'MD5', key }
  }
  const merchantKey = settings.string('merchantKey')
  const platformKey = settings.string('platformKey')
  if (merchantKey.trim() === '' || platformKey.trim() === '') return undefined
  return { kind: 'RSA', merchantKey, platformKey }
}

export function offerOf(settings: Settings, { currency }: Merchant): PaymentOffer | undefined {
  const unitPrice = amountOf(String(settings.number('unitPrice')))
  const amountMin = amountOf(String(settings.number('amountMin')))
  if (unitPrice === undefined || amountMin === undefined) return undefined
  const methods = methodsOf(settings.all.methods)
  return { currency, unitPrice, amountMin, methods, isTest: false }
}

/** Entries without a name or a type are left out. */
function methodsOf(value: Json | undefined): readonly PaymentMethod[] {
  if (!Array.isArray(value)) return []
  return value.filter(isObject).flatMap(({ name, type, min_topup }) => {
    if (typeof name !== 'string' || typeof type !== 'string' || type === '') return []
    const amountMin = amountOf(String(min_topup ?? ''))
    return [{ id: type, title: name, ...(amountMin !== undefined && { amountMin }) }]
  })
}
