/** Plans and subscriptions in the words of the management API. */
import joi from 'joi'
import {
  pageOf,
  quotaUnits,
  responseForm,
  unixSeconds,
} from '../../../kernel/toolkit/management/index.js'
import { decimalAmount } from '../../../kernel/toolkit/payment/index.js'
import type { PlanOffer } from '../../services/payments/index.js'
import type {
  Period,
  Plan,
  Standing,
  Subscription,
  Usage,
} from '../../services/subscriptions/index.js'
import { preferences } from './forms.js'
import { termsRecord } from './terms.js'

export type PlanRecord = ReturnType<typeof planRecord>

export function planRecord(plan: Plan) {
  const [[currency, minor] = ['USD', 0n] as const] = Object.entries(plan.prices)
  const others = Object.entries(plan.prices).slice(1)
  return {
    id: plan.id,
    ...termsRecord(plan),
    price_amount: decimalAmount(minor, currency),
    currency,
    prices: Object.fromEntries(others.map(([one, price]) => [one, decimalAmount(price, one)])),
    enabled: plan.isOn,
    sort_order: plan.sortOrder,
    allow_balance_pay: plan.balancePrice !== undefined,
    balance_price: plan.balancePrice ?? 0n,
    stripe_price_id: plan.products.stripe ?? '',
    creem_product_id: plan.products.creem ?? '',
    max_purchase_per_user: plan.purchasesMax,
    trial_days: plan.trialDays,
    created_at: seconds(plan.createdAt),
  }
}

export type OfferRecord = ReturnType<typeof offerRecord>

export function offerRecord({ gateway, title, currency, amountMinor, repeats, isTest }: PlanOffer) {
  const price = decimalAmount(amountMinor, currency)
  return { gateway, title, currency, price, recurring: repeats, test: isTest }
}

export function offeredPlanRecord(
  plan: Plan,
  offers: readonly PlanOffer[],
  { bought, had }: Standing = { bought: 0, had: 0 },
) {
  const { purchasesMax, trialDays } = plan
  return {
    ...planRecord(plan),
    offers: offers.map(offerRecord),
    purchases_left: purchasesMax === 0 ? -1 : Math.max(purchasesMax - bought, 0),
    trial_available: trialDays > 0 && had === 0,
  }
}

export type PeriodRecord = ReturnType<typeof periodRecord>

export function periodRecord({ number, granted, used, startsAt, endsAt, closedAt }: Period) {
  return {
    ...{ number, amount_total: granted ?? 0n, amount_used: used },
    start_time: seconds(startsAt),
    end_time: seconds(endsAt),
    closed: closedAt !== undefined,
  }
}

export type SubscriptionRecord = ReturnType<typeof subscriptionRecord>

export function subscriptionRecord(subscription: Subscription, usage?: Usage) {
  const { id, userId, planId, terms, state, source, reason, endedAt } = subscription
  const last = usage?.periodStartsAt ?? subscription.startsAt
  return {
    ...{ id, user_id: userId, plan_id: planId, title: terms.title, status: state, source, reason },
    amount_total: usage?.granted ?? terms.quota,
    amount_used: usage?.used ?? 0n,
    amount_held: usage?.held ?? 0n,
    start_time: seconds(subscription.startsAt),
    end_time: seconds(subscription.endsAt),
    ended_time: endedAt === undefined ? 0 : seconds(endedAt),
    last_reset_time: seconds(last),
    next_reset_time: usage === undefined ? 0 : nextReset(subscription, usage),
    caps: (usage?.caps ?? []).map((cap) => ({
      period: cap.unit === 'second' ? 'custom' : cap.unit,
      custom_seconds: cap.unit === 'second' ? cap.count : 0,
      ...{ amount: cap.quota, used: cap.used },
      end_time: seconds(cap.endsAt),
    })),
    renewal: subscription.renewal,
    renewal_price: subscription.renewalQuota ?? -1n,
    gateway: subscription.gateway ?? '',
    upgrade_group: terms.upgradeGroup,
    downgrade_group: terms.downgradeGroup,
    prev_user_group: subscription.previousGroup ?? '',
    allow_wallet_overflow: terms.overflow,
    models: terms.models,
    groups: terms.groups,
    trade_no: subscription.orderNo ?? '',
  }
}

/** 0: nothing is granted any more before the end. */
function nextReset({ endsAt }: Subscription, { periodEndsAt }: Usage): number {
  return periodEndsAt < endsAt ? seconds(periodEndsAt) : 0
}

function seconds(moment: Date): number {
  return Math.floor(moment.getTime() / 1000)
}

const text = joi.string().allow('')
const names = joi.array().items(joi.string())
const price = joi.string().example('30.00')
const whole = joi.number().integer()
const period = joi.string().valid('hour', 'day', 'week', 'month', 'custom')

