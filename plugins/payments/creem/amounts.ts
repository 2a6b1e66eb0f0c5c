/**
 * Amounts of Creem, in hundredths. An order's price is without the tax where Creem adds it on top (`tax_mode` `exclusive`), and
 * with it where the price includes it.
 */
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import type { PaymentNotice } from '../../../kernel/contract/payment.js'
import { someText } from '../../../kernel/toolkit/json/index.js'

export function centsOf(value: Json | undefined): bigint | undefined {
  return Number.isSafeInteger(value) && Number(value) >= 0 ? BigInt(Number(value)) : undefined
}

/** What was paid of the price. */
function pricePaid(record: JsonObject, taxMode?: Json): bigint | undefined {
  const amount = centsOf(record.amount)
  const paid = centsOf(record.amount_paid)
  if (amount === undefined || paid === undefined) return amount
  const tax = centsOf(record.tax_amount) ?? 0n
  const discount = centsOf(record.discount_amount) ?? 0n
  const isOnTop =
    typeof taxMode === 'string'
      ? taxMode === 'exclusive'
      : paid === amount + tax || paid === amount - discount + tax
  return isOnTop && paid >= tax ? paid - tax : paid
}

type Amounts = Pick<PaymentNotice, 'currency' | 'discountMinor'> & { readonly amountMinor: bigint }

/** `record`: an order or a transaction. Undefined: it states no amount. */
export function amountsPaid(record: JsonObject, taxMode?: Json): Amounts | undefined {
  const amountMinor = pricePaid(record, taxMode)
  const discountMinor = centsOf(record.discount_amount) ?? 0n
  const currency = someText(record.currency)
  return amountMinor === undefined
    ? undefined
    : {
        amountMinor,
        ...(currency !== undefined && { currency }),
        ...(discountMinor > 0n && { discountMinor }),
      }
}

/** The part of the price in what was paid back, which includes the tax. Half up. */
export function priceBack(back: bigint, transaction: JsonObject): bigint | undefined {
  const price = pricePaid(transaction)
  const paid = centsOf(transaction.amount_paid) ?? price
  if (price === undefined || paid === undefined || paid === 0n) return undefined
  if (back >= paid) return price
  return (price * back * 2n + paid) / (paid * 2n)
}
