/** Plans and subscriptions: what users see and buy, and what admins and root do of them. */
import type { Page, PageQuery } from './page.js'
import type { Checkout, Order } from './payments.js'
import { request } from './request.js'
import type { components } from './schema.js'

type Schemas = components['schemas']

export type Plan = Schemas['SubscriptionPlan']
export type OfferedPlan = Schemas['OfferedPlan']
export type SellablePlan = Schemas['SellablePlan']
export type PlanOffer = Schemas['PlanOffer']
export type Subscription = Schemas['Subscription']
export type Period = Schemas['SubscriptionPeriod']
export type Cap = Plan['caps'][number]

/** What a card of a plan needs: of a plan on sale, of any plan, or of one that is only being written. */
export type ShownPlan = Omit<Plan, 'id' | 'created_at'> &
  Partial<Pick<OfferedPlan, 'offers' | 'purchases_left' | 'trial_available'>>

/** What pays first, or alone. */
export const preferences = [
  'subscription_first',
  'wallet_first',
  'subscription_only',
  'wallet_only',
] as const
export type Preference = (typeof preferences)[number]

export interface Own {
  readonly billing_preference: Preference
  readonly active: readonly Subscription[]
  /** Newest first. */
  readonly all: readonly Subscription[]
}

export interface QuoteRequest {
  readonly plan_id: number
  readonly replaces?: number
  /** Absent: from the balance. */
  readonly currency?: string
}

/** Decimals in the currency; without one, quota units. */
export interface Quote {
  readonly price: string
  readonly value_left: string
  readonly currency: string
}

export interface BalancePurchase {
  readonly plan_id: number
  readonly replaces?: number
  /** It is bought again at its end. */
  readonly renews: boolean
}

export interface GatewayPurchase {
  readonly plan_id: number
  readonly gateway: string
  readonly payment_method?: string
  readonly replaces?: number
  /** The provider collects every duration that follows. */
  readonly recurring: boolean
}

export interface PlanExchange {
  readonly plan_id: number
  readonly replaces: number
  readonly currency: string
}

/** Those on sale. */
export function readPlans(): Promise<readonly OfferedPlan[]> {
  return request('GET', '/api/subscription/plans')
}

interface Wrapped {
  readonly subscription: Subscription
}

export async function readOwnSubscriptions(): Promise<Own> {
  const { billing_preference, subscriptions, all_subscriptions } = await request<{
    readonly billing_preference: Preference
    readonly subscriptions: readonly Wrapped[]
    readonly all_subscriptions: readonly Wrapped[]
  }>('GET', '/api/subscription/self')
  const opened = (wrapped: readonly Wrapped[]) => wrapped.map(({ subscription }) => subscription)
  return { billing_preference, active: opened(subscriptions), all: opened(all_subscriptions) }
}

/** Newest first. */
export function readPeriods(id: number): Promise<readonly Period[]> {
  return request('GET', `/api/subscription/self/${id}/periods`)
}

export async function setPreference(preference: Preference): Promise<void> {
  const body = { billing_preference: preference }
  await request('PUT', '/api/subscription/self/preference', { body })
}

export function readQuote(wanted: QuoteRequest, signal?: AbortSignal): Promise<Quote> {
  return request('POST', '/api/subscription/quote', { body: wanted, signal })
}

export function buyFromBalance(purchase: BalancePurchase): Promise<Subscription> {
  return request('POST', '/api/subscription/balance/pay', { body: purchase })
}

export function placePlanOrder(
  purchase: GatewayPurchase,
): Promise<{ readonly order: Order; readonly checkout: Checkout }> {
  return request('POST', '/api/subscription/pay', { body: purchase })
}

/** Where nothing is left to pay in this currency. */
export function changePlanForNothing(exchange: PlanExchange): Promise<Subscription> {
  return request('POST', '/api/subscription/change', { body: exchange })
}

export function tryPlan(planId: number): Promise<Subscription> {
  return request('POST', '/api/subscription/trial', { body: { plan_id: planId } })
}

export function setRenewal(id: number, renews: boolean): Promise<Subscription> {
  return request('PUT', `/api/subscription/self/${id}/renewal`, { body: { renews } })
}

