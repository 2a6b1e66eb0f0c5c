/** What came in, by day, gateway and currency: sums of the orders, which the ledger's invariant I8 holds to its transfers. */
import type { Database } from '../../../kernel/contract/services/database.js'
import type { PaymentTotal, TotalsQuery } from './payments.js'

interface Row {
  readonly day: string
  readonly gateway: string
  readonly currency: string
  readonly is_test: boolean
  readonly orders: bigint | number
  readonly paid_minor: bigint | string
  readonly refunded_minor: bigint | string
  readonly disputed_minor: bigint | string
  readonly quota: bigint | string
  readonly returned: bigint | string
}

/** Newest day first. */
export async function readTotals(
  database: Pick<Database, 'query'>,
  { from, to }: TotalsQuery,
): Promise<readonly PaymentTotal[]> {
  const { rows } = await database.query({
    name: 'payment-totals',
    text: `
      SELECT to_char(day, 'YYYY-MM-DD') AS day, gateway, currency, is_test, orders, paid_minor,
        refunded_minor, disputed_minor, quota, returned
      FROM (
        SELECT date_trunc('day', completed_at) AS day, gateway, currency, is_test,
          count(*) AS orders, sum(paid_minor)::bigint AS paid_minor,
          sum(refunded_minor)::bigint AS refunded_minor,
          sum(disputed_minor)::bigint AS disputed_minor,
          sum(quota)::bigint AS quota, sum(returned)::bigint AS returned
        FROM payment_orders
        WHERE completed_at >= $1 AND completed_at < $2
        GROUP BY 1, 2, 3, 4
      ) sums ORDER BY 1 DESC, 2, 3, 4`,
    values: [from, to],
  })
  return (rows as Row[]).map((row) => ({
    day: row.day,
    gateway: row.gateway,
    currency: row.currency,
    isTest: row.is_test,
    orders: Number(row.orders),
    paidMinor: BigInt(row.paid_minor),
    refundedMinor: BigInt(row.refunded_minor),
    disputedMinor: BigInt(row.disputed_minor),
    quota: BigInt(row.quota),
    returned: BigInt(row.returned),
  }))
}
