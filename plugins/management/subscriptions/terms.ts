/** Plans between the words of the management API and those of the service. */

import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { minorUnits } from '../../../kernel/toolkit/payment/index.js'
import type { NewPlan, Plan, PlanTerms, Span } from '../../services/subscriptions/index.js'
import type { CapForm, PlanForm } from './forms.js'

/** Quota of one dollar (ledger/README.md section 1). */
const quotaPerCent = 5_000n

/** Throws a `Refusal` that names the field. */
export function planOf(form: PlanForm, groups: readonly string[]): NewPlan {
  for (const field of ['upgrade_group', 'downgrade_group'] as const) {
    if (form[field] !== '' && !groups.includes(form[field])) {
      throw invalid(field, `There is no group "${form[field]}".`)
    }
  }
  const unknown = form.groups.find((group) => !groups.includes(group))
  if (unknown !== undefined) throw invalid('groups', `There is no group "${unknown}".`)
  const prices = pricesOf(form)
  return {
    isOn: form.enabled,
    sortOrder: form.sort_order,
    terms: termsOf(form),
    prices,
    balancePrice: form.allow_balance_pay ? balancePriceOf(form, prices) : undefined,
    products: productsOf(form),
    purchasesMax: form.max_purchase_per_user,
    trialDays: form.trial_days,
  }
}

function termsOf(form: PlanForm): PlanTerms {
  return {
    title: form.title,
    subtitle: form.subtitle,
    duration: durationOf(form),
    quota: BigInt(form.total_amount),
    reset: resetOf(form),
    caps: form.caps.map(capOf),
    models: form.models,
    groups: form.groups,
    overflow: form.allow_wallet_overflow,
    upgradeGroup: form.upgrade_group,
    downgradeGroup: form.downgrade_group,
  }
}

interface SpanFields {
  readonly unit: Exclude<Span['unit'], 'second'> | 'custom'
  readonly count: number
  readonly seconds: number | undefined
}

/** `param`: the field its seconds stand in. */
function spanOf({ unit, count, seconds }: SpanFields, param: string): Span {
  if (unit !== 'custom') return { unit, count }
  if (seconds !== undefined) return { unit: 'second', count: seconds }
  throw invalid(param, 'What is "custom" is stated in seconds.')
}

function durationOf({ duration_unit: unit, duration_value: count, custom_seconds }: PlanForm) {
  return spanOf({ unit, count, seconds: custom_seconds }, 'custom_seconds')
}

const resets = { daily: 'day', weekly: 'week', monthly: 'month' } as const

function resetOf({
  quota_reset_period: period,
  quota_reset_custom_seconds: seconds,
}: PlanForm): Span | undefined {
  if (period === 'never') return undefined
  const unit = period === 'custom' ? period : resets[period]
  return spanOf({ unit, count: 1, seconds }, 'quota_reset_custom_seconds')
}

function capOf({ period, custom_seconds, amount }: CapForm) {
  const span = spanOf({ unit: period, count: 1, seconds: custom_seconds }, 'caps')
  return { span, quota: BigInt(amount) }
}

function pricesOf({ price_amount, currency, prices }: PlanForm): Record<string, bigint> {
  const stated = [[currency, price_amount], ...Object.entries(prices)] as const
  return Object.fromEntries(
    stated.map(([one, amount], at) => {
      const minor = minorUnits(String(amount), String(one))
      const param = at === 0 ? 'price_amount' : 'prices'
      if (minor === undefined) throw invalid(param, `"${amount}" is no amount in ${one}.`)
      return [one, minor]
    }),
  )
}

function balancePriceOf({ balance_price }: PlanForm, prices: Record<string, bigint>): bigint {
  if (balance_price !== undefined) return BigInt(balance_price)
  const { USD: cents } = prices
  if (cents !== undefined) return cents * quotaPerCent
  throw invalid('balance_price', 'A plan without a price in USD needs its price from the balance.')
}

function productsOf({ stripe_price_id: stripe, creem_product_id: creem }: PlanForm) {
  return { ...(stripe !== '' && { stripe }), ...(creem !== '' && { creem }) }
}

function invalid(param: string, reason: string): Refusal {
  return new Refusal('invalid_field', { reason, param })
}

/** The words of the family for what a plan states. */
export function termsRecord({ terms }: Pick<Plan, 'terms'>) {
  const { duration, reset, caps } = terms
  const isCustom = duration.unit === 'second'
  return {
    title: terms.title,
    subtitle: terms.subtitle,
    duration_unit: isCustom ? ('custom' as const) : duration.unit,
    duration_value: isCustom ? 1 : duration.count,
    custom_seconds: isCustom ? duration.count : 0,
    total_amount: terms.quota,
    quota_reset_period: periodOf(reset),
    quota_reset_custom_seconds: reset?.unit === 'second' ? reset.count : 0,
    caps: caps.map(({ span, quota }) => ({
      period: span.unit === 'second' ? 'custom' : span.unit,
      custom_seconds: span.unit === 'second' ? span.count : 0,
      amount: quota,
    })),
    models: terms.models,
    groups: terms.groups,
    allow_wallet_overflow: terms.overflow,
    upgrade_group: terms.upgradeGroup,
    downgrade_group: terms.downgradeGroup,
  }
}

function periodOf(reset: Span | undefined) {
  if (reset === undefined) return 'never' as const
  if (reset.unit === 'day') return 'daily' as const
  if (reset.unit === 'week') return 'weekly' as const
  return reset.unit === 'month' ? ('monthly' as const) : ('custom' as const)
}