const planFields = {
  id: whole,
  title: joi.string(),
  subtitle: text,
  duration_unit: joi.string().valid('hour', 'day', 'week', 'month', 'year', 'custom'),
  duration_value: whole,
  custom_seconds: whole,
  total_amount: quotaUnits.description('Quota of each period. 0: without bound.'),
  quota_reset_period: joi.string().valid('never', 'daily', 'weekly', 'monthly', 'custom'),
  quota_reset_custom_seconds: whole,
  caps: joi
    .array()
    .items(joi.object({ period, custom_seconds: whole, amount: quotaUnits }))
    .description('How much may be used within each hour, day, week or month.'),
  models: names.description('Models it pays for. Empty: all.'),
  groups: names.description('Groups it pays for. Empty: all.'),
  allow_wallet_overflow: joi.boolean(),
  upgrade_group: text,
  downgrade_group: text,
  price_amount: price.description('Price of one duration.'),
  currency: joi.string().example('USD'),
  prices: joi.object().pattern(joi.string(), price).description('In other currencies.'),
  enabled: joi.boolean(),
  sort_order: whole,
  allow_balance_pay: joi.boolean(),
  balance_price: quotaUnits.description('Price from the balance.'),
  stripe_price_id: text,
  creem_product_id: text,
  max_purchase_per_user: whole.description('0: as often as they like.'),
  trial_days: whole.description('0: it cannot be tried.'),
  created_at: unixSeconds,
}
export const plan = responseForm<PlanRecord>(planFields).id('SubscriptionPlan')

const offers = joi
  .array()
  .items(
    responseForm<OfferRecord>({
      gateway: joi.string().example('stripe'),
      title: joi.string(),
      currency: joi.string().example('USD'),
      price,
      recurring: joi.boolean().description('Its provider can collect every duration by itself.'),
      test: joi.boolean().description('No real money moves.'),
    }).id('PlanOffer'),
  )
  .description('Gateways it can be paid by.')

export const sellablePlanList = joi.array().items(
  responseForm<PlanRecord & { readonly offers: readonly OfferRecord[] }>({
    ...{ ...planFields, offers },
  }).id('SellablePlan'),
)

export const offeredPlanList = joi.array().items(
  responseForm<ReturnType<typeof offeredPlanRecord>>({
    ...{ ...planFields, offers },
    purchases_left: whole.description('How often the caller may buy it yet. -1: without bound.'),
    trial_available: joi.boolean().description('The caller may try it.'),
  }).id('OfferedPlan'),
)

export const periodList = joi
  .array()
  .items(
    responseForm<PeriodRecord>({
      number: whole,
      amount_total: quotaUnits.description('0: without bound.'),
      amount_used: quotaUnits,
      start_time: unixSeconds,
      end_time: unixSeconds,
      closed: joi.boolean().description('What was left of it was given back.'),
    }).id('SubscriptionPeriod'),
  )
  .description('Newest first.')

export const subscription = responseForm<SubscriptionRecord>({
  id: whole,
  user_id: whole,
  plan_id: whole,
  title: joi.string(),
  status: joi.string().valid('active', 'expired', 'cancelled'),
  source: joi.string().valid('order', 'balance', 'admin', 'trial', 'welcome'),
  reason: text.description('Why it was ended.'),
  amount_total: quotaUnits.description('Of the period that runs. 0: without bound.'),
  amount_used: quotaUnits.description('In the period that runs.'),
  amount_held: quotaUnits.description('Set aside for requests under way.'),
  start_time: unixSeconds,
  end_time: unixSeconds.description('When its time runs out.'),
  ended_time: whole.description('Unix seconds when it ended. 0: it is active.'),
  last_reset_time: unixSeconds,
  next_reset_time: whole.description('Unix seconds. 0: nothing is granted any more.'),
  caps: joi.array().items(
    joi.object({
      ...{ period, custom_seconds: whole, amount: quotaUnits, used: quotaUnits },
      end_time: unixSeconds,
    }),
  ),
  renewal: text.valid('', 'balance', 'gateway').description('Empty: it ends by itself.'),
  renewal_price: quotaUnits.description(
    'What the balance pays for each renewal, as agreed. -1: nothing was agreed.',
  ),
  gateway: text.description('The gateway it was bought by. Empty: none.'),
  upgrade_group: text,
  downgrade_group: text,
  prev_user_group: text,
  allow_wallet_overflow: joi.boolean(),
  models: names,
  groups: names,
  trade_no: text.description('The order that opened it.'),
}).id('Subscription')

export const subscriptionPage = pageOf(subscription)

const wrapped = joi.array().items(joi.object({ subscription }))
export const own = joi.object({
  billing_preference: joi.string().valid(...preferences),
  subscriptions: wrapped.description('Those that are active, the one that ends first first.'),
  all_subscriptions: wrapped.description('The newest first.'),
})

export const quote = joi.object({
  price: joi.string().description('Decimal in the currency, or quota units.'),
  value_left: joi.string().description('What was taken off.'),
  currency: text.description('Empty: quota units.'),
})

export const resetCounts = joi.object({
  plan_id: whole.description('0: one subscription was meant.'),
  matched_count: whole,
  reset_count: whole,
  user_count: whole,
  advance_reset_time: joi.boolean(),
})
