/** Another duration of a subscription: from the wallet at the price that was agreed, or by what a provider collected. */
import type { Knex } from 'knex'
import { later } from './calendar.js'
import { upgrade } from './groups.js'
import type { SubscriptionRow } from './rows.js'
import type { PaidRenewal } from './subscriptions.js'
import { termsOf } from './terms.js'
import type { Tools } from './tools.js'

/** The row as it is afterwards; the same where nothing is renewed. `row`: locked, with its user. */
export async function renewFromWallet(
  row: SubscriptionRow,
  tools: Tools,
  trx: Knex.Transaction,
): Promise<SubscriptionRow> {
  const price = row.renewal_quota === null ? undefined : BigInt(row.renewal_quota)
  if (row.renewal !== 'balance' || price === undefined) return row
  const plan = await trx('subscription_plans').where('id', row.plan_id).first('is_on')
  const user = await trx('users').where('id', row.user_id).first('status', 'deleted_at')
  if (!plan?.is_on || user?.status !== 1 || user.deleted_at !== null) return row
  const number = row.renewals + 1
  const { title } = termsOf(row.terms)
  const key = `sub_buy:${row.id}:${number}`
  const paid =
    price === 0n ||
    (
      await tools.ledger.post(
        {
          ...{ key, kind: 'sub_buy', userId: row.user_id, amount: -price },
          ...{ requestId: `subscription:${row.id}:${number}` },
          note: `Renewal ${number} of subscription ${row.id} "${title}"`,
        },
        trx,
      )
    ).verdict !== 'short'
  if (!paid) {
    await notifyShort(row, tools, trx)
    return row
  }
  return extended(row, { paid_quota: price, paid_minor: null, currency: null }, tools, trx)
}

type PaidColumns = Pick<SubscriptionRow, 'paid_quota' | 'paid_minor' | 'currency'>

async function extended(
  row: SubscriptionRow,
  paid: PaidColumns,
  { zone }: Tools,
  trx: Knex.Transaction,
): Promise<SubscriptionRow> {
  const next = {
    ...paid,
    term_starts_at: row.ends_at,
    ends_at: later(row.ends_at, termsOf(row.terms).duration, zone()),
    renewals: row.renewals + 1,
  }
  await trx('subscriptions').where('id', row.id).update(next)
  return { ...row, ...next }
}

function notifyShort(
  { id, user_id, terms, ends_at }: SubscriptionRow,
  { notifications }: Tools,
  trx: Knex.Transaction,
): Promise<void> {
  const notice = {
    type: 'subscription_short',
    title: 'Your subscription cannot be renewed',
    content: 'Your balance does not hold the price of your subscription {{value}}. It ends soon.',
    values: [termsOf(terms).title],
  }
  return notifications.notify(user_id, notice, `subscription short:${id}:${ends_at.getTime()}`, trx)
}

/** `row`: locked, with its user. One that expired while the provider still tried begins again; one that was cancelled does not. */
export async function renewByPayment(
  row: SubscriptionRow,
  { paidMinor, currency }: PaidRenewal,
  tools: Tools,
  trx: Knex.Transaction,
): Promise<SubscriptionRow> {
  if (row.state === 'cancelled') return row
  const active = row.state === 'active' ? row : await revived(row, tools, trx)
  return extended(active, { paid_minor: paidMinor, currency, paid_quota: null }, tools, trx)
}

async function revived(
  row: SubscriptionRow,
  tools: Tools,
  trx: Knex.Transaction,
): Promise<SubscriptionRow> {
  const user = await trx('users').where('id', row.user_id).first('group')
  const active = { state: 'active', ended_at: null, reason: '' } as const
  await trx('subscriptions').where('id', row.id).update(active)
  const previous_group = await upgrade(row, user.group, tools, trx)
  await trx('subscriptions').where('id', row.id).update({ previous_group })
  return { ...row, ...active, previous_group }
}
