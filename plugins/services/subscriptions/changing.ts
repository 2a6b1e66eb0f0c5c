/** What becomes of subscriptions that exist: an end, a renewal switched on or off, quota granted anew. */

import type { Knex } from 'knex'
import { ended } from './ending.js'
import { restart } from './periods.js'
import { renewByPayment } from './renewing.js'
import { rolledOn } from './rolling.js'
import { type SubscriptionRow, subscriptionOf } from './rows.js'
import type {
  PaidRenewal,
  RenewalChange,
  ResetRequest,
  ResetResult,
  Subscription,
} from './subscriptions.js'
import { conflicting, foundRow, invalid, lockedSubscription, type Tools } from './tools.js'

export async function cancelled(
  id: number,
  reason: string,
  tools: Tools,
  trx: Knex.Transaction,
): Promise<Subscription | undefined> {
  const row = await lockedSubscription(id, trx)
  if (row?.state !== 'active') return undefined
  return ended(row, { state: 'cancelled', reason }, tools, trx)
}

export async function byAgreement(
  gateway: string,
  agreement: string,
  trx: Knex.Transaction,
): Promise<SubscriptionRow | undefined> {
  const found = await trx('subscriptions').where({ gateway, agreement }).first('id')
  return found && lockedSubscription(found.id, trx)
}

export async function renewedByPayment(
  renewal: PaidRenewal,
  tools: Tools,
  trx: Knex.Transaction,
): Promise<Subscription | undefined> {
  const row = await byAgreement(renewal.gateway, renewal.agreement, trx)
  if (row === undefined) return undefined
  const next = await renewByPayment(row, renewal, tools, trx)
  if (next !== row) await rolledOn(next, tools, trx)
  return subscriptionOf(next)
}

/** Rejects with a `Refusal`. */
export async function renewalSet(
  { id, userId, renews }: RenewalChange,
  tools: Tools,
  trx: Knex.Transaction,
): Promise<Subscription> {
  const row = foundRow(await lockedSubscription(id, trx), userId)
  if (row.state !== 'active') throw conflicting('id', 'This subscription has ended.')
  const renewal = renews ? await renewalOf(row, trx) : { renewal: '' as const }
  await trx('subscriptions').where({ id }).update(renewal)
  const next = { ...row, ...renewal }
  await rolledOn(next, tools, trx)
  return subscriptionOf(next)
}

/** A provider that has been stopped cannot be started again: the wallet can. */
async function renewalOf(row: SubscriptionRow, trx: Knex.Transaction) {
  if (row.renewal !== '') return { renewal: row.renewal }
  if (row.source === 'trial') {
    throw invalid('renews', 'A trial does not go on by itself. Buy the plan instead.')
  }
  const plan = await trx('subscription_plans').where('id', row.plan_id).first()
  if (!plan?.is_on || plan.balance_price === null) {
    throw invalid('renews', 'This plan is not sold for credit, so it cannot be renewed from here.')
  }
  return { renewal: 'balance' as const, renewal_quota: row.renewal_quota ?? plan.balance_price }
}

/** It lasts as long as it is paid. */
export async function agreementEnded(
  id: number,
  tools: Tools,
  trx: Knex.Transaction,
): Promise<void> {
  const row = await lockedSubscription(id, trx)
  if (row === undefined) return
  const changes = {
    agreement_ended_at: tools.now(),
    ...(row.renewal === 'gateway' && { renewal: '' as const }),
  }
  await trx('subscriptions').where({ id }).update(changes)
  if (row.state === 'active') await rolledOn({ ...row, ...changes }, tools, trx)
}

/** Each in a transaction of its own, so that few are locked at once. */
export async function reset(
  { subscriptionId, planId, advances, requestId }: ResetRequest,
  tools: Tools,
): Promise<ResetResult> {
  const { knex } = tools.database
  const found = knex('subscriptions').where('state', 'active').orderBy('id')
  if (subscriptionId !== undefined) found.where('id', subscriptionId)
  if (planId !== undefined) found.where('plan_id', planId)
  const rows = await found.select<{ id: number; user_id: number }[]>('id', 'user_id')
  const users = new Set<number>()
  let count = 0
  for (const { id, user_id } of rows) {
    const done = await knex.transaction(async (trx) => {
      const row = await lockedSubscription(id, trx)
      if (row?.state !== 'active') return false
      if (!(await restart(row, { advances, requestId }, tools, trx))) return false
      await rolledOn(row, tools, trx)
      return true
    })
    if (!done) continue
    count += 1
    users.add(user_id)
  }
  return { matched: rows.length, reset: count, users: users.size }
}
