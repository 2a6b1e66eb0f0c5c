/** Buying credit, orders, and what was reported of them. */
import type { Page, PageQuery } from './page.js'
import { request } from './request.js'
import type { components } from './schema.js'

type Schemas = components['schemas']

export type TopUpInfo = Schemas['TopUpInfo']
export type Gateway = Schemas['PaymentGateway']
export type GatewayStatus = Schemas['PaymentGatewayStatus']
export type GatewayProbe = Schemas['PaymentProbe']
export type Order = Schemas['PaymentOrder']
export type Checkout = Schemas['Checkout']
export type OrderEvent = Schemas['PaymentEvent']
export type Total = Schemas['PaymentTotal']

/** Either an amount in units of account, or a product of the gateway. */
export interface Purchase {
  readonly gateway: string
  readonly payment_method?: string
  readonly amount?: number
  readonly product?: string
}

export interface NewOrder extends Purchase {
  /** The payer agrees to be charged later, while they are away. */
  readonly keep_mandate: boolean
}

/** An empty text and 0 stand for any. */
export interface OrderFilter {
  readonly status: string
  readonly gateway: string
  readonly user_id: number
  readonly keyword: string
}

export type OwnOrderFilter = Pick<OrderFilter, 'status' | 'keyword'>

export function readTopUpInfo(): Promise<TopUpInfo> {
  return request('GET', '/api/user/topup/info')
}

/** As a decimal in the currency of the gateway. */
export function readPrice(purchase: Purchase, signal?: AbortSignal): Promise<string> {
  return request('POST', '/api/user/amount', { body: purchase, signal })
}

export function placeOrder(
  order: NewOrder,
): Promise<{ readonly order: Order; readonly checkout: Checkout }> {
  return request('POST', '/api/user/topup/order', { body: order })
}

export function readOwnOrders(
  query: PageQuery & OwnOrderFilter,
  signal?: AbortSignal,
): Promise<Page<Order>> {
  return request('GET', '/api/user/topup/self', { query, signal })
}

/** Undefined: it is no order of the caller's. */
export async function readOwnOrder(
  tradeNo: string,
  signal?: AbortSignal,
): Promise<Order | undefined> {
  const query = { p: 1, page_size: 1, status: '', keyword: tradeNo }
  return (await readOwnOrders(query, signal)).items[0]
}

export function readOrders(
  query: PageQuery & OrderFilter,
  signal?: AbortSignal,
): Promise<Page<Order>> {
  return request('GET', '/api/user/topup', { query, signal })
}

export function readOrderEvents(tradeNo: string): Promise<readonly OrderEvent[]> {
  return request('GET', `/api/user/topup/${tradeNo}/events`)
}

/** Needs a proof of scope `balance`. */
export function completeOrder(tradeNo: string, reason: string): Promise<Order> {
  return request('POST', '/api/user/topup/complete', { body: { trade_no: tradeNo, reason } })
}

/** Root's alone, with a proof of scope `balance`. `amount`: a decimal in the currency of the order. */
export function refundOrder(tradeNo: string, amount: string): Promise<Order> {
  return request('POST', '/api/user/topup/refund', { body: { trade_no: tradeNo, amount } })
}

/** Unix seconds; newest day first. */
export function readTotals(
  query: { readonly start_timestamp: number; readonly end_timestamp: number },
  signal?: AbortSignal,
): Promise<readonly Total[]> {
  return request('GET', '/api/user/topup/totals', { query, signal })
}

export function readGateways(): Promise<readonly GatewayStatus[]> {
  return request('GET', '/api/user/topup/gateways')
}

/** Whether the address its provider reports to leads to this gateway. */
export function probeGateway(name: string): Promise<GatewayProbe> {
  return request('POST', `/api/user/topup/gateways/${name}/probe`)
}
