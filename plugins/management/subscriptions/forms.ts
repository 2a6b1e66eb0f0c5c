/** What the routes of subscriptions take. */
import joi from 'joi'
import { oneLine, pagedQuery, rowId } from '../../../kernel/toolkit/management/index.js'
import type { Preference } from '../../services/subscriptions/index.js'

/** More than anyone buys, and far from what an account can hold. */
const quotaMax = 100_000_000_000_000
const secondsMax = 315_360_000

const quota = joi.number().integer().min(0).max(quotaMax)
const count = joi.number().integer().min(1).max(1_000)
const seconds = joi.number().integer().min(60).max(secondsMax)
const decimal = joi
  .alternatives(
    joi
      .string()
      .pattern(/^\d{1,12}(\.\d{1,4})?$/)
      .messages({ 'string.pattern.base': 'An amount is a decimal, as "7.30".' }),
    joi.number().min(0).max(1_000_000_000),
  )
  .description('As `7.30`.')
const group = oneLine.max(64).allow('')
const names = joi.array().max(200).items(oneLine.max(128)).unique()
const currency = joi
  .string()
  .pattern(/^[A-Z]{3}$/)
  .messages({ 'string.pattern.base': 'A currency is three capital letters, as "USD".' })

const cap = joi.object({
  period: joi.string().valid('hour', 'day', 'week', 'month', 'custom').required(),
  custom_seconds: seconds.description('Where the period is `custom`.'),
  amount: quota.min(1).required(),
})

export interface CapForm {
  readonly period: 'hour' | 'day' | 'week' | 'month' | 'custom'
  readonly custom_seconds?: number
  readonly amount: number
}

export interface PlanForm {
  readonly title: string
  readonly subtitle: string
  readonly price_amount: string | number
  readonly currency: string
  readonly prices: Readonly<Record<string, string | number>>
  readonly duration_unit: 'hour' | 'day' | 'week' | 'month' | 'year' | 'custom'
  readonly duration_value: number
  readonly custom_seconds?: number
  readonly enabled: boolean
  readonly sort_order: number
  readonly allow_balance_pay: boolean
  readonly balance_price?: number
  readonly allow_wallet_overflow: boolean
  readonly stripe_price_id: string
  readonly creem_product_id: string
  readonly max_purchase_per_user: number
  readonly upgrade_group: string
  readonly downgrade_group: string
  readonly total_amount: number
  readonly quota_reset_period: 'never' | 'daily' | 'weekly' | 'monthly' | 'custom'
  readonly quota_reset_custom_seconds?: number
  readonly trial_days: number
  readonly models: readonly string[]
  readonly groups: readonly string[]
  readonly caps: readonly CapForm[]
}

/** A plan is written as a whole: what is left out has its default. */
export const planForm = joi
  .object({
    title: oneLine.min(1).max(100).required(),
    subtitle: oneLine.max(200).allow('').default(''),
    price_amount: decimal.required().description('Price of one duration, in `currency`.'),
    currency: currency.default('USD').description('ISO 4217.'),
    prices: joi
      .object()
      .pattern(currency, decimal)
      .max(20)
      .default({})
      .description('Prices in other currencies.'),
    duration_unit: joi
      .string()
      .valid('hour', 'day', 'week', 'month', 'year', 'custom')
      .default('month'),
    duration_value: count.default(1),
    custom_seconds: seconds.description('The duration, where its unit is `custom`.'),
    enabled: joi.boolean().default(true),
    sort_order: joi.number().integer().min(-10_000).max(10_000).default(0),
    allow_balance_pay: joi.boolean().default(true),
    balance_price: quota.description(
      'Price from the balance, in quota units. Absent: the price in USD, at the rate of quota.',
    ),
    allow_wallet_overflow: joi
      .boolean()
      .default(true)
      .description('The balance pays for what the subscription does not hold.'),
    stripe_price_id: oneLine.max(128).allow('').default(''),
    creem_product_id: oneLine.max(128).allow('').default(''),
    max_purchase_per_user: joi.number().integer().min(0).max(1_000).default(0),
    upgrade_group: group.default(''),
    downgrade_group: group.default(''),
    total_amount: quota.default(0).description('Quota of each period. 0: without bound.'),
    quota_reset_period: joi
      .string()
      .valid('never', 'daily', 'weekly', 'monthly', 'custom')
      .default('never'),
    quota_reset_custom_seconds: seconds.description('Where the period is `custom`.'),
    trial_days: joi.number().integer().min(0).max(365).default(0),
    models: names.default([]).description('Models it pays for. Empty: all.'),
    groups: names.default([]).description('Groups it pays for. Empty: all.'),
    caps: joi
      .array()
      .max(8)
      .items(cap)
      .default([])
      .description('How much may be used within each hour, day, week or month.'),
  })
  .prefs({ stripUnknown: true })
  .required()

