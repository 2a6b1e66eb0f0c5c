/** Rows of `payment_receipts`. */
import type { Knex } from 'knex'
import type {
  Buyer,
  Receipt,
  ReceiptLine,
  ReceiptPage,
  ReceiptQuery,
  ReceiptSeries,
  Seller,
} from './receipts.js'

type Whole = bigint | number | string

interface ReceiptRow {
  readonly series: ReceiptSeries
  readonly number: Whole
  readonly label: string
  readonly order_no: string
  readonly user_id: number
  readonly issued_at: Date
  readonly paid_at: Date
  readonly paid_by: string
  readonly amount_minor: Whole
  readonly currency: string
  readonly tax_note: string
  readonly lines: readonly {
    readonly title: string
    readonly detail: string
    readonly amount_minor: string
  }[]
  readonly seller: Seller
  readonly buyer: Buyer
}

/** Undefined: none was issued. */
export async function receiptOf(knex: Knex, orderNo: string): Promise<Receipt | undefined> {
  const row = await knex<ReceiptRow>('payment_receipts').where('order_no', orderNo).first()
  return row && receipt(row as ReceiptRow)
}

export async function insertReceipt(trx: Knex.Transaction, made: Receipt): Promise<void> {
  await trx('payment_receipts').insert({
    ...{ series: made.series, number: made.number, label: made.label },
    ...{ order_no: made.orderNo, user_id: made.userId },
    ...{ issued_at: made.issuedAt, paid_at: made.paidAt, paid_by: made.paidBy },
    ...{ amount_minor: made.amountMinor, currency: made.currency, tax_note: made.taxNote },
    lines: JSON.stringify(made.lines.map(storedLine)),
    seller: JSON.stringify(made.seller),
    buyer: JSON.stringify(made.buyer),
  })
}

/** Newest first. */
export async function receiptPage(knex: Knex, query: ReceiptQuery): Promise<ReceiptPage> {
  const { userId, search, offset, limit } = query
  const found = knex<ReceiptRow>('payment_receipts').modify((builder) => {
    if (userId !== undefined) builder.where('user_id', userId)
    if (search !== undefined) {
      builder.where((either) => either.where('label', search).orWhere('order_no', search))
    }
  })
  const newest = found.clone().orderBy([
    { column: 'issued_at', order: 'desc' },
    { column: 'number', order: 'desc' },
  ])
  const [rows, [counted]] = await Promise.all([
    newest.offset(offset).limit(limit),
    found.clone().count<{ count: bigint | number }[]>('* as count'),
  ])
  return { items: (rows as ReceiptRow[]).map(receipt), total: Number(counted?.count ?? 0) }
}

function storedLine({ title, detail, amountMinor }: ReceiptLine) {
  return { title, detail, amount_minor: String(amountMinor) }
}

function receipt(row: ReceiptRow): Receipt {
  return {
    series: row.series,
    number: BigInt(row.number),
    label: row.label,
    orderNo: row.order_no,
    userId: row.user_id,
    issuedAt: row.issued_at,
    paidAt: row.paid_at,
    paidBy: row.paid_by,
    amountMinor: BigInt(row.amount_minor),
    currency: row.currency,
    taxNote: row.tax_note,
    lines: row.lines.map(({ title, detail, amount_minor }) => {
      return { title, detail, amountMinor: BigInt(amount_minor) }
    }),
    seller: row.seller,
    buyer: row.buyer,
  }
}
