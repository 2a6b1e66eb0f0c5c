/** Orders of plans: what a gateway sells a plan for, and what is pinned of it. */
import type { Knex } from 'knex'
import type { RecurringOrder } from '../../../kernel/contract/payment.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { Plan, Subscriptions } from '../subscriptions/index.js'
import type { LoadedGateway } from './gateways.js'
import type { PlanOffer, PlanOrderRequest } from './payments.js'
import type { Draft } from './placing.js'

/** In which currency a gateway sells it: its own, else that of its product. Undefined: it does not sell it. */
function currencyOf(plan: Plan, { name, offer }: LoadedGateway): string | undefined {
  const hasProduct = Object.hasOwn(plan.products, name)
  if (offer.products !== undefined && !hasProduct) return undefined
  const currency = Object.hasOwn(plan.prices, offer.currency)
    ? offer.currency
    : hasProduct
      ? Object.keys(plan.prices)[0]
      : undefined
  return currency !== undefined && plan.prices[currency]! > 0n ? currency : undefined
}

/** Undefined: the gateway does not sell it. */
export function planOffer(plan: Plan, gateway: LoadedGateway): PlanOffer | undefined {
  const currency = currencyOf(plan, gateway)
  if (currency === undefined) return undefined
  const { name, title, offer, plugin } = gateway
  const repeats = plugin.subscribe !== undefined && everyOf(plan) !== undefined
  const amountMinor = plan.prices[currency]!
  return { gateway: name, title, currency, amountMinor, repeats, isTest: offer.isTest }
}

/** Providers count in days and longer. */
function everyOf({ terms: { duration } }: Plan): RecurringOrder['every'] | undefined {
  const { unit, count } = duration
  return unit === 'second' || unit === 'hour' ? undefined : { unit, count }
}

/** Within the transaction that locked the payer. Rejects with a `Refusal` that names the field. */
export async function planDraft(
  { payer, planId, replaces, recurring }: PlanOrderRequest,
  gateway: LoadedGateway,
  subscriptions: Pick<Subscriptions, 'plans' | 'quote'>,
  trx: Knex.Transaction,
): Promise<Draft> {
  const plan = await subscriptions.plans.get(planId, trx)
  if (plan === undefined) throw invalid('plan_id', 'There is no such plan.')
  const offer = planOffer(plan, gateway)
  if (offer === undefined) {
    throw invalid('payment_method', `This plan is not sold by ${gateway.title}.`)
  }
  if (recurring && !offer.repeats) {
    throw invalid('recurring', `Payments of this plan by ${gateway.title} cannot repeat.`)
  }
  if (replaces !== undefined) await refuseSecondChange(replaces, trx)
  const unpaid = await unpaidOrders(payer.id, planId, trx)
  const { currency } = offer
  const quote = await subscriptions.quote(
    { userId: payer.id, planId, replaces, currency, unpaid },
    trx,
  )
  if (quote.valueLeft > 0n) refuseFixedPrice(gateway, recurring)
  if (quote.price === 0n) {
    throw invalid('replaces', 'This change costs nothing, so there is nothing to pay.')
  }
  const { title } = plan.terms
  const value_left = String(quote.valueLeft)
  return {
    price: {
      ...{ amountMinor: quote.price, currency, quota: 0n, title },
      basis: { title, value_left, pinned: quote.pinned },
    },
    product: plan.products[gateway.name] ?? '',
    plan: { id: planId, replaces, every: recurring ? everyOf(plan) : undefined },
  }
}

/** What is left of a subscription is taken off once, so one order at a time may change it. */
async function refuseSecondChange(replaces: number, trx: Knex.Transaction): Promise<void> {
  const pending = { subscription_id: replaces, state: 'pending' }
  const other = await trx('payment_orders').where(pending).first('order_no')
  if (other === undefined) return
  const reason = 'An order that changes this subscription waits for its payment.'
  throw new Refusal('conflict', { reason, param: 'replaces' })
}

async function unpaidOrders(
  userId: number,
  planId: number,
  trx: Knex.Transaction,
): Promise<number> {
  const [counted] = await trx('payment_orders')
    .where({ user_id: userId, plan_id: planId, state: 'pending' })
    .count('* as count')
  return Number(counted?.count ?? 0)
}

function refuseFixedPrice({ title, offer }: LoadedGateway, recurring: boolean): void {
  if (recurring) {
    throw invalid(
      'recurring',
      'What is left of your subscription cannot be taken off payments that repeat. Pay once, or let it end first.',
    )
  }
  if (offer.products !== undefined) {
    throw invalid(
      'replaces',
      `${title} sells at fixed prices, so nothing can be taken off. Choose another way to pay.`,
    )
  }
}

function invalid(param: string, reason: string): Refusal {
  return new Refusal('invalid_field', { reason, param })
}