export interface SwitchForm {
  readonly enabled: boolean
}
export const switchForm = joi.object({ enabled: joi.boolean().required() }).required()

export interface BuyForm {
  readonly plan_id: number
  readonly replaces?: number
  readonly renews: boolean
}

const planId = rowId.required().description('Number of a plan.')
const replaces = rowId.description('Number of the subscription it replaces.')

export const buyForm = joi
  .object({ plan_id: planId, replaces, renews: joi.boolean().default(false) })
  .prefs({ stripUnknown: true })
  .required()

export interface QuoteForm {
  readonly plan_id: number
  readonly replaces?: number
  readonly currency?: string
}
export const quoteForm = joi
  .object({
    plan_id: planId,
    replaces,
    currency: currency.description('Absent: the price from the balance.'),
  })
  .prefs({ stripUnknown: true })
  .required()

export interface ExchangeForm {
  readonly plan_id: number
  readonly replaces: number
  readonly currency: string
}
export const exchangeForm = joi
  .object({ plan_id: planId, replaces: replaces.required(), currency: currency.required() })
  .prefs({ stripUnknown: true })
  .required()

export interface PlanIdForm {
  readonly plan_id: number
}
export const planIdForm = joi.object({ plan_id: planId }).prefs({ stripUnknown: true }).required()

export const bindForm = joi
  .object({ plan_id: planId, user_id: rowId.required() })
  .prefs({ stripUnknown: true })
  .required()

export interface RenewalForm {
  readonly renews: boolean
}
export const renewalForm = joi.object({ renews: joi.boolean().required() }).required()

export const preferences = [
  'subscription_first',
  'wallet_first',
  'subscription_only',
  'wallet_only',
] as const satisfies readonly Preference[]

export interface PreferenceForm {
  readonly billing_preference: Preference
}
export const preferenceForm = joi
  .object({
    billing_preference: joi
      .string()
      .valid(...preferences)
      .required(),
  })
  .required()

export interface ResetForm {
  readonly advance_reset_time: boolean
}
export const resetForm = joi
  .object({
    advance_reset_time: joi
      .boolean()
      .default(false)
      .description('The next period is counted from now.'),
  })
  .prefs({ stripUnknown: true })
  .default({ advance_reset_time: false })

export const endForm = joi
  .object({ reason: oneLine.max(200).allow('').default('') })
  .prefs({ stripUnknown: true })
  .default({ reason: '' })

export interface ListQuery {
  readonly p: number
  readonly page_size: number
  readonly user_id?: number
  readonly plan_id?: number
  readonly status?: 'active' | 'expired' | 'cancelled'
}

const filter = rowId.empty(joi.valid('', '0', 0))
export const listQuery = pagedQuery({
  user_id: filter,
  plan_id: filter,
  status: joi.string().valid('active', 'expired', 'cancelled').empty(''),
})
export const ownListQuery = pagedQuery()
export const idParams = joi.object({ id: rowId.required() })
