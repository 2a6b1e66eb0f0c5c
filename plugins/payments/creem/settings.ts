/** The settings as the gateway needs them. */
import { isObject, type Json } from '../../../kernel/contract/json.js'
import type { Settings } from '../../../kernel/contract/kit.js'
import type { PaymentOffer, PaymentProduct } from '../../../kernel/contract/payment.js'
import { currencyDigits, minorUnits } from '../../../kernel/toolkit/payment/index.js'

export interface Account {
  readonly key: string
  readonly webhookSecret: string
  readonly isTest: boolean
}

const productsMax = 100

/** Undefined: something is missing without which callbacks could not be verified (M22). */
export function accountOf(settings: Settings): Account | undefined {
  const key = settings.string('key').trim()
  const webhookSecret = settings.string('webhookSecret').trim()
  if (key === '' || webhookSecret === '') return undefined
  return { key, webhookSecret, isTest: settings.boolean('test') }
}

/** Without products nothing is sold, but callbacks of earlier orders are still received. */
export function offerOf(settings: Settings, { isTest }: Account): PaymentOffer {
  const products = productsOf(settings.all.products)
  const currency = products[0]?.currency ?? 'USD'
  return { currency, unitPrice: '1', amountMin: '1', products, isTest }
}

/** Entries that cannot be sold are left out, as is a second one of the same product. */
function productsOf(value: Json | undefined): readonly PaymentProduct[] {
  if (!Array.isArray(value)) return []
  const found = new Map<string, PaymentProduct>()
  for (const entry of value.slice(0, productsMax)) {
    const product = productOf(entry)
    if (product !== undefined && !found.has(product.id)) found.set(product.id, product)
  }
  return [...found.values()]
}

/** Creem states amounts in hundredths, so a currency has two digits behind the point. */
function productOf(entry: Json): PaymentProduct | undefined {
  if (!isObject(entry)) return undefined
  const { name, productId, price, quota } = entry
  const currency = String(entry.currency ?? 'USD').toUpperCase()
  if (typeof productId !== 'string' || productId === '') return undefined
  if (currencyDigits(currency) !== 2) return undefined
  const amountMinor = minorUnits(String(price ?? ''), currency)
  if (amountMinor === undefined || amountMinor === 0n) return undefined
  if (!Number.isSafeInteger(quota) || Number(quota) <= 0) return undefined
  const title = typeof name === 'string' && name !== '' ? name : productId
  return { id: productId, title, amountMinor, currency, quota: BigInt(Number(quota)) }
}
