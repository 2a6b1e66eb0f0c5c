/** The form of a plan. Amounts of money are text while they are typed; quota is in units. */
import type { PlanDraft, SellablePlan } from '../../../api/subscriptions.js'

type Terms = Pick<
  SellablePlan,
  | 'title'
  | 'subtitle'
  | 'price_amount'
  | 'currency'
  | 'duration_unit'
  | 'duration_value'
  | 'custom_seconds'
  | 'enabled'
  | 'sort_order'
  | 'allow_balance_pay'
  | 'allow_wallet_overflow'
  | 'stripe_price_id'
  | 'creem_product_id'
  | 'max_purchase_per_user'
  | 'upgrade_group'
  | 'downgrade_group'
  | 'quota_reset_period'
  | 'quota_reset_custom_seconds'
  | 'trial_days'
>

export interface PriceRow {
  readonly currency: string
  readonly amount: string
}

export interface CapRow {
  readonly period: SellablePlan['caps'][number]['period']
  readonly custom_seconds: number
  readonly amount: number
}

export type PlanValues = { -readonly [Name in keyof Terms]: Terms[Name] } & {
  prices: PriceRow[]
  /** The price from the balance is typed, not derived from the one in USD. */
  balance_own: boolean
  balance_price: number
  /** Otherwise its quota is without bound. */
  bounded: boolean
  total_amount: number
  models: string[]
  groups: string[]
  caps: CapRow[]
}

const daySeconds = 86_400

export function freshPlan(perUnit: number): PlanValues {
  return { ...blank, total_amount: perUnit * 10 }
}

export const blank: PlanValues = {
  ...{ title: '', subtitle: '', price_amount: '', currency: 'USD', prices: [] },
  ...{ duration_unit: 'month', duration_value: 1, custom_seconds: daySeconds },
  ...{ enabled: true, sort_order: 0, allow_balance_pay: true, allow_wallet_overflow: true },
  ...{ balance_own: false, balance_price: 0, bounded: true, total_amount: 0 },
  ...{ quota_reset_period: 'never', quota_reset_custom_seconds: daySeconds },
  ...{ stripe_price_id: '', creem_product_id: '', max_purchase_per_user: 0, trial_days: 0 },
  ...{ upgrade_group: '', downgrade_group: '', models: [], groups: [], caps: [] },
}

/** @param perUnit quota of one US dollar */
export function valuesOf(plan: SellablePlan, perUnit: number): PlanValues {
  const prices = Object.entries(plan.prices).map(([currency, amount]) => ({ currency, amount }))
  const balancePrice = Number(plan.balance_price)
  const derived = derivedPrice({ ...plan, prices }, perUnit)
  return {
    ...blank,
    ...known(plan),
    prices,
    balance_own: plan.allow_balance_pay && derived !== balancePrice,
    balance_price: balancePrice,
    bounded: Number(plan.total_amount) > 0,
    total_amount: Number(plan.total_amount),
    custom_seconds: plan.custom_seconds || blank.custom_seconds,
    quota_reset_custom_seconds: plan.quota_reset_custom_seconds || blank.quota_reset_custom_seconds,
    models: [...plan.models],
    groups: [...plan.groups],
    caps: plan.caps.map((cap) => ({ ...cap, amount: Number(cap.amount) })),
  }
}

/** What the form holds as the plan has it. */
function known(plan: SellablePlan): Terms {
  const names = Object.keys(blank).filter((name) => name in plan) as (keyof Terms)[]
  return Object.fromEntries(names.map((name) => [name, plan[name]])) as unknown as Terms
}

export function formOf(values: PlanValues): PlanDraft {
  const { balance_own, balance_price, bounded, prices, caps, ...rest } = values
  const { custom_seconds, quota_reset_custom_seconds, ...sent } = rest
  return {
    ...sent,
    title: rest.title.trim(),
    subtitle: rest.subtitle.trim(),
    price_amount: rest.price_amount.trim(),
    prices: Object.fromEntries(prices.map(({ currency, amount }) => [currency, amount.trim()])),
    total_amount: bounded ? rest.total_amount : 0,
    caps: caps.map(({ period, amount, custom_seconds: every }) => ({
      ...{ period, amount },
      ...(period === 'custom' && { custom_seconds: every }),
    })),
    ...(balance_own && { balance_price }),
    ...(rest.duration_unit === 'custom' && { custom_seconds }),
    ...(rest.quota_reset_period === 'custom' && { quota_reset_custom_seconds }),
  }
}

type Priced = Pick<PlanValues, 'price_amount' | 'currency' | 'prices'>

export function allPrices({ price_amount, currency, prices }: Priced): readonly PriceRow[] {
  return [{ currency, amount: price_amount }, ...prices]
}

/** Quota of the price in USD, as the gateway derives it where no other is stated; undefined: there is none in USD. */
export function derivedPrice(priced: Priced, perUnit: number): number | undefined {
  const dollars = allPrices(priced)
    .find(({ currency }) => currency === 'USD')
    ?.amount.trim()
  const [, whole, cents = ''] = /^(\d{1,12})(?:\.(\d{1,2})0*)?$/.exec(dollars ?? '') ?? []
  if (whole === undefined) return undefined
  return Number((BigInt(whole + cents.padEnd(2, '0')) * BigInt(perUnit)) / 100n)
}
