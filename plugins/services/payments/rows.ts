/** Rows of `payment_orders` and `payment_events`. */
import type { Knex } from 'knex'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type {
  EventVerdict,
  OrderPage,
  OrderQuery,
  OrderState,
  PaymentEvent,
  PaymentOrder,
} from './payments.js'

export interface OrderRow {
  readonly id: bigint | number
  readonly order_no: string
  readonly user_id: number
  readonly gateway: string
  readonly method: string
  readonly product: string
  readonly amount_minor: bigint
  readonly currency: string
  readonly quota: bigint
  readonly price: JsonObject
  readonly is_test: boolean
  readonly plan_id: number | null
  readonly subscription_id: number | null
  readonly recurring: boolean
  readonly keeps_mandate: boolean
  readonly automatic: boolean
  readonly mandate_id: number | null
  readonly units: number | null
  readonly state: OrderState
  readonly reason: string
  readonly checkout_reference: string | null
  readonly payment_reference: string | null
  readonly paid_minor: bigint | null
  readonly refunded_minor: bigint
  readonly disputed_minor: bigint
  readonly returned: bigint
  readonly returns: number
  readonly created_at: Date
  readonly expires_at: Date
  readonly completed_at: Date | null
}

export function orderOf(row: OrderRow): PaymentOrder {
  return {
    id: Number(row.id),
    orderNo: row.order_no,
    userId: row.user_id,
    gateway: row.gateway,
    method: row.method,
    product: row.product,
    amountMinor: BigInt(row.amount_minor),
    currency: row.currency,
    quota: BigInt(row.quota),
    price: row.price,
    isTest: row.is_test,
    planId: row.plan_id ?? undefined,
    subscriptionId: row.subscription_id ?? undefined,
    isRecurring: row.recurring,
    isAutomatic: row.automatic,
    state: row.state,
    reason: row.reason,
    checkoutReference: row.checkout_reference ?? undefined,
    paymentReference: row.payment_reference ?? undefined,
    paidMinor: row.paid_minor === null ? undefined : BigInt(row.paid_minor),
    refundedMinor: BigInt(row.refunded_minor),
    disputedMinor: BigInt(row.disputed_minor),
    returned: BigInt(row.returned),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    completedAt: row.completed_at ?? undefined,
  }
}

/** Orders that are counted, and that pages reach. */
const ordersMax = 10_000

/** Newest first. */
export async function orderPage(knex: Knex, query: OrderQuery): Promise<OrderPage> {
  const found = () =>
    knex<OrderRow>('payment_orders')
      .modify((builder) => filter(builder, query))
      .orderBy('id', 'desc')
  const [counted] = await knex
    .from(found().select(knex.raw('1')).limit(ordersMax).as('found'))
    .count<{ total: bigint | number }[]>({ total: '*' })
  const total = Number(counted?.total ?? 0)
  if (query.offset >= total) return { items: [], total }
  const rows = await found().offset(query.offset).limit(query.limit)
  return { items: (rows as OrderRow[]).map(orderOf), total }
}

function filter(builder: Knex.QueryBuilder, query: OrderQuery): void {
  const { userId, state, gateway, search } = query
  if (userId !== undefined) builder.where('user_id', userId)
  if (state !== undefined) builder.where({ state })
  if (gateway !== undefined) builder.where({ gateway })
  if (search !== undefined) {
    builder.where((either) => either.where('order_no', search).orWhere('payment_reference', search))
  }
}

interface EventRow {
  readonly event: string
  readonly gateway: string
  readonly verdict: EventVerdict
  readonly detail: JsonObject
  readonly address: string
  readonly times: number
  readonly first_at: Date
  readonly last_at: Date
}

/** Events of one order that are shown. */
const eventsMax = 200

/** Oldest first. */
export async function eventsOf(knex: Knex, orderNo: string): Promise<readonly PaymentEvent[]> {
  const rows = await knex('payment_events')
    .where('order_no', orderNo)
    .orderBy('id')
    .limit(eventsMax)
    .select<EventRow[]>('*')
  return rows.map(({ first_at, last_at, event, gateway, verdict, detail, address, times }) => ({
    ...{ event, gateway, verdict, detail, address, times },
    firstAt: first_at,
    lastAt: last_at,
  }))
}
