/** What is left of subscriptions that are active, and when more comes. */
import type { Knex } from 'knex'
import type { Ledger } from '../ledger/index.js'
import type { CapRow, PeriodRow, SubscriptionRow } from './rows.js'
import type { CapUsage, Usage } from './subscriptions.js'
import { type PlanTerms, termsOf } from './terms.js'

interface UsageDependencies {
  readonly knex: Knex
  readonly ledger: Pick<Ledger, 'periods'>
  readonly now: () => Date
}

export async function usageOf(
  ids: readonly number[],
  { knex, ledger, now }: UsageDependencies,
): Promise<ReadonlyMap<number, Usage>> {
  const of = [...ids]
  const [rows, periods, caps] = await Promise.all([
    knex<SubscriptionRow>('subscriptions').whereIn('id', of).where('state', 'active'),
    knex<PeriodRow>('subscription_periods').whereIn('subscription_id', of).orderBy('number'),
    knex<CapRow>('subscription_caps').whereIn('subscription_id', of).orderBy('number'),
  ])
  const accounts = await ledger.periods.read(
    (periods as PeriodRow[]).map(({ account_id }) => account_id),
  )
  const at = now()
  const found = (rows as SubscriptionRow[]).flatMap((row) => {
    const { id } = row
    const own = (periods as PeriodRow[]).filter((period) => period.subscription_id === id)
    const period = own.filter(({ starts_at }) => starts_at <= at).at(-1)
    if (period === undefined) return []
    const account = accounts.get(period.account_id)!
    let used = 0n
    for (const { account_id } of own) used += accounts.get(account_id)!.used
    const terms = termsOf(row.terms)
    const usage: Usage = {
      granted: period.granted === null ? undefined : BigInt(period.granted),
      used: account.used,
      held: account.held,
      periodStartsAt: period.starts_at,
      periodEndsAt: period.ends_at,
      caps: (caps as CapRow[])
        .filter(({ subscription_id }) => subscription_id === id)
        .map((cap) => capUsage(cap, terms, used)),
    }
    return [[id, usage] as const]
  })
  return new Map(found)
}

function capUsage({ number, base, starts_at, ends_at }: CapRow, terms: PlanTerms, used: bigint) {
  const { span, quota } = terms.caps[number]!
  return {
    ...{ unit: span.unit, count: span.count, quota },
    used: used - BigInt(base),
    ...{ startsAt: starts_at, endsAt: ends_at },
  } satisfies CapUsage
}
