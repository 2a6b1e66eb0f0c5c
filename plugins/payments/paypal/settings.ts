/** The settings as the gateway needs them. */
import type { Settings } from '../../../kernel/contract/kit.js'
import type { PaymentOffer } from '../../../kernel/contract/payment.js'
import { amountOf } from '../../../kernel/toolkit/json/index.js'
import { isTaken } from './amounts.js'

export interface Account {
  readonly clientId: string
  readonly clientSecret: string
  readonly webhookId: string
  /** ISO 4217, upper case. */
  readonly currency: string
  readonly isTest: boolean
}

/** Undefined: something is missing without which callbacks could not be verified (M22). */
export function accountOf(settings: Settings): Account | undefined {
  const clientId = settings.string('clientId').trim()
  const clientSecret = settings.string('clientSecret').trim()
  const webhookId = settings.string('webhookId').trim()
  const currency = settings.string('currency').trim().toUpperCase()
  if (clientId === '' || clientSecret === '' || webhookId === '') return undefined
  if (!isTaken(currency)) return undefined
  return { clientId, clientSecret, webhookId, currency, isTest: settings.boolean('sandbox') }
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
