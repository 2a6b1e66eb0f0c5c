/**
 * Amounts of Stripe, in minor units. The price is what was ordered: a tax that comes on top of it is Stripe's affair, one
 * that it includes is a part of it.
 */
import type Stripe from 'stripe'
import type { CheckoutOrder } from '../../../kernel/contract/payment.js'
import { currencyDigits } from '../../../kernel/toolkit/payment/index.js'

/** Throws where Stripe cannot take the amount. */
export function amountIn({
  amountMinor,
  currency,
}: Pick<CheckoutOrder, 'amountMinor' | 'currency'>): number {
  if (currencyDigits(currency) === 3 && amountMinor % 10n !== 0n) {
    throw new Error(`Stripe takes amounts in ${currency} whose last digit is 0.`)
  }
  return Number(amountMinor)
}

/** Events of endpoints made before the API version 2025-03-31 state taxes so. */
interface EarlierTaxes {
  readonly total_tax_amounts?: readonly { readonly amount: number; readonly inclusive: boolean }[]
}

export interface InvoiceAmounts {
  /** What was paid of the price. */
  readonly priceMinor: bigint
  /** Of coupons, and of credit the customer had at Stripe. */
  readonly discountMinor: bigint
  /** With the tax on top. */
  readonly paidMinor: bigint
}

/** Debts of the customer that were collected with the invoice are no part of its price. */
export function invoiceAmounts(invoice: Stripe.Invoice): InvoiceAmounts {
  const total = BigInt(invoice.total)
  const paid = BigInt(invoice.amount_paid)
  const tax = taxOnTop(invoice)
  const ofThis = (paid < total ? paid : total) - tax
  const priceMinor = ofThis > 0n ? ofThis : 0n
  const coupons = sum(invoice.total_discount_amounts ?? [])
  return { priceMinor, discountMinor: coupons + total - tax - priceMinor, paidMinor: paid }
}

function taxOnTop(invoice: Stripe.Invoice & EarlierTaxes): bigint {
  const taxes = (invoice.total_taxes ?? []).filter((tax) => tax.tax_behavior === 'exclusive')
  const earlier = (invoice.total_tax_amounts ?? []).filter((tax) => !tax.inclusive)
  return sum(invoice.total_taxes == null ? earlier : taxes)
}

function sum(parts: readonly { readonly amount: number }[]): bigint {
  return parts.reduce((all, { amount }) => all + BigInt(amount), 0n)
}

/** The part of the price in what was paid back, which includes the tax. */
export function priceBack(back: bigint, { priceMinor, paidMinor }: InvoiceAmounts): bigint {
  return back >= paidMinor ? priceMinor : halfUp(priceMinor * back, paidMinor)
}

/** What has to be paid back for a part of the price. */
export function backWithTax(minor: bigint, { priceMinor, paidMinor }: InvoiceAmounts): bigint {
  return minor >= priceMinor ? paidMinor : halfUp(paidMinor * minor, priceMinor)
}

function halfUp(numerator: bigint, denominator: bigint): bigint {
  return (numerator * 2n + denominator) / (denominator * 2n)
}
