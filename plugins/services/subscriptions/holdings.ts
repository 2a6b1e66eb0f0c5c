/** Who may pay from what, in memory: the line looks at no table for it. */
import type { Knex } from 'knex'
import { graceEndOf, type SubscriptionRow } from './rows.js'
import type { Preference } from './subscriptions.js'
import { termsOf } from './terms.js'

/** One account of a subscription, for the time it may pay. */
export interface Holding {
  readonly subscription: { readonly id: number; readonly plan: string }
  readonly accountId: number
  /** Unix milliseconds: of the period. */
  readonly from: number
  readonly until: number
  /** When the subscription ends: the one that ends first pays first. */
  readonly endsAt: number
  /** Undefined: all. */
  readonly models?: ReadonlySet<string>
  readonly groups?: ReadonlySet<string>
  readonly overflow: boolean
  /** Until when so much, or more, need not be tried again. */
  readonly short: { quota: bigint; until: number }
}

export interface Holdings {
  readonly preference: Preference
  /** By end. */
  readonly all: readonly Holding[]
}

interface HoldingRow extends SubscriptionRow {
  readonly account_id: number
  readonly period_starts_at: Date
  readonly period_ends_at: Date
}

/** Of these users; absent: of all. Users without an active subscription are not in it. */
export async function readHoldings(
  knex: Knex,
  userIds?: readonly number[],
): Promise<ReadonlyMap<number, Holdings>> {
  const found = knex('subscriptions as s')
    .join('subscription_periods as p', 'p.subscription_id', 's.id')
    .leftJoin('subscription_preferences as f', 'f.user_id', 's.user_id')
    .where('s.state', 'active')
    .whereNull('p.closed_at')
    .orderBy(['s.ends_at', 's.id'])
  if (userIds !== undefined) found.whereIn('s.user_id', [...userIds])
  const rows = await found.select<(HoldingRow & { preference: Preference | null })[]>(
    's.*',
    'p.account_id',
    'p.starts_at as period_starts_at',
    'p.ends_at as period_ends_at',
    'f.preference',
  )
  const byUser = new Map<number, { preference: Preference; all: Holding[] }>()
  for (const row of rows) {
    const preference = row.preference ?? 'subscription_first'
    const mine = byUser.get(row.user_id) ?? { preference, all: [] }
    mine.all.push(holdingOf(row))
    byUser.set(row.user_id, mine)
  }
  return byUser
}

function holdingOf(row: HoldingRow): Holding {
  const { title, models, groups, overflow } = termsOf(row.terms)
  const isLast = row.period_ends_at >= row.ends_at
  return {
    subscription: { id: row.id, plan: title },
    accountId: row.account_id,
    from: row.period_starts_at.getTime(),
    until: (isLast ? graceEndOf(row) : row.period_ends_at).getTime(),
    endsAt: row.ends_at.getTime(),
    models: models.length > 0 ? new Set(models) : undefined,
    groups: groups.length > 0 ? new Set(groups) : undefined,
    overflow,
    short: { quota: 0n, until: 0 },
  }
}
