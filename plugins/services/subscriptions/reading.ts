/** Lists of subscriptions. */
import type { Knex } from 'knex'
import type { Ledger } from '../ledger/index.js'
import { type PeriodRow, type SubscriptionRow, subscriptionOf } from './rows.js'
import type {
  Agreement,
  Period,
  Standing,
  Subscription,
  SubscriptionPage,
  SubscriptionQuery,
} from './subscriptions.js'

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

/** The last of those that took its place one after the other. */
export async function heirOf(id: number, trx: Knex.Transaction): Promise<Subscription | undefined> {
  let heir: SubscriptionRow | undefined
  for (let replaces = id; ; replaces = heir.id) {
    const next = await trx<SubscriptionRow>('subscriptions').where({ replaces }).first()
    if (next === undefined) return heir && subscriptionOf(heir)
    heir = next as SubscriptionRow
  }
}

export async function standingOf(
  knex: Knex,
  userId: number,
): Promise<ReadonlyMap<number, Standing>> {
  const rows = await knex('subscriptions')
    .where('user_id', userId)
    .groupBy('plan_id')
    .select<{ plan_id: number; had: string; bought: string }[]>(
      'plan_id',
      knex.raw('count(*) AS had'),
      knex.raw("count(*) FILTER (WHERE source IN ('order', 'balance')) AS bought"),
    )
  return new Map(
    rows.map(({ plan_id, had, bought }) => [plan_id, { had: Number(had), bought: Number(bought) }]),
  )
}

/** Of one subscription. */
const periodsMax = 100

/** Newest first. */
export async function periodsOf(
  id: number,
  { knex, ledger }: { readonly knex: Knex; readonly ledger: Pick<Ledger, 'periods'> },
): Promise<readonly Period[]> {
  const rows: PeriodRow[] = await knex<PeriodRow>('subscription_periods')
    .where('subscription_id', id)
    .orderBy('number', 'desc')
    .limit(periodsMax)
  const accounts = await ledger.periods.read(rows.map(({ account_id }) => account_id))
  return rows.map(({ number, granted, account_id, starts_at, ends_at, closed_at }) => ({
    ...{ number, startsAt: starts_at, endsAt: ends_at },
    granted: granted === null ? undefined : BigInt(granted),
    used: accounts.get(account_id)!.used,
    closedAt: closed_at ?? undefined,
  }))
}

const agreementsMax = 100

/** Those of users that are gone as well. */
export async function agreementsToEnd(
  knex: Knex,
  gateways: readonly string[],
): Promise<readonly Agreement[]> {
  const rows = await knex('subscriptions as s')
    .join('users as u', 'u.id', 's.user_id')
    .whereNotNull('s.agreement')
    .whereIn('s.gateway', [...gateways])
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