/** The address of the provider's page. */
export async function openPortal(id: number): Promise<string> {
  const { url } = await request<{ readonly url: string }>(
    'POST',
    `/api/subscription/self/${id}/portal`,
    { body: {} },
  )
  return url
}

export type SpanUnit = Plan['duration_unit']
export type ResetPeriod = Plan['quota_reset_period']

/** A plan as root writes it: as a whole. */
export interface PlanDraft {
  readonly title: string
  readonly subtitle: string
  /** A decimal in `currency`. */
  readonly price_amount: string
  readonly currency: string
  readonly prices: Readonly<Record<string, string>>
  readonly duration_unit: SpanUnit
  readonly duration_value: number
  /** Where the unit is `custom`. */
  readonly custom_seconds?: number
  readonly enabled: boolean
  readonly sort_order: number
  readonly allow_balance_pay: boolean
  /** Absent: the price in USD, at the rate of quota. */
  readonly balance_price?: number
  readonly allow_wallet_overflow: boolean
  readonly stripe_price_id: string
  readonly creem_product_id: string
  /** 0: as often as they like. */
  readonly max_purchase_per_user: number
  readonly upgrade_group: string
  readonly downgrade_group: string
  /** Of each period; 0: without bound. */
  readonly total_amount: number
  readonly quota_reset_period: ResetPeriod
  readonly quota_reset_custom_seconds?: number
  readonly trial_days: number
  readonly models: readonly string[]
  readonly groups: readonly string[]
  readonly caps: readonly {
    readonly period: Cap['period']
    readonly custom_seconds?: number
    readonly amount: number
  }[]
}

/** An empty text and 0 stand for any. */
export interface SubscriptionFilter {
  readonly user_id: number
  readonly plan_id: number
  readonly status: string
}

export interface ResetCounts {
  /** 0: one subscription was meant. */
  readonly plan_id: number
  readonly matched_count: number
  readonly reset_count: number
  readonly user_count: number
  readonly advance_reset_time: boolean
}

/** Admins only. */
export function readAllPlans(): Promise<readonly SellablePlan[]> {
  return request('GET', '/api/subscription/admin/plans')
}

/** Root's alone, with a proof of scope `balance`. */
export function createPlan(plan: PlanDraft): Promise<Plan> {
  return request('POST', '/api/subscription/admin/plans', { body: plan })
}

/** Root's alone, with a proof of scope `balance`. Subscriptions that exist keep their terms. */
export function changePlan(id: number, plan: PlanDraft): Promise<Plan> {
  return request('PUT', `/api/subscription/admin/plans/${id}`, { body: plan })
}

export function switchPlan(id: number, enabled: boolean): Promise<Plan> {
  return request('PATCH', `/api/subscription/admin/plans/${id}`, { body: { enabled } })
}

export function readSubscriptions(
  query: PageQuery & SubscriptionFilter,
  signal?: AbortSignal,
): Promise<Page<Subscription>> {
  return request('GET', '/api/subscription/admin/subscriptions', { query, signal })
}

/** Root's alone, with a proof of scope `balance`. */
export function givePlan(userId: number, planId: number): Promise<Subscription> {
  const body = { user_id: userId, plan_id: planId }
  return request('POST', '/api/subscription/admin/bind', { body })
}

/** Of anybody's, newest first. */
export function readPeriodsOf(id: number): Promise<readonly Period[]> {
  return request('GET', `/api/subscription/admin/user_subscriptions/${id}/periods`)
}

export function endSubscription(id: number, reason: string): Promise<Subscription> {
  const path = `/api/subscription/admin/user_subscriptions/${id}/invalidate`
  return request('POST', path, { body: { reason } })
}

/** Root's alone, with a proof of scope `balance`. `advances`: the next period is counted from now. */
export function resetSubscription(id: number, advances: boolean): Promise<ResetCounts> {
  const path = `/api/subscription/admin/user_subscriptions/${id}/reset`
  return request('POST', path, { body: { advance_reset_time: advances } })
}

/** All of a plan. Root's alone, with a proof of scope `balance`. */
export function resetPlan(id: number, advances: boolean): Promise<ResetCounts> {
  const path = `/api/subscription/admin/plans/${id}/reset`
  return request('POST', path, { body: { advance_reset_time: advances } })
}
