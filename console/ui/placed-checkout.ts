/**
 * A checkout on its way from the page that placed its order to the wallet, which leads to the provider or shows what to do,
 * and where whoever paid comes back to.
 */
import type { Checkout, Order } from '../api/payments.js'

export interface PlacedOrder {
  readonly order: Order
  readonly checkout: Checkout
}

let placed: PlacedOrder | undefined

export function handOver(next: PlacedOrder): void {
  placed = next
}

/** Once: who comes back later finds the order without it. */
export function takeOver(tradeNo: string): PlacedOrder | undefined {
  if (placed?.order.trade_no !== tradeNo) return undefined
  const taken = placed
  placed = undefined
  return taken
}
