/**
 * What came of the order that was under way, taken into account once: after a payment it goes on, after a refusal it waits longer
 * each time, and after the third it is switched off.
 */
import type { Knex } from 'knex'
import type { Database } from '../../../kernel/contract/services/database.js'
import type { Notifications } from '../notifications/index.js'
import { type AutoTopupRow, rowsOf } from './rows.js'

export interface OutcomeDependencies {
  readonly database: Pick<Database, 'knex'>
  readonly notifications: Pick<Notifications, 'notify'>
  /** Unix milliseconds. */
  readonly now: () => number
}

const hourMs = 3_600_000
/** After the first refusal in a row, and after the second. */
const waitsMs = [hourMs, 24 * hourMs]
/** In a row: then it is switched off. */
export const refusalsMax = waitsMs.length + 1
const batch = 500

/** Of every order that was decided since. */
export async function takeOutcomes(dependencies: OutcomeDependencies): Promise<void> {
  const { knex } = dependencies.database
  const decided: { user_id: number; order_no: string }[] = await knex('auto_topups as t')
    .join('payment_orders as o', 'o.order_no', 't.order_no')
    .whereNot('o.state', 'pending')
    .orderBy('t.user_id')
    .limit(batch)
    .select('t.user_id', 't.order_no')
  for (const { user_id, order_no } of decided) {
    await knex.transaction((trx) => taken({ user_id, order_no }, dependencies, trx))
  }
}

async function taken(
  key: { readonly user_id: number; readonly order_no: string },
  { notifications, now }: OutcomeDependencies,
  trx: Knex.Transaction,
): Promise<void> {
  const row = await rowsOf(trx).where(key).forUpdate().first()
  if (row === undefined) return
  const order = await trx('payment_orders')
    .where('order_no', key.order_no)
    .first('state', 'reason', 'mandate_id')
  const outcome =
    order.state !== 'failed'
      ? paid(order.state)
      : row.is_on && order.mandate_id === row.mandate_id
        ? refused(row, order.reason, now())
        : {}
  await rowsOf(trx)
    .where('user_id', row.user_id)
    .update({ ...outcome, order_no: null })
  if (outcome.is_on === false) await notifyOff(key, order.reason, notifications, trx)
}

type Outcome = Partial<Pick<AutoTopupRow, 'is_on' | 'failures' | 'refusal' | 'paused_until'>>

/** One that expired was neither paid nor refused. */
function paid(state: string): Outcome {
  return state === 'expired' ? {} : { failures: 0, refusal: '', paused_until: null }
}

function refused(row: AutoTopupRow, refusal: string, now: number): Outcome {
  const failures = row.failures + 1
  const waitMs = waitsMs[row.failures]
  if (waitMs === undefined) return { is_on: false, failures, refusal, paused_until: null }
  return { failures, refusal, paused_until: new Date(now + waitMs) }
}

function notifyOff(
  { user_id, order_no }: { readonly user_id: number; readonly order_no: string },
  refusal: string,
  notifications: Pick<Notifications, 'notify'>,
  trx: Knex.Transaction,
): Promise<void> {
  const notice = {
    type: 'auto_topup_off',
    title: 'Automatic top-up was switched off',
    content:
      'Three payments in a row were refused, so your balance is not topped up any more. The last reason was: {{value}} Change how you pay, then switch it on again.',
    values: [refusal],
  }
  return notifications.notify(user_id, notice, `auto topup off:${order_no}`, trx)
}
