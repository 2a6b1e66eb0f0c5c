/**
 * What others see of payments: offers, orders, callbacks. A gateway reports what was paid; here it is held against the order
 * and credited, once (PAY-1 to PAY-5).
 */
import type { Knex } from 'knex'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Translations } from '../../../kernel/contract/manifest.js'
import type {
  CallbackReply,
  Checkout,
  PaymentCallback,
  PaymentOffer,
} from '../../../kernel/contract/payment.js'
import type { Plan, Subscription } from '../subscriptions/index.js'
import type { ChargeRequest, Mandate, Taken } from './automatic.js'

export interface Payments {
  /** Gateways that are switched on and whose settings suffice, by name. */
  gateways(): readonly OfferedGateway[]
  /** Every gateway there is, with where its provider is to report to. */
  gatewayStates(): readonly GatewayStatus[]
  /** The last report each gateway got by its callback address. Those that never got one are not in it. */
  lastReports(): Promise<ReadonlyMap<string, LastReport>>
  /** What a page offers to choose from. */
  choices(): Choices
  /** What an amount costs. Throws a `Refusal` that names the field. */
  price(request: PriceRequest): OrderPrice
  /** Makes an order and opens its payment. Rejects with a `Refusal`; what was opened in vain is a failed order. */
  place(request: PlaceRequest): Promise<Placed>
  /** By which gateways a plan can be paid, by name. */
  planOffers(plan: Plan): readonly PlanOffer[]
  /** The same as `place` for a plan: what it costs is computed with the order. */
  placePlan(request: PlanOrderRequest): Promise<Placed>
  /** A page of the provider where who subscribed changes how it is paid. Rejects with a `Refusal` where there is none. */
  portal(subscription: Pick<Subscription, 'gateway' | 'agreement'>): Promise<string>
  /**
   * Takes a payment of a payer who is away. Undefined: no order was made, since `admit` refused, the payer is not active or has
   * no mandate of the gateway's mode, or another such order is undecided. Rejects with a `Refusal` where the gateway or the
   * price does not allow it. The order may still be pending: it is charged again until its outcome is known.
   */
  charge(request: ChargeRequest): Promise<PaymentOrder | undefined>
  /** Since a moment; `trx`: as of its lock of the user. */
  taken(userId: number, since: Date, trx?: Knex.Transaction): Promise<Taken>
  /** Those in force, newest first. */
  mandates(userId: number, trx?: Knex.Transaction): Promise<readonly Mandate[]>
  /** Forgets all of them: nothing is charged by them any more. `trx`: it has locked the user. */
  endMandates(userId: number, trx: Knex.Transaction): Promise<void>
  /** The same as `portal` for what a payer agreed to. */
  mandatePortal(userId: number, gateway: string): Promise<string>
  /** Undefined: there is no such gateway, or it is off, or it takes no callbacks by this method. */
  receive(
    gateway: string,
    callback: PaymentCallback,
    from: CallbackOrigin,
  ): Promise<CallbackReply | undefined>
  /** Newest first. */
  orders(query: OrderQuery): Promise<OrderPage>
  /** What was reported of an order, oldest first. */
  events(orderNo: string): Promise<readonly PaymentEvent[]>
  /**
   * Credits an order that is not paid as if its payment had been reported. Rejects with a `Refusal` where it is paid or there
   * is none.
   */
  complete(request: Completion): Promise<PaymentOrder>
  /** Has the provider pay back; the credit is taken back by what it reports. Rejects with a `Refusal`. */
  refund(request: RefundOrder): Promise<PaymentOrder>
  /** Newest day first. */
  totals(query: TotalsQuery): Promise<readonly PaymentTotal[]>
  /**
   * Asks providers about orders that wait, charges undecided ones again, and lets others expire. Runs by itself; callable for
   * tests.
   */
  reconcile(): Promise<void>
}

/** How people know a gateway. */
export interface GatewayLook {
  readonly name: string
  readonly title: string
  /** A data URL. Absent: its plugin ships none. */
  readonly icon?: string
  /** Its texts in other languages. */
  readonly translations?: Translations
}

export interface OfferedGateway extends GatewayLook {
  readonly offer: PaymentOffer
  /** Payers can agree to payments while they are away. */
  readonly keepsMandate: boolean
}

/** `incomplete`: something is missing without which callbacks could not be verified. */
export interface GatewayStatus extends GatewayLook {
  readonly state: 'on' | 'off' | 'incomplete'
  readonly isTest: boolean
  /** Empty: its provider does not report, or the gateway has no public address yet. */
  readonly callbackAddress: string
}

export interface LastReport {
  readonly verdict: EventVerdict
  readonly at: Date
}

export interface Choices {
  readonly amount_options: readonly number[]
  /** Factors of the price, and units besides, by the least amount that gets them. */
  readonly discount: Readonly<Record<string, number>>
  readonly bonus: Readonly<Record<string, number>>
  readonly amount_max: number
}

export interface PriceRequest {
  readonly gateway: string
  /** Of the payer. */
  readonly group: string
  /** Units of account; or a product of the gateway's. */
  readonly amount?: number
  readonly product?: string
  readonly method?: string
}

