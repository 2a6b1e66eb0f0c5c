/** Ways to a subscription: from the wallet, by a paid order, as a trial, by an admin, and as a newcomer. */
import type { Knex } from 'knex'
import { ended } from './ending.js'
import { type Opening, opened } from './opening.js'
import { pinnedOf, usedBy } from './pinned.js'
import { offeredPlan, quoted } from './quoting.js'
import { type PlanRow, planOf, type SubscriptionRow, subscriptionOf } from './rows.js'
import type {
  BalancePurchase,
  PaidPlan,
  Plan,
  PlanExchange,
  PlanGrant,
  Subscription,
  TrialRequest,
} from './subscriptions.js'
import { conflicting, invalid, lockedSubscription, presentUser, type Tools } from './tools.js'

export async function bought(
  { userId, planId, replaces, renews, key, requestId }: BalancePurchase,
  tools: Tools,
  trx: Knex.Transaction,
): Promise<Subscription> {
  const user = await presentUser(userId, trx)
  const { plan, price } = await quoted({ userId, planId, replaces }, tools, trx)
  if (price > 0n) await pay({ userId, price, plan, key, requestId }, tools, trx)
  await endReplaced(replaces, plan, tools, trx)
  const renewal = renews ? { renewal: 'balance' as const, renewalQuota: plan.balancePrice! } : {}
  const { terms } = plan
  const opening: Opening = {
    user,
    planId,
    terms,
    source: 'balance',
    requestId,
    replaces,
    ...renewal,
  }
  return opened({ ...opening, paidQuota: plan.balancePrice }, tools, trx)
}

/** A change of plan that costs nothing, since what is left of the other is worth as much. */
export async function exchanged(
  { userId, planId, replaces, currency, requestId }: PlanExchange,
  tools: Tools,
  trx: Knex.Transaction,
): Promise<Subscription> {
  const user = await presentUser(userId, trx)
  const { plan, price, valueLeft } = await quoted(
    { userId, planId, replaces, currency },
    tools,
    trx,
  )
  if (price > 0n) throw conflicting('plan_id', 'This change costs something. Pay for it instead.')
  await endReplaced(replaces, plan, tools, trx)
  const { terms } = plan
  const paid = { minor: valueLeft, currency }
  return opened({ user, planId, terms, source: 'order', requestId, replaces, paid }, tools, trx)
}

interface Payment {
  readonly userId: number
  readonly price: bigint
  readonly plan: Plan
  readonly key: string
  readonly requestId: string
}

async function pay(
  { userId, price, plan, key, requestId }: Payment,
  { ledger }: Tools,
  trx: Knex.Transaction,
): Promise<void> {
  const { verdict } = await ledger.post(
    {
      ...{ key: `sub_buy:${key}`, kind: 'sub_buy', userId, amount: -price, requestId },
      note: `Subscription of the plan "${plan.terms.title}"`,
    },
    trx,
  )
  if (verdict === 'already') throw conflicting('plan_id', 'This purchase was made before.')
  if (verdict === 'posted') return
  throw invalid('plan_id', 'Your balance does not hold the price of this plan.')
}

/** Also one that has run out by then: no late payment begins it again, and what was left of it is taken off no other price. */
async function endReplaced(
  replaces: number | undefined,
  plan: Pick<Plan, 'terms'>,
  tools: Tools,
  trx: Knex.Transaction,
): Promise<void> {
  if (replaces === undefined) return
  const row = await lockedSubscription(replaces, trx)
  const changes = { state: 'cancelled', reason: `Replaced by "${plan.terms.title}".` } as const
  if (row?.state === 'active') await ended(row, changes, tools, trx)
  else await trx('subscriptions').where('id', replaces).update(changes)
}

/** What was agreed when the order was made holds, also where the plan is off by now: the money has come. */
export async function paidFor(
  order: PaidPlan,
  tools: Tools,
  trx: Knex.Transaction,
): Promise<Subscription | undefined> {
  const { orderNo, planId, userId, gateway, agreement, requestId } = order
  const { terms, replaced } = pinnedOf(order.pinned)
  const user = await trx('users').where({ id: userId }).forNoKeyUpdate().first('id', 'group')
  const before = await trx<SubscriptionRow>('subscriptions').where('order_no', orderNo).first()
  if (before !== undefined) return subscriptionOf(before as SubscriptionRow)
  const old = replaced && (await lockedSubscription(replaced.id, trx))
  if (old?.state === 'cancelled') return undefined
  const carried = replaced && (await usedBy(replaced.id, tools.ledger, trx)) - replaced.used
  await endReplaced(replaced?.id, { terms }, tools, trx)
  const minor = order.paidMinor + (replaced?.takenOff ?? 0n)
  const opening: Opening = {
    ...{ user: user!, planId, terms, source: 'order', requestId, orderNo },
    ...{ replaces: replaced?.id, carried, gateway, agreement },
    paid: { minor, currency: order.currency },
    renewal: agreement === undefined ? '' : 'gateway',
  }
  return opened(opening, tools, trx)
}

export async function tried(
  { userId, planId, requestId }: TrialRequest,
  tools: Tools,
  trx: Knex.Transaction,
): Promise<Subscription> {
  const user = await presentUser(userId, trx)
  const plan = await offeredPlan(planId, trx)
  if (plan.trialDays === 0) throw invalid('plan_id', 'This plan cannot be tried.')
  const before = await trx('subscriptions').where({ user_id: userId, plan_id: planId }).first('id')
  if (before !== undefined) {
    throw conflicting('plan_id', 'You have tried this plan, or had it, before.')
  }
  const duration = { unit: 'day', count: plan.trialDays } as const
  const terms = { ...plan.terms, duration }
  return opened({ user, planId, terms, source: 'trial', requestId }, tools, trx)
}

/** Also a plan that is off: an admin decides. */
export async function granted(
  { userId, planId, requestId }: PlanGrant,
  tools: Tools,
  trx: Knex.Transaction,
): Promise<Subscription> {
  const user = await presentUser(userId, trx)
  const row = await trx<PlanRow>('subscription_plans').where({ id: planId }).first()
  if (row === undefined) throw invalid('plan_id', 'There is no such plan.')
  const { terms } = planOf(row as PlanRow)
  return opened({ user, planId, terms, source: 'admin', requestId }, tools, trx)
}

/** Where the plan is gone or off, nobody is kept from joining. */
export async function welcomed(
  { userId, planId, requestId }: PlanGrant,
  tools: Tools,
  trx: Knex.Transaction,
): Promise<void> {
  const row = await trx<PlanRow>('subscription_plans').where({ id: planId, is_on: true }).first()
  if (row === undefined) {
    tools.log.warn({ planId }, 'the plan of new users does not exist or is off')
    return
  }
  const user = await presentUser(userId, trx)
  const { terms } = planOf(row as PlanRow)
  await opened({ user, planId, terms, source: 'welcome', requestId }, tools, trx)
}
