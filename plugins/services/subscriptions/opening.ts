/** Beginning a subscription: its row, the group of its user, its first period and its caps, in the caller's transaction. */
import type { Knex } from 'knex'
import { later } from './calendar.js'
import { applyCaps, openCaps } from './caps.js'
import { upgrade } from './groups.js'
import { openPeriod, periodEnd } from './periods.js'
import { type SubscriptionRow, subscriptionOf } from './rows.js'
import type { Subscription, SubscriptionSource } from './subscriptions.js'
import { type PlanTerms, termsText } from './terms.js'
import { noteUser, type Tools } from './tools.js'

export interface Opening {
  /** Locked. */
  readonly user: { readonly id: number; readonly group: string }
  readonly planId: number
  readonly terms: PlanTerms
  readonly source: SubscriptionSource
  readonly requestId: string
  readonly orderNo?: string
  /** The subscription it takes the place of. */
  readonly replaces?: number
  readonly paid?: { readonly minor: bigint; readonly currency: string }
  readonly paidQuota?: bigint
  readonly renewal?: Subscription['renewal']
  readonly renewalQuota?: bigint
  readonly gateway?: string
  readonly agreement?: string
  /** Used in advance: taken from the first period. */
  readonly carried?: bigint
}

export async function opened(
  opening: Opening,
  tools: Tools,
  trx: Knex.Transaction,
): Promise<Subscription> {
  const { user, terms, requestId, carried } = opening
  const startsAt = tools.now()
  const endsAt = later(startsAt, terms.duration, tools.zone())
  const [made] = await trx('subscriptions')
    .insert({ ...columnsOf(opening), ...timesOf(startsAt, endsAt) })
    .returning<SubscriptionRow[]>('*')
  const previous_group = await upgrade(made!, user.group, tools, trx)
  if (previous_group !== null) {
    await trx('subscriptions').where('id', made!.id).update({ previous_group })
  }
  const row = { ...made!, previous_group }
  const period = { number: 1, startsAt, endsAt: periodEnd(row, startsAt, tools.zone()) }
  await openPeriod({ row, ...period, requestId, carried }, tools, trx)
  await openCaps(row, tools, trx)
  await applyCaps(row, tools, trx)
  await noteUser(tools, user.id, trx)
  return subscriptionOf(row)
}

function columnsOf(opening: Opening) {
  const { user, planId, terms, source, orderNo, replaces, paid, paidQuota } = opening
  return {
    ...{ user_id: user.id, plan_id: planId, terms: termsText(terms), source },
    order_no: orderNo ?? null,
    replaces: replaces ?? null,
    paid_minor: paid?.minor ?? null,
    currency: paid?.currency ?? null,
    paid_quota: paidQuota ?? null,
    renewal: opening.renewal ?? '',
    renewal_quota: opening.renewalQuota ?? null,
    gateway: opening.gateway ?? null,
    agreement: opening.agreement ?? null,
  }
}

function timesOf(startsAt: Date, endsAt: Date) {
  return { starts_at: startsAt, term_starts_at: startsAt, ends_at: endsAt, created_at: startsAt }
}
