/** What the form of automatic top-up begins with: what was set, else small usual amounts, which nobody is charged unseen. */
import type { AutoTopup } from '../../../api/auto-topup.js'
import type { TopUpInfo } from '../../../api/payments.js'
import { usualAmount } from '../use-purchase.js'

export interface Terms {
  /** In quota units. */
  below: number
  /** Units of account. Null: nothing is typed. */
  amount: number | null
  monthly_cap: number | null
  gateway: string
}

/** Payments a month that are suggested at first. */
const paymentsUsual = 5

export function termsOf(auto: AutoTopup, info: TopUpInfo | undefined, perUnit: number): Terms {
  const { below, amount, monthly_cap, monthly_cap_max, mandates } = auto
  const used = mandates.find(({ gateway }) => gateway === auto.gateway) ?? mandates[0]
  const gateway = used?.gateway ?? ''
  if (amount > 0) return { below: Number(below), amount, monthly_cap, gateway }
  const offered = info?.gateways.find(({ name }) => name === gateway)
  const usual = usualAmount(offered?.amount_min ?? 1, info?.amount_options ?? [])
  const most = (units: number) => Math.min(units, monthly_cap_max)
  const counts = { amount: most(usual), monthly_cap: most(usual * paymentsUsual) }
  return { below: perUnit, ...counts, gateway }
}
