/** What users do of their own subscriptions. */
import type { Answer, ManagementRequest } from '../../../kernel/contract/management.js'
import type { Services } from '../../../kernel/contract/service.js'
import { signedIn } from '../../../kernel/toolkit/management/index.js'
import { decimalAmount } from '../../../kernel/toolkit/payment/index.js'
import type { Subscription, Subscriptions } from '../../services/subscriptions/index.js'
import type {
  BuyForm,
  ExchangeForm,
  PlanIdForm,
  PreferenceForm,
  QuoteForm,
  RenewalForm,
} from './forms.js'
import { offeredPlanRecord, periodRecord, subscriptionRecord } from './records.js'

/** Those on sale, with how they are paid and whether the caller may. */
export async function plans(
  userId: number,
  { subscriptions, payments }: Pick<Services, 'subscriptions' | 'payments'>,
) {
  const [all, standing] = await Promise.all([
    subscriptions.plans.list({ isOn: true }),
    subscriptions.standing(userId),
  ])
  return all.map((plan) =>
    offeredPlanRecord(plan, payments.planOffers(plan), standing.get(plan.id)),
  )
}

export async function periods(request: ManagementRequest, subscriptions: Subscriptions) {
  const { userId } = signedIn(request)
  return periodsOf(await subscriptions.get(Number(request.params.id), userId), subscriptions)
}

export async function periodsOf({ id }: Pick<Subscription, 'id'>, subscriptions: Subscriptions) {
  return (await subscriptions.periods(id)).map(periodRecord)
}

/** Subscriptions that are shown, newest first. */
const shownMax = 100

export async function overview(userId: number, subscriptions: Subscriptions) {
  const [{ items }, billing_preference] = await Promise.all([
    subscriptions.list({ userId, offset: 0, limit: shownMax }),
    subscriptions.preference(userId),
  ])
  const active = items.filter(({ state }) => state === 'active')
  const usage = await subscriptions.usage(active.map(({ id }) => id))
  const shown = (one: Subscription) => ({
    subscription: subscriptionRecord(one, usage.get(one.id)),
  })
  const byEnd = active.toSorted((one, other) => one.endsAt.getTime() - other.endsAt.getTime())
  return {
    billing_preference,
    subscriptions: byEnd.map(shown),
    all_subscriptions: items.map(shown),
  }
}

export async function setPreference(
  request: ManagementRequest<unknown, PreferenceForm>,
  subscriptions: Subscriptions,
): Promise<Answer> {
  const { userId } = signedIn(request)
  const { billing_preference } = request.body
  await subscriptions.setPreference(userId, billing_preference)
  const audit = { object: `user ${userId}`, detail: `prefers ${billing_preference}` }
  return { answer: true, data: null, audit }
}

export async function quote(
  request: ManagementRequest<unknown, QuoteForm>,
  subscriptions: Subscriptions,
) {
  const { userId } = signedIn(request)
  const { plan_id: planId, replaces, currency } = request.body
  const { price, valueLeft } = await subscriptions.quote({ userId, planId, replaces, currency })
  const shown = (amount: bigint) =>
    currency === undefined ? String(amount) : decimalAmount(amount, currency)
  return { price: shown(price), value_left: shown(valueLeft), currency: currency ?? '' }
}

export async function buy(
  request: ManagementRequest<unknown, BuyForm>,
  subscriptions: Subscriptions,
): Promise<Answer> {
  const { userId } = signedIn(request)
  const { moneyKey: key, requestId } = request
  const { plan_id: planId, replaces, renews } = request.body
  const made = await subscriptions.buy({ userId, planId, replaces, renews, key, requestId })
  return opened(made, subscriptions)
}

export async function exchange(
  request: ManagementRequest<unknown, ExchangeForm>,
  subscriptions: Subscriptions,
): Promise<Answer> {
  const { userId } = signedIn(request)
  const { plan_id: planId, replaces, currency } = request.body
  const { requestId } = request
  const made = await subscriptions.exchange({ userId, planId, replaces, currency, requestId })
  return opened(made, subscriptions)
}

export async function tryPlan(
  request: ManagementRequest<unknown, PlanIdForm>,
  subscriptions: Subscriptions,
): Promise<Answer> {
  const { userId } = signedIn(request)
  const { requestId } = request
  const made = await subscriptions.try({ userId, planId: request.body.plan_id, requestId })
  return opened(made, subscriptions)
}

export async function setRenewal(
  request: ManagementRequest<unknown, RenewalForm>,
  subscriptions: Subscriptions,
): Promise<Answer> {
  const { userId } = signedIn(request)
  const id = Number(request.params.id)
  const { renews } = request.body
  return opened(await subscriptions.setRenewal({ id, userId, renews }), subscriptions)
}

/** With what is left of it. */
export async function opened(made: Subscription, subscriptions: Subscriptions): Promise<Answer> {
  const usage = await subscriptions.usage([made.id])
  const { id, userId, planId } = made
  const audit = { object: `subscription ${id}`, detail: `plan ${planId} of user ${userId}` }
  return { answer: true, data: subscriptionRecord(made, usage.get(id)), audit }
}
