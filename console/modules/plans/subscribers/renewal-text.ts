/** How a subscription goes on at its end. */
import type { Subscription } from '../../../api/subscriptions.js'
import type { Quota } from '../../../ui/money.js'

export interface TextTools {
  readonly t: (key: string, named?: Readonly<Record<string, unknown>>) => string
  readonly money: (quota: Quota) => string
}

export function renewalText(
  { renewal, renewal_price, gateway }: Subscription,
  { t, money }: TextTools,
): string {
  return t(`plans.renewals.${renewal || 'none'}`, { price: money(renewal_price), gateway })
}
