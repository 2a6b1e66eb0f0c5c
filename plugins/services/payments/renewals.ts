/**
 * What a provider reports of payments that repeat: another duration was paid, could not be collected, or nothing is collected
 * any more. A payment becomes an order of its own and renews its subscription in one transaction, once (PAY-5).
 */
import type { Knex } from 'knex'
import type { RenewalNotice } from '../../../kernel/contract/payment.js'
import type { Subscription, Subscriptions } from '../subscriptions/index.js'
import { alertRoot, misfits, notifyRenewal } from './alerts.js'
import { detailOf, keep } from './inbox.js'
import type { CallbackOrigin, EventVerdict } from './payments.js'
import { newOrderNo } from './placing.js'
import type { OrderRow } from './rows.js'
import type { Settled, SettlementDependencies } from './settlement.js'

interface Reported {
  readonly gateway: string
  readonly renewal: RenewalNotice
  readonly from: CallbackOrigin
  readonly body?: Buffer
}

export interface RenewalDependencies extends Omit<SettlementDependencies, 'subscriptions'> {
  readonly subscriptions: Pick<Subscriptions, 'byAgreement' | 'renewed' | 'agreementEnded'>
}

export type Renew = (reported: Reported) => Promise<Settled>

interface Judgement {
  readonly verdict: EventVerdict
  readonly orderNo?: string
}

/** Rejects where the database does. */
export function createRenew(dependencies: RenewalDependencies): Renew {
  const { database, notifications, now } = dependencies
  return (reported) =>
    database.knex.transaction(async (trx) => {
      const judgement = await judged(trx, reported, dependencies)
      const { gateway, renewal, body, from } = reported
      const { event } = renewal
      const { address } = from
      const report = { gateway, event, detail: detailOf(renewal), body, address, ...judgement }
      if (misfits.has(judgement.verdict)) await alertRoot(report, notifications, trx)
      return { ...judgement, firstAt: await keep(trx, report, new Date(now())) }
    })
}

async function judged(
  trx: Knex.Transaction,
  reported: Reported,
  dependencies: RenewalDependencies,
): Promise<Judgement> {
  const { gateway, renewal } = reported
  const { subscriptions, notifications } = dependencies
  const subscription = await subscriptions.byAgreement(gateway, renewal.agreement, trx)
  if (subscription === undefined) return { verdict: 'unknown_order' }
  const { orderNo } = subscription
  switch (renewal.state) {
    case 'ended':
      await subscriptions.agreementEnded(subscription.id, trx)
      return { verdict: 'noted', orderNo }
    case 'failed':
      await notifyRenewal('failed', renewal.event, subscription, notifications, trx)
      return { verdict: 'noted', orderNo }
    default:
      return paid(trx, reported, subscription, dependencies)
  }
}

async function paid(
  trx: Knex.Transaction,
  { gateway, renewal, from }: Reported,
  subscription: Subscription,
  { subscriptions, notifications, news, now }: RenewalDependencies,
): Promise<Judgement> {
  const { reference, agreement } = renewal
  const known = await trx<OrderRow>('payment_orders')
    .where({ gateway, payment_reference: reference! })
    .first('order_no')
  if (known !== undefined) return { verdict: 'already_paid', orderNo: known.order_no }
  const first = await trx<OrderRow>('payment_orders')
    .where('order_no', subscription.orderNo!)
    .first()
  const { orderNo } = subscription
  const misfit = misfitOf(renewal, first as OrderRow)
  if (misfit !== undefined) return { verdict: misfit, orderNo }
  if (subscription.state === 'cancelled') return { verdict: 'subscription_ended', orderNo }
  const order = orderColumns(first as OrderRow, renewal, subscription.id, new Date(now()))
  await trx('payment_orders').insert(order)
  await news.note(trx, order.user_id)
  const { currency, paid_minor: paidMinor } = order
  const { requestId } = from
  await subscriptions.renewed({ gateway, agreement, paidMinor, currency, requestId }, trx)
  await notifyRenewal('paid', renewal.event, subscription, notifications, trx)
  return { verdict: 'credited', orderNo: order.order_no }
}

/** What was agreed with the first payment holds for every other. */
function misfitOf(
  { isTest, currency, amountMinor = 0n, discountMinor = 0n }: RenewalNotice,
  first: OrderRow,
): EventVerdict | undefined {
  if (isTest !== undefined && isTest !== first.is_test) return 'wrong_mode'
  if (currency !== undefined && currency.toUpperCase() !== first.currency) return 'wrong_currency'
  return amountMinor + discountMinor === BigInt(first.amount_minor) ? undefined : 'wrong_amount'
}

function orderColumns(first: OrderRow, renewal: RenewalNotice, subscriptionId: number, at: Date) {
  const { user_id, gateway, method, product, currency, is_test, plan_id, price } = first
  const basis = { title: price.title, renews: first.order_no }
  return {
    order_no: newOrderNo(),
    ...{ user_id, gateway, method, product, currency, is_test, plan_id },
    ...{ amount_minor: BigInt(first.amount_minor), quota: 0n, price: JSON.stringify(basis) },
    ...{ subscription_id: subscriptionId, recurring: true, state: 'paid' },
    ...{ payment_reference: renewal.reference!, paid_minor: renewal.amountMinor ?? 0n },
    ...{ created_at: at, expires_at: at, completed_at: at },
  }
}
