/** A receipt as the texts of its page, in the order they are read. */
import { decimalAmount } from '../../../kernel/toolkit/payment/index.js'
import type { PaidBack } from './paid-back.js'
import type { BillingDetails, Receipt } from './receipts.js'

/** Plain data: it goes to another thread. */
export interface ReceiptDocument {
  readonly title: string
  readonly author: string
  readonly subject: string
  /** Unix milliseconds. */
  readonly issuedAt: number
  readonly seller: PartyText
  readonly buyer: PartyText
  readonly facts: readonly FactText[]
  readonly currency: string
  readonly lines: readonly LineText[]
  readonly total: FactText
  /** What was paid back since. */
  readonly paidBack: readonly string[]
  /** Absent: nothing was paid back. */
  readonly left?: FactText
  readonly taxNote: string
  readonly note: readonly string[]
  /** Across every page, and in a sentence. Absent: it is no test. */
  readonly stamp?: { readonly word: string; readonly sentence: string }
}

export interface PartyText {
  readonly name: string
  readonly lines: readonly string[]
}

export interface FactText {
  readonly label: string
  readonly value: string
}

export interface LineText {
  readonly title: string
  readonly detail: string
  readonly amount: string
}

export function documentOf(receipt: Receipt, paidBack: readonly PaidBack[]): ReceiptDocument {
  const { label, seller, buyer, currency, amountMinor } = receipt
  const money = (minor: bigint) => `${decimalAmount(minor, currency)} ${currency}`
  return {
    title: `Receipt ${label}`,
    author: seller.name,
    subject: `Order ${receipt.orderNo}`,
    issuedAt: receipt.issuedAt.getTime(),
    seller: { name: seller.name, lines: [...partyLines(seller), ...nonEmpty(seller.contact)] },
    buyer: {
      name: buyer.name || buyer.account,
      lines: [...partyLines(buyer), `Account: ${buyer.account}`],
    },
    facts: factsOf(receipt),
    currency,
    lines: receipt.lines.map(({ title, detail, amountMinor: minor }) => {
      return { title, detail, amount: decimalAmount(minor, currency) }
    }),
    total: { label: 'Total paid', value: money(amountMinor) },
    paidBack: paidBack.map(({ kind, minor, at }) => {
      return `${backWords[kind]}: ${money(minor)}${at === undefined ? '' : ` on ${moment(at)}`}`
    }),
    ...(paidBack.length > 0 && {
      left: { label: 'Left of the payment', value: money(leftOf(amountMinor, paidBack)) },
    }),
    taxNote: receipt.taxNote,
    note: linesIn(seller.note),
    ...(receipt.series === 'test' && { stamp }),
  }
}

const stamp = {
  word: 'TEST',
  sentence: 'This is a receipt of a test. No money was paid.',
}

const backWords: Readonly<Record<PaidBack['kind'], string>> = {
  refunded: 'Paid back',
  disputed: 'Taken back by the bank of the payer',
}

function factsOf({ label, issuedAt, paidAt, paidBy, orderNo }: Receipt): readonly FactText[] {
  return [
    { label: 'Number', value: label },
    { label: 'Issued', value: moment(issuedAt) },
    { label: 'Paid', value: moment(paidAt) },
    { label: 'Paid by', value: paidBy },
    { label: 'Order', value: orderNo },
  ]
}

function partyLines({ address, taxId }: BillingDetails): readonly string[] {
  return [...linesIn(address), ...nonEmpty(taxId && `Tax number: ${taxId}`)]
}

function linesIn(text: string): readonly string[] {
  return nonEmpty(text).flatMap((one) => one.split(/\r\n|\r|\n/))
}

function nonEmpty(text: string): readonly string[] {
  return text === '' ? [] : [text]
}

function leftOf(paid: bigint, paidBack: readonly PaidBack[]): bigint {
  return paidBack.reduce((left, { minor }) => left - minor, paid)
}

/** As `2026-01-31 14:05 UTC`. */
function moment(at: Date): string {
  const iso = at.toISOString()
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`
}
