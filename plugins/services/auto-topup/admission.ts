/**
 * Whether an automatic payment may be made, within the transaction that makes its order and has locked its payer: whatever other
 * processes do, the cap holds and one payment at a time is under way.
 */
import type { Knex } from 'knex'
import type { NewCharge, Payments } from '../payments/index.js'
import { type Due, pauseMs } from './due.js'
import { type AutoTopupRow, monthOf, rowsOf } from './rows.js'

export interface AdmissionDependencies {
  readonly payments: Pick<Payments, 'taken'>
  readonly capMax: () => number
  /** Unix milliseconds. */
  readonly now: () => number
}

export async function admitted(
  { userId, gateway, amount }: Due,
  { orderNo, mandateId }: NewCharge,
  { payments, capMax, now }: AdmissionDependencies,
  trx: Knex.Transaction,
): Promise<boolean> {
  const at = now()
  const row = await rowsOf(trx).where('user_id', userId).forUpdate().first()
  if (row === undefined || row.gateway !== gateway || row.amount !== amount) return false
  const isNewMandate = row.mandate_id !== mandateId
  if (!isReady(row, at, isNewMandate) || !(await isBelow(row, trx))) return false
  const { units, lastAt } = await payments.taken(userId, monthOf(at), trx)
  if (units + amount > Math.min(row.monthly_cap, capMax())) return false
  if (lastAt !== undefined && lastAt.getTime() > at - pauseMs) return false
  await rowsOf(trx)
    .where('user_id', userId)
    .update({
      ...{ order_no: orderNo, mandate_id: mandateId },
      ...(isNewMandate && { failures: 0, refusal: '', paused_until: null }),
    })
  return true
}

/** What was refused by an earlier mandate does not count against a new one. */
function isReady({ is_on, order_no, paused_until }: AutoTopupRow, at: number, isNew: boolean) {
  if (!is_on || order_no !== null) return false
  return isNew || paused_until === null || paused_until.getTime() <= at
}

async function isBelow({ user_id, below }: AutoTopupRow, trx: Knex.Transaction): Promise<boolean> {
  const wallet = await trx('accounts')
    .where({ kind: 'wallet', owner_id: user_id, period_key: '', active: true, blocked: false })
    .whereRaw('posted - held < ?::bigint', [String(below)])
    .first('id')
  return wallet !== undefined
}
