/** Making an order: it is stored before its payment is opened, so that no report of it can come too early. */
import { randomBytes } from 'node:crypto'
import type { Knex } from 'knex'
import type { Clock, Log } from '../../../kernel/contract/kit.js'
import type { Checkout } from '../../../kernel/contract/payment.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { type Addresses, callbackOf } from './addresses.js'
import type { LoadedGateway } from './gateways.js'
import type { OrderPrice, Placed, PlaceRequest } from './payments.js'
import { type OrderRow, orderOf } from './rows.js'

export interface PlacingDependencies {
  readonly database: Pick<Database, 'knex'>
  readonly clock: Clock
  readonly log: Log
  /** Unpaid orders a user may have. */
  readonly ordersMax: () => number
  readonly orderMs: () => number
  /** Throws a `Refusal` where nobody could come back. */
  readonly addresses: () => Addresses
}

export async function placeOrder(
  request: PlaceRequest,
  priced: { readonly gateway: LoadedGateway; readonly price: OrderPrice },
  dependencies: PlacingDependencies,
): Promise<Placed> {
  const { knex } = dependencies.database
  const addresses = dependencies.addresses()
  const row = await knex.transaction((trx) => stored(trx, request, priced, dependencies))
  try {
    const checkout = await opened(row, request, { ...priced, addresses })
    const { reference } = checkout
    if (reference !== undefined) {
      await knex('payment_orders')
        .where('order_no', row.order_no)
        .update({ checkout_reference: reference })
    }
    return { order: orderOf({ ...row, checkout_reference: reference ?? null }), checkout }
  } catch (err) {
    const { title } = priced.gateway
    dependencies.log.error({ err, order: row.order_no }, 'a payment could not be opened')
    const failed = { state: 'failed', reason: 'The payment could not be opened.' }
    await knex('payment_orders').where({ order_no: row.order_no, state: 'pending' }).update(failed)
    throw new Refusal('payment_failed', { gateway: title, param: 'gateway' }, { cause: err })
  }
}

/** The row of the user is locked, so that of orders at the same time none passes the limit. */
async function stored(
  trx: Knex.Transaction,
  { payer, method = '', product = '' }: PlaceRequest,
  { gateway, price }: { readonly gateway: LoadedGateway; readonly price: OrderPrice },
  { clock, ordersMax, orderMs }: PlacingDependencies,
): Promise<OrderRow> {
  const user = await trx('users')
    .where({ id: payer.id, status: 1 })
    .whereNull('deleted_at')
    .forNoKeyUpdate()
    .first('id')
  if (user === undefined) throw new Refusal('gone_missing', { what: 'user' })
  const open = { user_id: payer.id, state: 'pending' }
  const [counted] = await trx('payment_orders').where(open).count('* as count')
  if (Number(counted?.count ?? 0) >= ordersMax()) {
    const reason = `You have ${ordersMax()} orders that are not paid. Pay one of them, or wait until it expires.`
    throw new Refusal('conflict', { reason, param: 'amount' })
  }
  const [row] = await trx('payment_orders')
    .insert({
      order_no: randomBytes(16).toString('hex'),
      ...{ user_id: payer.id, gateway: gateway.name, method, product },
      ...{ amount_minor: price.amountMinor, currency: price.currency, quota: price.quota },
      ...{ price: JSON.stringify(price.basis), is_test: gateway.offer.isTest },
      created_at: new Date(clock.now()),
      expires_at: new Date(clock.now() + orderMs()),
    })
    .returning<OrderRow[]>('*')
  return row!
}

function opened(
  row: OrderRow,
  { payer, method, product }: PlaceRequest,
  {
    gateway,
    price,
    addresses,
  }: {
    readonly gateway: LoadedGateway
    readonly price: OrderPrice
    readonly addresses: Addresses
  },
): Promise<Checkout> {
  const wallet = `${addresses.pages}/wallet?order=${row.order_no}`
  return gateway.plugin.checkout({
    orderNo: row.order_no,
    amountMinor: price.amountMinor,
    currency: price.currency,
    title: price.title,
    methodId: method,
    productId: product,
    payer,
    returnUrl: wallet,
    cancelUrl: `${wallet}&left=true`,
    callbackUrl: callbackOf(addresses, gateway.name),
    expiresAt: row.expires_at.getTime(),
  })
}
