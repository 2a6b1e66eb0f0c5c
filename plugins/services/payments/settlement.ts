/**
 * One transaction from a report to its credit: the order is locked, the report judged, the credit posted under the order's
 * key, the report kept. Whatever fails, nothing has happened, and the provider sends it again (PAY-3, PAY-5).
 */
import type { Knex } from 'knex'
import type { PaymentNotice } from '../../../kernel/contract/payment.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import type { Ledger } from '../ledger/index.js'
import type { Notifications } from '../notifications/index.js'
import type { Subscriptions } from '../subscriptions/index.js'
import { alertRoot, misfits, notifyPayer } from './alerts.js'
import { detailOf, hasReturned, keep, wasDecided } from './inbox.js'
import { type Judgement, judged, type OrderChange, quotaBack } from './judge.js'
import { keepMandate } from './mandates.js'
import type { OrderNews } from './order-news.js'
import type { CallbackOrigin, EventVerdict, OrderState, PaymentOrder } from './payments.js'
import { endPlan, openPlan } from './plan-paid.js'
import { type OrderRow, orderOf } from './rows.js'

export interface SettlementDependencies {
  readonly database: Pick<Database, 'knex'>
  readonly ledger: Pick<Ledger, 'post'>
  readonly notifications: Pick<Notifications, 'notify' | 'notifyRoot'>
  readonly subscriptions: Pick<Subscriptions, 'paid' | 'end' | 'heir'>
  readonly news: OrderNews
  /** Unix milliseconds. */
  readonly now: () => number
}

interface Reported {
  readonly gateway: string
  readonly notice: PaymentNotice
  readonly from: CallbackOrigin
  readonly body?: Buffer
}

export interface Settled {
  readonly verdict: EventVerdict
  readonly orderNo?: string
  /** When the report came first. */
  readonly firstAt: Date
}

export type Settle = (reported: Reported) => Promise<Settled>

/** Rejects where the database does. */
export function createSettle(dependencies: SettlementDependencies): Settle {
  const { database, ledger, notifications, subscriptions, news, now } = dependencies
  const parts = { ledger, notifications, subscriptions, news }
  return ({ gateway, notice, from, body }) =>
    database.knex.transaction(async (trx) => {
      const row = await lockedOrder(trx, gateway, notice)
      const { verdict: judged, change } = await judgement(trx, row, { gateway, notice })
      const at = new Date(now())
      const order =
        row &&
        change &&
        (await applied({ trx, ...parts, row, requestId: from.requestId, at }, change))
      const verdict = change !== undefined && order === undefined ? 'subscription_ended' : judged
      const { address } = from
      const orderNo = row?.order_no ?? notice.orderNo
      const detail = detailOf(notice)
      const report = { gateway, event: notice.event, orderNo, verdict, detail, body, address }
      if (row !== undefined) await news.note(trx, row.user_id)
      if (misfits.has(verdict)) await alertRoot(report, notifications, trx)
      return { verdict, orderNo, firstAt: await keep(trx, report, at) }
    })
}

/** A payment pays one order: of two that name the same, the one that was credited first has it. */
async function judgement(
  trx: Knex.Transaction,
  row: OrderRow | undefined,
  { gateway, notice }: Pick<Reported, 'gateway' | 'notice'>,
): Promise<Judgement> {
  if (row === undefined) return { verdict: 'unknown_order' }
  const found = judged(orderOf(row), gateway, notice)
  if (found.verdict === 'returned' && (await isOver(trx, gateway, notice, row.order_no))) {
    return { verdict: 'without_effect' }
  }
  const reference = found.change?.paid?.reference ?? found.change?.reference
  if (reference === undefined) return found
  const other = await trx('payment_orders')
    .where({ gateway, payment_reference: reference })
    .whereNot('order_no', row.order_no)
    .first('order_no')
  return other === undefined ? found : { verdict: 'duplicate_payment' }
}

/** Reports come twice and in any order: what was dealt with, or decided before it was heard of, moves nothing. */
async function isOver(
  trx: Knex.Transaction,
  gateway: string,
  notice: PaymentNotice,
  orderNo: string,
): Promise<boolean> {
  if (await hasReturned(trx, gateway, notice.event)) return true
  return notice.state === 'disputed' && wasDecided(trx, gateway, notice, orderNo)
}

