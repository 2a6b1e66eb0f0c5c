/** What a product at Creem is, before it is sold: it repeats or does not, as often and for as much as the order states. */
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import type { RecurringOrder } from '../../../kernel/contract/payment.js'
import { numberOf, someText } from '../../../kernel/toolkit/json/index.js'
import { centsOf } from './amounts.js'
import type { Caller } from './client.js'

type Every = RecurringOrder['every']

const periods: Readonly<Record<string, Every>> = {
  'every-day': { unit: 'day', count: 1 },
  'every-month': { unit: 'month', count: 1 },
  'every-three-months': { unit: 'month', count: 3 },
  'every-six-months': { unit: 'month', count: 6 },
  'every-year': { unit: 'year', count: 1 },
}

/** Throws where it would be collected again and again. */
export async function assertOnce(productId: string, call: Caller): Promise<void> {
  const { billing_type } = await productOf(productId, call)
  if (billing_type === 'recurring') {
    throw new Error('This product repeats at Creem, so it cannot be sold once.')
  }
}

/** Throws where the payer would be charged otherwise than they were told here. */
export async function assertRepeats(
  productId: string,
  { every, amountMinor, currency }: Pick<RecurringOrder, 'every' | 'amountMinor' | 'currency'>,
  call: Caller,
): Promise<void> {
  const product = await productOf(productId, call)
  if (product.billing_type !== 'recurring') {
    throw new Error('This product does not repeat at Creem.')
  }
  const known = everyOf(product)
  if (known === undefined || lengthOf(known) !== lengthOf(every)) {
    throw new Error('This product does not repeat at Creem as often as the plan lasts.')
  }
  if (centsOf(product.price) !== amountMinor || product.currency !== currency) {
    throw new Error('This product has another price at Creem than the plan.')
  }
  if ((numberOf(product.trial_period_days) ?? 0) > 0) {
    throw new Error('This product has a trial at Creem, so its first payment would be another.')
  }
}

function productOf(productId: string, call: Caller): Promise<JsonObject> {
  return call({ path: 'products', query: { product_id: productId } })
}

/** The interval counts where Creem states one: a period may be `custom`. */
function everyOf(product: JsonObject): Every | undefined {
  const { recurring_interval, recurring_interval_count: count } = product
  const unit = unitOf(recurring_interval)
  if (unit !== undefined && Number.isSafeInteger(count)) return { unit, count: Number(count) }
  const period = someText(product.billing_period) ?? ''
  return Object.hasOwn(periods, period) ? periods[period] : undefined
}

function unitOf(value: Json | undefined): Every['unit'] | undefined {
  return value === 'day' || value === 'week' || value === 'month' || value === 'year'
    ? value
    : undefined
}

/** Twelve months are a year, and seven days a week. */
function lengthOf({ unit, count }: Every): string {
  if (unit === 'year' || unit === 'month') return `${unit === 'year' ? count * 12 : count} months`
  return `${unit === 'week' ? count * 7 : count} days`
}
