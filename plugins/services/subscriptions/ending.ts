/** The end of a subscription: by time, by an admin, by a payment that was taken back, or by another that takes its place. */
import type { Knex } from 'knex'
import { downgrade } from './groups.js'
import { closePeriods } from './periods.js'
import { type SubscriptionRow, subscriptionOf } from './rows.js'
import type { Subscription } from './subscriptions.js'
import { termsOf } from './terms.js'
import { noteUser, type Tools } from './tools.js'

/** `row`: locked, with its user, and active. */
export async function ended(
  row: SubscriptionRow,
  { state, reason }: { readonly state: 'expired' | 'cancelled'; readonly reason: string },
  tools: Tools,
  trx: Knex.Transaction,
): Promise<Subscription> {
  const at = tools.now()
  const changed = { ...row, state, reason, ended_at: at }
  await trx('subscriptions').where('id', row.id).update({ state, reason, ended_at: at })
  await downgrade(changed, tools, trx)
  await closePeriods(changed, tools, trx)
  await noteUser(tools, row.user_id, trx)
  if (state === 'expired') await notifyEnd(row, tools, trx)
  return subscriptionOf(changed)
}

function notifyEnd(
  { id, user_id, terms, ends_at }: SubscriptionRow,
  { notifications }: Tools,
  trx: Knex.Transaction,
): Promise<void> {
  const notice = {
    type: 'subscription_ended',
    title: 'Your subscription has ended',
    content: 'Your subscription {{value}} has ended. Requests are paid from your balance now.',
    values: [termsOf(terms).title],
  }
  return notifications.notify(user_id, notice, `subscription ended:${id}:${ends_at.getTime()}`, trx)
}
