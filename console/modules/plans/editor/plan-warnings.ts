/** What an operator can hardly have meant, by the names of the texts `plans.warnings`. */
import type { components } from '../../../api/schema.js'

type Plan = components['schemas']['SellablePlan']

/** Of a plan that is stored, or only being written. */
export type Judged = Pick<
  Plan,
  | 'allow_balance_pay'
  | 'balance_price'
  | 'duration_unit'
  | 'duration_value'
  | 'custom_seconds'
  | 'total_amount'
  | 'quota_reset_period'
  | 'quota_reset_custom_seconds'
  | 'trial_days'
  | 'caps'
  | 'groups'
  | 'upgrade_group'
> &
  Partial<Pick<Plan, 'offers'>>

export interface Warning {
  readonly name: string
  /** Place of the cap, from 1. */
  readonly cap?: number
}

const seconds = {
  hour: 3_600,
  day: 86_400,
  week: 604_800,
  month: 2_678_400,
  year: 31_622_400,
} as const

const resets = { daily: 'day', weekly: 'week', monthly: 'month' } as const

/** How many periods of quota one window of a cap can reach into. */
const reached: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  never: { hour: 1, day: 1, week: 1, month: 1, custom: 1 },
  daily: { hour: 1, day: 1, week: 7, month: 31 },
  weekly: { hour: 1, day: 1, week: 1, month: 6 },
  monthly: { hour: 1, day: 1, week: 2, month: 1 },
}

/** Windows that lie whole within another. */
const within: Readonly<Record<string, readonly string[]>> = {
  hour: ['day', 'week', 'month'],
  day: ['week', 'month'],
}

export function warningsOf(plan: Judged): readonly Warning[] {
  const named = (name: string, applies: boolean) => (applies ? [{ name }] : [])
  return [
    ...named('unsold', !plan.allow_balance_pay && plan.offers?.length === 0),
    ...named('free', plan.allow_balance_pay && Number(plan.balance_price) === 0),
    ...named('twice', plan.quota_reset_period !== 'custom' && isShorterThanReset(plan)),
    ...named('neverAnew', plan.quota_reset_period === 'custom' && isShorterThanReset(plan)),
    ...named('longTrial', plan.trial_days * seconds.day > durationOf(plan)),
    ...named('groupNotPaid', movesOutOfItsGroups(plan)),
    ...plan.caps.flatMap((cap, place) =>
      isIdle(cap, plan) ? [{ name: 'idleCap', cap: place + 1 }] : [],
    ),
  ]
}

function durationOf({ duration_unit: unit, duration_value, custom_seconds }: Judged): number {
  return unit === 'custom' ? custom_seconds : seconds[unit] * duration_value
}

function isShorterThanReset(plan: Judged): boolean {
  const { quota_reset_period: reset, quota_reset_custom_seconds: custom } = plan
  if (reset === 'never') return false
  const every = reset === 'custom' ? custom : seconds[resets[reset]]
  return durationOf(plan) <= every
}

function movesOutOfItsGroups({ upgrade_group: to, groups }: Judged): boolean {
  return to !== '' && groups.length > 0 && !groups.includes(to)
}

/** It never binds: the quota of its time, or a cap around it, ends sooner. */
function isIdle(cap: Judged['caps'][number], plan: Judged): boolean {
  const amount = BigInt(cap.amount)
  const quota = BigInt(plan.total_amount)
  const periods = reached[plan.quota_reset_period]?.[cap.period]
  if (quota > 0n && periods !== undefined && amount >= quota * BigInt(periods)) return true
  return plan.caps.some(
    (other) => within[cap.period]?.includes(other.period) && amount >= BigInt(other.amount),
  )
}
