/**
 * Taking a payment of a payer who is away. The order is committed before the provider is called, so that whatever happens after
 * that it is known what may have been taken, and the same order is charged again (decision 77).
 */
import type { Knex } from 'knex'
import type { Clock } from '../../../kernel/contract/kit.js'
import { type Attempt, type AttemptDependencies, attempted } from './attempt.js'
import type { ChargeRequest, Taken } from './automatic.js'
import type { LoadedGateway } from './gateways.js'
import { currentMandate } from './mandates.js'
import type { OrderPrice, PaymentOrder } from './payments.js'
import { newOrderNo } from './placing.js'
import { type OrderRow, orderOf } from './rows.js'

export interface ChargingDependencies extends AttemptDependencies {
  readonly clock: Clock
}

export interface Charging extends ChargeRequest {
  readonly loaded: LoadedGateway
  readonly price: OrderPrice
}

/** How long an order waits whose mandate was ended: nothing is charged for it any more, and a report of it may be on its way. */
const withdrawnMs = 24 * 3_600_000

/** Undefined: no order was made. */
export async function charged(
  charging: Charging,
  dependencies: ChargingDependencies,
): Promise<PaymentOrder | undefined> {
  const { knex } = dependencies.database
  const made = await knex.transaction((trx) => stored(trx, charging, dependencies))
  if (made === undefined) return undefined
  await attempted(made, dependencies)
  const { order_no } = made.row
  const row = await knex<OrderRow>('payment_orders').where({ order_no }).first()
  return orderOf(row as OrderRow)
}

/** The row of the user is locked, so that of charges at the same time one is made, and admitted by what the others left. */
async function stored(
  trx: Knex.Transaction,
  { userId, amount, admit, price, loaded }: Charging,
  { news, clock }: Pick<ChargingDependencies, 'news' | 'clock'>,
): Promise<Attempt | undefined> {
  const user = await trx('users')
    .where({ id: userId, status: 1 })
    .whereNull('deleted_at')
    .forNoKeyUpdate()
    .first('id')
  if (user === undefined || (await hasUndecided(userId, trx))) return undefined
  const { isTest } = loaded.offer
  const mandate = await currentMandate({ userId, gateway: loaded.name, isTest }, trx)
  if (mandate === undefined) return undefined
  const orderNo = newOrderNo()
  if (!(await admit({ orderNo, mandateId: mandate.id }, trx))) return undefined
  const at = new Date(clock.now())
  const [row] = await trx('payment_orders')
    .insert({
      ...{ order_no: orderNo, user_id: userId, gateway: loaded.name, is_test: isTest },
      ...{ amount_minor: price.amountMinor, currency: price.currency, quota: price.quota },
      price: JSON.stringify(price.basis),
      ...{ automatic: true, mandate_id: mandate.id, units: amount },
      ...{ created_at: at, queried_at: at, expires_at: new Date(at.getTime() + withdrawnMs) },
    })
    .returning<OrderRow[]>('*')
  await news.note(trx, userId)
  return { row: row!, mandate: mandate.mandate!, gateway: loaded }
}

async function hasUndecided(userId: number, trx: Knex.Transaction): Promise<boolean> {
  const undecided = { user_id: userId, automatic: true, state: 'pending' }
  return (await trx('payment_orders').where(undecided).first('order_no')) !== undefined
}

export async function takenOf(userId: number, since: Date, knex: Knex): Promise<Taken> {
  const { rows } = await knex.raw(
    `SELECT automatic_units(:userId, :since) AS units,
       (SELECT max(created_at) FROM payment_orders WHERE user_id = :userId AND automatic) AS last_at`,
    { userId, since },
  )
  const { units, last_at } = rows[0]
  return { units: Number(units), lastAt: last_at ?? undefined }
}
