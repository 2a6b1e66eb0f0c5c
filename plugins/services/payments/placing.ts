/** Making an order: it is stored before its payment is opened, so that no report of it can come too early. */
import { randomBytes } from 'node:crypto'
import type { Knex } from 'knex'
import type { Clock, Log } from '../../../kernel/contract/kit.js'
import type { Checkout, RecurringOrder } from '../../../kernel/contract/payment.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { type Addresses, callbackOf } from './addresses.js'
import type { LoadedGateway } from './gateways.js'
import type { OrderNews } from './order-news.js'
import type { OrderPrice, Payer, Placed } from './payments.js'
import { chosenMethod } from './price.js'
import { type OrderRow, orderOf } from './rows.js'

export interface PlacingDependencies {
  readonly database: Pick<Database, 'knex'>
  readonly news: OrderNews
  readonly clock: Clock
  readonly log: Log
  /** Unpaid orders a user may have. */
  readonly ordersMax: () => number
  readonly orderMs: () => number
  /** Throws a `Refusal` where nobody could come back. */
  readonly addresses: () => Addresses
}

export interface Placing {
  readonly payer: Payer
  readonly gateway: LoadedGateway
  readonly method?: string
  readonly keepsMandate?: boolean
  /** Within the transaction that locked the payer. Rejects with a `Refusal`. */
  readonly draft: (trx: Knex.Transaction) => Promise<Draft>
}

/** What is to be ordered. */
export interface Draft {
  readonly price: OrderPrice
  /** Of the gateway; empty: none. */
  readonly product: string
  readonly plan?: PlanDraft
}

interface PlanDraft {
  readonly id: number
  readonly replaces?: number
  /** Absent: it is paid once. */
  readonly every?: RecurringOrder['every']
}

export async function placeOrder(
  placing: Placing,
  dependencies: PlacingDependencies,
): Promise<Placed> {
  const { knex } = dependencies.database
  chosenMethod(placing.method, placing.gateway.offer)
  const addresses = dependencies.addresses()
  const { row, draft } = await knex.transaction((trx) => stored(trx, placing, dependencies))
  try {
    const checkout = await opened(row, draft, placing, addresses)
    const { reference } = checkout
    if (reference !== undefined) {
      await knex('payment_orders')
        .where('order_no', row.order_no)
        .update({ checkout_reference: reference })
    }
    return { order: orderOf({ ...row, checkout_reference: reference ?? null }), checkout }
  } catch (err) {
    const { title } = placing.gateway
    dependencies.log.error({ err, order: row.order_no }, 'a payment could not be opened')
    await knex.transaction((trx) => fail(row, dependencies.news, trx))
    throw new Refusal('payment_failed', { gateway: title, param: 'gateway' }, { cause: err })
  }
}

async function fail(
  { order_no, user_id }: OrderRow,
  news: OrderNews,
  trx: Knex.Transaction,
): Promise<void> {
  const failed = { state: 'failed', reason: 'The payment could not be opened.' }
  await trx('payment_orders').where({ order_no, state: 'pending' }).update(failed)
  await news.note(trx, user_id)
}

/** The row of the user is locked, so that of orders at the same time none passes the limit. */
async function stored(
  trx: Knex.Transaction,
  { payer, gateway, method = '', keepsMandate = false, draft }: Placing,
  { news, clock, ordersMax, orderMs }: PlacingDependencies,
): Promise<{ readonly row: OrderRow; readonly draft: Draft }> {
  const user = await trx('users')
    .where({ id: payer.id, status: 1 })
    .whereNull('deleted_at')
    .forNoKeyUpdate()
    .first('id')
  if (user === undefined) throw new Refusal('gone_missing', { what: 'user' })
  const open = { user_id: payer.id, state: 'pending', automatic: false }
  const [counted] = await trx('payment_orders').where(open).count('* as count')
  if (Number(counted?.count ?? 0) >= ordersMax()) {
    const reason = `You have ${ordersMax()} orders that are not paid. Pay one of them, or wait until it expires.`
    throw new Refusal('conflict', { reason, param: 'amount' })
  }
  const drafted = await draft(trx)
  const { price, product, plan } = drafted
  const [row] = await trx('payment_orders')
    .insert({
      order_no: newOrderNo(),
      ...{ user_id: payer.id, gateway: gateway.name, method, product },
      ...{ amount_minor: price.amountMinor, currency: price.currency, quota: price.quota },
      ...{ price: JSON.stringify(price.basis), is_test: gateway.offer.isTest },
      ...{ plan_id: plan?.id ?? null, subscription_id: plan?.replaces ?? null },
      ...{ recurring: plan?.every !== undefined, keeps_mandate: keepsMandate },
      created_at: new Date(clock.now()),
      expires_at: new Date(clock.now() + orderMs()),
    })
    .returning<OrderRow[]>('*')
  await news.note(trx, payer.id)
  return { row: row!, draft: drafted }
}

export function newOrderNo(): string {
  return randomBytes(16).toString('hex')
}

function opened(
  row: OrderRow,
  { price, product, plan }: Draft,
  { payer, gateway: { name, plugin }, method, keepsMandate }: Placing,
  addresses: Addresses,
): Promise<Checkout> {
  const wallet = `${addresses.pages}/wallet?order=${row.order_no}`
  const order = {
    orderNo: row.order_no,
    amountMinor: price.amountMinor,
    currency: price.currency,
    title: price.title,
    methodId: method,
    productId: product === '' ? undefined : product,
    payer,
    returnUrl: wallet,
    cancelUrl: `${wallet}&left=true`,
    callbackUrl: callbackOf(addresses, name),
    expiresAt: row.expires_at.getTime(),
  }
  const every = plan?.every
  if (every !== undefined) return plugin.subscribe!({ ...order, every })
  return plugin.checkout(keepsMandate === true ? { ...order, keepsMandate } : order)
}