export interface OrderPrice {
  readonly amountMinor: bigint
  readonly currency: string
  /** Credited, the bonus included. */
  readonly quota: bigint
  readonly title: string
  /** What it was computed of, to be kept with the order. */
  readonly basis: JsonObject
}

export interface Payer {
  readonly id: number
  readonly email?: string
}

export interface PlaceRequest extends PriceRequest {
  readonly payer: Payer
  /** The payer agrees to payments while they are away. */
  readonly keepsMandate?: boolean
}

/** One duration of it. */
export interface PlanOffer {
  readonly gateway: string
  readonly title: string
  readonly currency: string
  readonly amountMinor: bigint
  /** Its provider can collect every duration by itself. */
  readonly repeats: boolean
  readonly isTest: boolean
}

export interface PlanOrderRequest {
  readonly gateway: string
  readonly method?: string
  readonly payer: Payer
  readonly planId: number
  /** The subscription it is to replace: what is left of its value is taken off. */
  readonly replaces?: number
  /** The provider collects every duration that follows. */
  readonly recurring: boolean
}

export interface Placed {
  readonly order: PaymentOrder
  readonly checkout: Checkout
}

export interface CallbackOrigin {
  readonly address: string
  readonly requestId: string
}

export type OrderState = 'pending' | 'paid' | 'failed' | 'expired' | 'refunded'

export interface PaymentOrder {
  readonly id: number
  readonly orderNo: string
  readonly userId: number
  readonly gateway: string
  readonly method: string
  readonly product: string
  readonly amountMinor: bigint
  readonly currency: string
  readonly quota: bigint
  readonly price: JsonObject
  readonly isTest: boolean
  /** Absent: credit was bought. */
  readonly planId?: number
  /** What was opened or renewed; before it is paid, what is to be replaced. */
  readonly subscriptionId?: number
  /** It is paid again and again. */
  readonly isRecurring: boolean
  /** It is taken while the payer is away. */
  readonly isAutomatic: boolean
  readonly state: OrderState
  readonly reason: string
  readonly checkoutReference?: string
  readonly paymentReference?: string
  readonly paidMinor?: bigint
  readonly refundedMinor: bigint
  readonly disputedMinor: bigint
  /** Quota taken back for what was refunded or disputed. */
  readonly returned: bigint
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly completedAt?: Date
}

export interface OrderQuery {
  readonly userId?: number
  readonly state?: OrderState
  readonly gateway?: string
  /** The whole order number, or the whole reference of a payment. */
  readonly search?: string
  readonly offset: number
  readonly limit: number
}

export interface OrderPage {
  readonly items: readonly PaymentOrder[]
  /** Counted up to 10,000, and pages reach no further. */
  readonly total: number
}

/** What came of a report. */
export type EventVerdict =
  /** The order was paid, and is credited. */
  | 'credited'
  /** It had been before. */
  | 'already_paid'
  /** The order was paid before, by another payment: to be paid back by hand. */
  | 'duplicate_payment'
  | 'wrong_gateway'
  | 'wrong_amount'
  | 'wrong_currency'
  /** A test payment of a real order, or the other way round. */
  | 'wrong_mode'
  | 'unknown_order'
  /** Paid, and for ten minutes nobody knew what for: to be paid back by hand. */
  | 'unclaimed'
  /** It was to change or renew a subscription that had been ended or changed by then: to be paid back by hand. */
  | 'subscription_ended'
  /** It cannot be dealt with before another report that is on its way. */
  | 'early'
  /** Of an order that is paid, or of a payment that is not the order's. */
  | 'without_effect'
  /** The order waits, failed, or expired. */
  | 'noted'
  /** Credit was taken back, or given again. */
  | 'returned'
  /** About nothing the gateway acts on. */
  | 'ignored'
  | 'forged'

export interface PaymentEvent {
  readonly event: string
  readonly gateway: string
  readonly verdict: EventVerdict
  readonly detail: JsonObject
  readonly address: string
  readonly times: number
  readonly firstAt: Date
  readonly lastAt: Date
}

export interface Completion {
  readonly orderNo: string
  /** Name of the admin. */
  readonly by: string
  readonly reason: string
  readonly requestId: string
}

export interface RefundOrder {
  readonly orderNo: string
  /** To be paid back now, in minor units. */
  readonly amountMinor: bigint
  /** The same at every try of one refund. */
  readonly key: string
  readonly requestId: string
}

export interface TotalsQuery {
  /** When orders were paid: from the first, before the second. */
  readonly from: Date
  readonly to: Date
}

/** Of orders paid on one day (UTC), by one gateway, in one currency. */
export interface PaymentTotal {
  /** As `2026-01-31`. */
  readonly day: string
  readonly gateway: string
  readonly currency: string
  readonly isTest: boolean
  readonly orders: number
  readonly paidMinor: bigint
  readonly refundedMinor: bigint
  readonly disputedMinor: bigint
  /** Credited, and taken back since. */
  readonly quota: bigint
  readonly returned: bigint
}

declare module '../../../kernel/contract/service.js' {
  interface Services {
    payments: Payments
  }
}
