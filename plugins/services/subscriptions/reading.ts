/** Lists of subscriptions. */
import type { Knex } from 'knex'
import { type SubscriptionRow, subscriptionOf } from './rows.js'
import type { Agreement, SubscriptionPage, SubscriptionQuery } from './subscriptions.js'

/** Newest first. */
export async function subscriptionPage(
  knex: Knex,
  { userId, planId, state, offset, limit }: SubscriptionQuery,
): Promise<SubscriptionPage> {
  const found = knex<SubscriptionRow>('subscriptions')
  if (userId !== undefined) found.where('user_id', userId)
  if (planId !== undefined) found.where('plan_id', planId)
  if (state !== undefined) found.where('state', state)
  const [rows, [counted]] = await Promise.all([
    found.clone().orderBy('id', 'desc').offset(offset).limit(limit),
    found.clone().count<{ count: bigint | number }[]>('* as count'),
  ])
  const items = (rows as SubscriptionRow[]).map(subscriptionOf)
  return { items, total: Number(counted?.count ?? 0) }
}

const agreementsMax = 100

/** Those of users that are gone as well. */
export async function agreementsToEnd(knex: Knex): Promise<readonly Agreement[]> {
  const rows = await knex('subscriptions as s')
    .join('users as u', 'u.id', 's.user_id')
    .whereNotNull('s.agreement')
    .whereNull('s.agreement_ended_at')
    .where((either) => {
      either
        .whereNot('s.state', 'active')
        .orWhereNot('s.renewal', 'gateway')
        .orWhereNotNull('u.deleted_at')
    })
    .orderBy('s.id')
    .limit(agreementsMax)
    .select<{ id: number; gateway: string; agreement: string }[]>(
      's.id',
      's.gateway',
      's.agreement',
    )
  return rows.map(({ id, gateway, agreement }) => ({ subscriptionId: id, gateway, agreement }))
}
