/** The inbox of reports: each kept with what came of it, in the transaction that deals with it. */
import { hash } from 'node:crypto'
import type { Knex } from 'knex'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { PaymentNotice, RenewalNotice } from '../../../kernel/contract/payment.js'
import { persistentText } from '../../../kernel/toolkit/service/index.js'
import type { EventVerdict } from './payments.js'

export interface Report {
  readonly gateway: string
  readonly event: string
  readonly orderNo?: string
  readonly verdict: EventVerdict
  readonly detail: JsonObject
  /** Absent: it came by no callback. */
  readonly body?: Buffer
  readonly address: string
  /** How often it came since it was written last; absent: once. */
  readonly times?: number
}

/** Returns when it came first. */
export async function keep(knex: Knex, report: Report, now: Date): Promise<Date> {
  const { gateway, event, orderNo, verdict, detail, body, address, times = 1 } = report
  const { rows } = await knex.raw(
    `INSERT INTO payment_events AS known
       (gateway, event, order_no, verdict, detail, body, address, times, first_at, last_at)
     VALUES (?, ?, ?, ?, ?::jsonb, ?, ?, ?, ?, ?)
     ON CONFLICT (gateway, event) DO UPDATE SET
       order_no = excluded.order_no,
       -- What was done once stays what it was; a repetition changes nothing.
       verdict = CASE WHEN known.verdict IN ('credited', 'returned')
         OR known.verdict = 'unclaimed' AND excluded.verdict = 'unknown_order'
         THEN known.verdict ELSE excluded.verdict END,
       detail = excluded.detail, body = excluded.body, address = excluded.address,
       times = known.times + excluded.times, last_at = excluded.last_at
     RETURNING first_at`,
    [
      gateway,
      persistentText(event),
      orderNo ?? null,
      verdict,
      JSON.stringify(detail),
      body === undefined ? null : hash('sha256', body, 'buffer'),
      address,
      times,
      now,
      now,
    ],
  )
  return rows[0].first_at
}

/** Whether credit was taken back or given again by this very event: a dispute may have been decided since, so it counts once. */
export async function hasReturned(knex: Knex, gateway: string, event: string): Promise<boolean> {
  const known = { gateway, event: persistentText(event), verdict: 'returned' }
  return (await knex('payment_events').where(known).first('id')) !== undefined
}

/** Whether a dispute that is reported late was decided by then: what gave the credit again came first, and had nothing to give. */
export async function wasDecided(
  knex: Knex,
  gateway: string,
  { at, reference }: PaymentNotice,
  orderNo: string,
): Promise<boolean> {
  if (at === undefined) return false
  const decided = knex('payment_events')
    .where({ gateway, order_no: orderNo, verdict: 'without_effect' })
    .whereRaw(`detail ->> 'state' = 'reinstated' AND (detail ->> 'at')::numeric >= ?`, [at])
  if (reference !== undefined) {
    decided.whereRaw(`detail ->> 'reference' = ?`, [persistentText(reference)])
  }
  return (await decided.first('id')) !== undefined
}

/** What of a notice is kept: nothing of who paid. */
export function detailOf(notice: PaymentNotice | RenewalNotice): JsonObject {
  const { state, reference, amountMinor, discountMinor, currency, at, isTest, agreement } = notice
  const fields = {
    state,
    reference: reference && persistentText(reference),
    agreement: agreement && persistentText(agreement),
    amount_minor: amountMinor?.toString(),
    discount_minor: discountMinor?.toString(),
    currency: currency && persistentText(currency).slice(0, 16),
    at,
    is_test: isTest,
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
