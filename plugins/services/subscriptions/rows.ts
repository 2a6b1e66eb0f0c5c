/** Rows of plans and subscriptions. */
import type { Json } from '../../../kernel/contract/json.js'
import type { Plan, Subscription, SubscriptionSource, SubscriptionState } from './subscriptions.js'
import { termsOf } from './terms.js'

export interface PlanRow {
  readonly id: number
  readonly is_on: boolean
  readonly sort_order: number
  readonly terms: Json
  readonly prices: readonly (readonly [currency: string, minor: string])[]
  readonly balance_price: bigint | number | string | null
  readonly products: Readonly<Record<string, string>>
  readonly purchases_max: number
  readonly trial_days: number
  readonly created_at: Date
}

export function planOf(row: PlanRow): Plan {
  return {
    id: row.id,
    isOn: row.is_on,
    sortOrder: row.sort_order,
    terms: termsOf(row.terms),
    prices: Object.fromEntries(row.prices.map(([currency, minor]) => [currency, BigInt(minor)])),
    balancePrice: row.balance_price === null ? undefined : BigInt(row.balance_price),
    products: row.products,
    purchasesMax: row.purchases_max,
    trialDays: row.trial_days,
    createdAt: row.created_at,
  }
}

type Whole = bigint | number | string

export interface SubscriptionRow {
  readonly id: number
  readonly user_id: number
  readonly plan_id: number
  readonly terms: Json
  readonly state: SubscriptionState
  readonly source: SubscriptionSource
  readonly order_no: string | null
  readonly paid_minor: Whole | null
  readonly currency: string | null
  readonly paid_quota: Whole | null
  readonly starts_at: Date
  readonly term_starts_at: Date
  readonly ends_at: Date
  readonly renewal: '' | 'balance' | 'gateway'
  readonly renewal_quota: Whole | null
  readonly renewals: number
  readonly gateway: string | null
  readonly agreement: string | null
  readonly agreement_ended_at: Date | null
  readonly previous_group: string | null
  readonly replaces: number | null
  readonly reason: string
  readonly created_at: Date
  readonly ended_at: Date | null
}

export function subscriptionOf(row: SubscriptionRow): Subscription {
  return {
    id: row.id,
    userId: row.user_id,
    planId: row.plan_id,
    terms: termsOf(row.terms),
    state: row.state,
    source: row.source,
    orderNo: row.order_no ?? undefined,
    paidMinor: whole(row.paid_minor),
    currency: row.currency ?? undefined,
    paidQuota: whole(row.paid_quota),
    startsAt: row.starts_at,
    termStartsAt: row.term_starts_at,
    endsAt: row.ends_at,
    renewal: row.renewal,
    renewalQuota: whole(row.renewal_quota),
    renewals: row.renewals,
    gateway: row.gateway ?? undefined,
    agreement: row.agreement ?? undefined,
    graceEndsAt: graceEndOf(row),
    previousGroup: row.previous_group ?? undefined,
    reason: row.reason,
    createdAt: row.created_at,
    endedAt: row.ended_at ?? undefined,
  }
}

function whole(stored: Whole | null): bigint | undefined {
  return stored === null ? undefined : BigInt(stored)
}

/** A provider collects for the next duration once the last has ended; until it reports that, what is left may be used. */
export const graceMs = 86_400_000

/** When a subscription is over that is not renewed until then. */
export function graceEndOf({
  renewal,
  ends_at,
}: Pick<SubscriptionRow, 'renewal' | 'ends_at'>): Date {
  return renewal === 'gateway' ? new Date(ends_at.getTime() + graceMs) : ends_at
}

export interface PeriodRow {
  readonly subscription_id: number
  readonly number: number
  readonly account_id: number
  readonly granted: Whole | null
  readonly starts_at: Date
  readonly ends_at: Date
  readonly closed_at: Date | null
  readonly returned: Whole | null
}

export interface CapRow {
  readonly subscription_id: number
  readonly number: number
  readonly base: Whole
  readonly starts_at: Date
  readonly ends_at: Date
}
