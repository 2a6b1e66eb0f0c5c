/** Whose wallet is below its bound, and may be topped up now, by one query. */
import type { Database } from '../../../kernel/contract/services/database.js'
import { monthOf } from './rows.js'

export interface Due {
  readonly userId: number
  readonly group: string
  readonly gateway: string
  readonly amount: number
}

export interface DueBounds {
  /** Unix milliseconds. */
  readonly now: number
  readonly capMax: number
  /** Gateways that can charge now: for real, and in test mode. */
  readonly live: readonly string[]
  readonly test: readonly string[]
}

/** Between two automatic payments of one user. */
export const pauseMs = 60_000
const batch = 200

/** In the order of their ids. What is decided here is only a first look: the transaction that makes an order looks again. */
export async function* due(
  database: Pick<Database, 'query'>,
  bounds: DueBounds,
): AsyncGenerator<readonly Due[]> {
  const { now, capMax, live, test } = bounds
  const values = [new Date(now), monthOf(now), capMax, live, test, new Date(now - pauseMs)]
  for (let after = 0; ; ) {
    const { rows } = await database.query({
      ...{ name: 'auto-topup-due', text: dueText, values: [...values, after, batch] },
    })
    if (rows.length > 0) yield rows as Due[]
    if (rows.length < batch) return
    after = (rows.at(-1) as Due).userId
  }
}

/** The few whose balance is low come first: what is looked up of them costs more. */
const dueText = `
  WITH low AS MATERIALIZED (
    SELECT t.* FROM auto_topups t
    JOIN accounts a ON a.kind = 'wallet' AND a.owner_id = t.user_id AND a.period_key = ''
    WHERE t.is_on AND t.order_no IS NULL AND t.user_id > $7::integer
      AND a.posted - a.held < t.below AND a.active AND NOT a.blocked)
  SELECT t.user_id AS "userId", u."group", t.gateway, t.amount
  FROM low t
  JOIN users u ON u.id = t.user_id AND u.status = 1 AND u.deleted_at IS NULL
  JOIN payment_mandates m ON m.user_id = t.user_id AND m.gateway = t.gateway
    AND m.replaced_at IS NULL AND m.ended_at IS NULL
  WHERE (t.paused_until IS NULL OR t.paused_until <= $1::timestamptz OR m.id <> t.mandate_id)
    AND t.gateway = ANY (CASE WHEN m.is_test THEN $5::text[] ELSE $4::text[] END)
    AND automatic_units(t.user_id, $2::timestamptz) + t.amount
      <= least(t.monthly_cap, $3::integer)
    AND NOT EXISTS (SELECT FROM payment_orders o
      WHERE o.user_id = t.user_id AND o.automatic AND o.created_at > $6::timestamptz)
  ORDER BY t.user_id LIMIT $8::integer`
