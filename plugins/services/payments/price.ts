/** What an order costs, exactly: every factor is a decimal, the product is rounded once, half up, to minor units. */
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import type { PaymentMethod, PaymentOffer } from '../../../kernel/contract/payment.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { amountOf } from '../../../kernel/toolkit/json/index.js'
import { currencyDigits } from '../../../kernel/toolkit/payment/index.js'
import type { OrderPrice, PriceRequest } from './payments.js'

/** Quota of one unit of account (ledger/README.md section 1). */
const quotaPerUnit = 500_000n

export interface PriceRules {
  /** Factors by group. */
  readonly groupRatios: JsonObject
  /** Factors, and units besides, by the least amount that gets them. */
  readonly discounts: JsonObject
  readonly bonuses: JsonObject
  readonly amountMax: number
}

/** Throws a `Refusal` that names the field. */
export function priceOf(
  request: PriceRequest,
  { title, offer }: { readonly title: string; readonly offer: PaymentOffer },
  rules: PriceRules,
): OrderPrice {
  const method = chosenMethod(request.method, offer)
  if (offer.products !== undefined) return priceOfProduct(request, offer)
  const amount = checkedAmount(request, { offer, method, amountMax: rules.amountMax })
  const factors = {
    amount: String(amount),
    unit_price: offer.unitPrice,
    group_ratio: decimalOr(ownOf(rules.groupRatios, request.group), '1'),
    discount: decimalOr(reached(rules.discounts, amount), '1'),
  }
  const bonus = decimalOr(reached(rules.bonuses, amount), '0')
  const digits = currencyDigits(offer.currency)!
  const minor = rounded(Object.values(factors), digits)
  if (minor === 0n) throw invalid('gateway', `${title} has no price: its unit price is 0.`)
  return {
    amountMinor: minor,
    currency: offer.currency,
    quota: BigInt(amount) * quotaPerUnit + rounded([bonus, String(quotaPerUnit)], 0),
    title: titleOf(amount),
    basis: { ...factors, bonus, currency: offer.currency },
  }
}

/** What is bought, for the page of a provider. */
export function titleOf(amount: number): string {
  return `${amount} units of credit`
}

function priceOfProduct({ product: id }: PriceRequest, { products = [] }: PaymentOffer) {
  const product = products.find((one) => one.id === id)
  if (product === undefined) throw invalid('product', 'There is no product of this name.')
  const { amountMinor, currency, quota, title } = product
  return { amountMinor, currency, quota, title, basis: { product: product.id } }
}

/** Undefined: none was named. Throws a `Refusal` where the gateway does not offer it. */
export function chosenMethod(
  id: string | undefined,
  { methods }: PaymentOffer,
): PaymentMethod | undefined {
  if (id === undefined) return undefined
  const method = methods?.find((one) => one.id === id)
  if (method === undefined) throw invalid('payment_method', 'There is no way to pay of this name.')
  return method
}

interface AmountRules {
  readonly offer: PaymentOffer
  readonly method: PaymentMethod | undefined
  readonly amountMax: number
}

function checkedAmount({ amount }: PriceRequest, { offer, method, amountMax }: AmountRules) {
  if (amount === undefined) throw invalid('amount', 'The amount to buy is missing.')
  const least = Math.max(Number(offer.amountMin), Number(method?.amountMin ?? 0), 1)
  if (amount < least) throw invalid('amount', `The least amount is ${Math.ceil(least)}.`)
  if (amount > amountMax) throw invalid('amount', `The greatest amount is ${amountMax}.`)
  return amount
}

/** Of the highest amount that is reached. */
function reached(byAmount: JsonObject, amount: number): Json | undefined {
  const least = Object.keys(byAmount)
    .filter((key) => Number(key) <= amount)
    .sort((one, other) => Number(other) - Number(one))[0]
  return least === undefined ? undefined : byAmount[least]
}

function ownOf(values: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined
}

/** A number of JSON as it is written shortest, which is how the admin wrote it. */
function decimalOr(value: Json | undefined, otherwise: string): string {
  return amountOf(typeof value === 'number' ? String(value) : value) ?? otherwise
}

/** The product of decimals with so many digits behind the point, half up, as a whole number. */
function rounded(decimals: readonly string[], digits: number): bigint {
  let units = 1n
  let scale = 0
  for (const decimal of decimals) {
    const [whole = '', fraction = ''] = decimal.split('.')
    units *= BigInt(whole + fraction)
    scale += fraction.length
  }
  const numerator = units * 10n ** BigInt(digits) * 2n
  const denominator = 10n ** BigInt(scale)
  return (numerator + denominator) / (denominator * 2n)
}

function invalid(param: string, reason: string): Refusal {
  return new Refusal('invalid_field', { reason, param })
}