/** By its number, else by what the provider called its payment or its checkout. */
async function lockedOrder(
  trx: Knex.Transaction,
  gateway: string,
  { orderNo, reference }: PaymentNotice,
): Promise<OrderRow | undefined> {
  const found = trx<OrderRow>('payment_orders').forNoKeyUpdate()
  if (orderNo !== undefined) return found.where('order_no', orderNo).first()
  const paid = await found.clone().where({ gateway, payment_reference: reference }).first()
  return paid ?? found.where({ gateway, checkout_reference: reference }).first()
}

export interface ApplyOptions {
  readonly trx: Knex.Transaction
  readonly ledger: Pick<Ledger, 'post'>
  readonly notifications: Pick<Notifications, 'notify' | 'notifyRoot'>
  readonly subscriptions: Pick<Subscriptions, 'paid' | 'end' | 'heir'>
  readonly news: OrderNews
  /** Locked. */
  readonly row: OrderRow
  readonly requestId: string
  readonly at: Date
}

/** Undefined: it is for a subscription that had been changed or ended by then; nothing was done. */
export async function applied(
  options: ApplyOptions,
  change: OrderChange,
): Promise<PaymentOrder | undefined> {
  const { trx, row, at } = options
  const { state, reason, paid, reference, mandate } = change
  if (mandate !== undefined) await keepMandate(row, mandate, at, trx)
  const subscription = paid && row.plan_id !== null ? await openPlan(options, paid) : undefined
  if (paid !== undefined) {
    if (row.plan_id === null) await credit(options)
    else if (subscription === undefined) return undefined
    await notifyPayer(orderOf(row), options.notifications, trx)
  }
  const changed: OrderRow = {
    ...row,
    ...(subscription !== undefined && { subscription_id: subscription.id }),
    ...(state !== undefined && { state }),
    ...(reason !== undefined && { reason }),
    ...(paid !== undefined && { paid_minor: paid.minor, completed_at: at }),
    ...(paid !== undefined && paid.reference !== '' && { payment_reference: paid.reference }),
    ...(reference !== undefined && { payment_reference: reference }),
    refunded_minor: change.refundedMinor ?? row.refunded_minor,
    disputed_minor: change.disputedMinor ?? row.disputed_minor,
  }
  const back = await takenBack(options, changed)
  await trx('payment_orders')
    .where('order_no', row.order_no)
    .update(columnsOf({ ...changed, ...back }))
  return orderOf({ ...changed, ...back })
}

async function credit(options: ApplyOptions): Promise<void> {
  const { trx, ledger, news, row, requestId } = options
  const { order_no, user_id, quota, gateway } = row
  const note = `Top-up by ${gateway}, order ${order_no}`
  await ledger.post(
    {
      ...{ key: `topup:${order_no}`, kind: 'topup', userId: user_id },
      ...{ amount: BigInt(quota), requestId, note },
    },
    trx,
  )
  await news.balance(trx, user_id)
}

/** Posts what has to be taken back, or given again, since the last time. A wallet may fall below zero by it, and then stops. */
async function takenBack(options: ApplyOptions, changed: OrderRow) {
  const { trx, ledger, news, row, requestId } = options
  const order = orderOf(changed)
  const target = quotaBack(order)
  const more = target - order.returned
  const state = stateOf(order)
  if (state === 'refunded' && row.state === 'paid' && row.plan_id !== null) await endPlan(options)
  if (more === 0n) return { state }
  const returns = changed.returns + 1
  const what = more > 0n ? 'Paid back' : 'A dispute was won'
  await ledger.post(
    {
      ...{ key: `chargeback:${order.orderNo}:${returns}`, kind: 'chargeback' },
      ...{ userId: order.userId, amount: -more, mayOverdraw: true, requestId },
      note: `${what}: order ${order.orderNo}`,
    },
    trx,
  )
  await news.balance(trx, order.userId)
  return { state, returned: target, returns }
}

function stateOf({
  completedAt,
  state,
  paidMinor = 0n,
  refundedMinor,
  disputedMinor,
}: PaymentOrder): OrderState {
  if (completedAt === undefined) return state
  const back = refundedMinor + disputedMinor
  return back > 0n && back >= paidMinor ? 'refunded' : 'paid'
}

function columnsOf(row: OrderRow) {
  const { state, reason, payment_reference, paid_minor, completed_at } = row
  const { refunded_minor, disputed_minor, returned, returns, subscription_id } = row
  return {
    subscription_id,
    ...{ state, reason, payment_reference, paid_minor, completed_at },
    ...{ refunded_minor, disputed_minor, returned, returns },
  }
}
