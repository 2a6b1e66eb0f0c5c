/** What a plan states, in the words of the person: how long it lasts, what it holds, what bounds it. */
import { useI18n } from 'vue-i18n'
import type { Cap, ShownPlan } from '../api/subscriptions.js'
import { locale } from '../shell/i18n.js'
import { useMoney } from './money.js'

type Duration = Pick<ShownPlan, 'duration_unit' | 'duration_value' | 'custom_seconds'>
type Quota = Pick<ShownPlan, 'total_amount' | 'quota_reset_period' | 'quota_reset_custom_seconds'>

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** `3 months`. */
function spanText(count: number, unit: string): string {
  const style = { style: 'unit', unit, unitDisplay: 'long' } as const
  return new Intl.NumberFormat(locale.value, style).format(count)
}

/** In the largest unit that leaves nothing over: `90 minutes`. */
export function secondsText(seconds: number): string {
  const [unit, size] = units.find(([, length]) => seconds % length === 0) ?? ['second', 1]
  return spanText(seconds / size, unit)
}

export function usePlanWords() {
  const { t } = useI18n()
  const { money } = useMoney()
  return {
    /** How long one purchase lasts. */
    duration: ({ duration_unit: unit, duration_value, custom_seconds }: Duration) =>
      unit === 'custom' ? secondsText(custom_seconds) : spanText(duration_value, unit),
    /** What one period holds, and when the next begins. */
    quota({ total_amount, quota_reset_period, quota_reset_custom_seconds }: Quota): string {
      if (BigInt(total_amount) === 0n) return t('shell.plan.boundless')
      const span = secondsText(quota_reset_custom_seconds)
      return t(`shell.plan.quotas.${quota_reset_period}`, { amount: money(total_amount), span })
    },
    cap: ({ period, custom_seconds, amount }: Cap) =>
      t(`shell.plan.caps.${period}`, { amount: money(amount), span: secondsText(custom_seconds) }),
  }
}
