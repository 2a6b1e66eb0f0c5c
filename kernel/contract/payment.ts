/**
 * A payment gateway turns an order into a page where it is paid, and what its provider reports into notices. It never sees
 * a balance and never credits: the service `payments` holds provider, amount and currency against the order (PAY-1) and
 * posts the credit, once (PAY-5). Amounts are in minor units of their currency: 1050 is 10.50 USD, 1050 JPY or 1.050 KWD.
 */

export interface PaymentGateway {
  /**
   * What can be paid for by the settings of this moment. Undefined: they do not suffice; then nothing is offered, and the
   * callback address returns 404 (a gateway without its secret would believe anybody).
   */
  offer(): PaymentOffer | undefined
  /**
   * Opens the payment at the provider. Called with an order that is already stored, at most once per order. Rejects with an
   * `Error` whose message the gateway logs; the payer is shown a sentence of the gateway.
   */
  checkout(order: CheckoutOrder): Promise<Checkout>
  /**
   * Whether a callback is genuine, by its raw bytes, compared in constant time and within the provider's tolerance of age, and
   * what it reports. Writes nothing. A gateway paid outside (`offline`) has none.
   */
  verify?(callback: PaymentCallback): CallbackVerdict | Promise<CallbackVerdict>
  /**
   * What the provider expects to be sent back. Absent: an empty body. The status is the gateway's own affair: 200, 400 for what
   * is not genuine, 500 for what is to be sent again (PAY-3).
   */
  reply?(outcome: CallbackOutcome): CallbackReply
  /**
   * What a lost callback would have reported, by asking the provider. Undefined: the provider knows nothing new. Rejects where
   * it cannot be reached now.
   */
  fetch?(order: PlacedOrder): Promise<PaymentNotice | undefined>
  /** Pays back all or a part. The credit is taken back by the notice that follows, or by `notice` of the result. */
  refund?(request: RefundRequest): Promise<RefundResult>
  /**
   * Opens a payment that repeats by itself until it is ended. Its first payment is reported like any other, with `agreement`;
   * those that follow are renewals. Called at most once per order. Absent: nothing repeats by this gateway.
   */
  subscribe?(order: RecurringOrder): Promise<Checkout>
  /** Ends what repeats: nothing is charged from now on. Safe to repeat; resolves where it had ended before. */
  unsubscribe?(agreement: string): Promise<void>
  /** A page of the provider where the payer sees what was paid and changes how it is paid. */
  portal?(request: PortalRequest): Promise<{ readonly url: string }>
  /**
   * Takes a payment the payer agreed to before, while they are away, by the `mandate` an earlier notice named. Called again
   * with the same order it takes nothing more.
   */
  charge?(order: ChargeOrder): Promise<ChargeResult>
}

export interface PaymentOffer {
  /** ISO 4217, upper case: the currency of top-ups. */
  readonly currency: string
  /** Price of one unit of account (`QuotaPerUnit` quota) in that currency, as decimal text: `7.3`. */
  readonly unitPrice: string
  /** Least amount of a top-up, in units of account, as decimal text. */
  readonly amountMin: string
  /** Ways to pay the payer chooses from. Absent: the provider's page asks. */
  readonly methods?: readonly PaymentMethod[]
  /** What is sold at a price of its own, in place of any amount. Absent: amounts. */
  readonly products?: readonly PaymentProduct[]
  /** No real money moves. Shown wherever the gateway is. */
  readonly isTest: boolean
}

export interface PaymentMethod {
  /** Given to `checkout` as it is. */
  readonly id: string
  readonly title: string
  /** In units of account, where it is more than the gateway's. */
  readonly amountMin?: string
}

export interface PaymentProduct {
  readonly id: string
  readonly title: string
  readonly amountMinor: bigint
  /** ISO 4217, upper case. */
  readonly currency: string
  /** Credited when it is paid. */
  readonly quota: bigint
}

export interface CheckoutOrder {
  /** The gateway's own number, unique for all time: 20 to 40 letters and digits. It must come back in every notice. */
  readonly orderNo: string
  readonly amountMinor: bigint
  /** ISO 4217, upper case. */
  readonly currency: string
  /** What is bought, for the provider's page. */
  readonly title: string
  readonly methodId?: string
  readonly productId?: string
  /** Of the payer; the same for each of their orders. */
  readonly payer: { readonly id: number; readonly email?: string }
  /** Where the browser goes on to, paid or not. */
  readonly returnUrl: string
  readonly cancelUrl: string
  /** Where the provider reports to. */
  readonly callbackUrl: string
  /** Unix milliseconds. What is paid later is credited all the same. */
  readonly expiresAt: number
  /** The payer agrees to payments while they are away: the notice names a `mandate`. Never set where `charge` is absent. */
  readonly keepsMandate?: boolean
}

/** Its amount is that of every period. */
export interface RecurringOrder extends Omit<CheckoutOrder, 'keepsMandate'> {
  /** How often it is paid, counted from the first payment. */
  readonly every: { readonly unit: 'day' | 'week' | 'month' | 'year'; readonly count: number }
}

export interface PortalRequest {
  /** Of what repeats, or of the payments that may be taken: what the payer has. */
  readonly agreement?: string
  readonly mandate?: string
  /** Where the browser goes on to. */
  readonly returnUrl: string
}

export interface ChargeOrder {
  readonly orderNo: string
  readonly amountMinor: bigint
  /** ISO 4217, upper case. */
  readonly currency: string
  readonly title: string
  readonly mandate: string
}

export type ChargeResult =
  /** Begun: a notice follows. */
  | { readonly kind: 'begun'; readonly reference?: string }
  | { readonly kind: 'done'; readonly notice: PaymentNotice }
  /** The bank refuses, or wants to see the payer: one sentence for them. */
  | { readonly kind: 'refused'; readonly reason: string }

/** How the payer gets there. `reference`: the provider's id of what was opened, which `fetch` may need. */
export type Checkout = { readonly reference?: string } & (
  | { readonly kind: 'redirect'; readonly url: string }
  /** The browser posts these fields to the address. */
  | {
      readonly kind: 'form'
      readonly url: string
      readonly fields: Readonly<Record<string, string>>
    }
  /** A code to be scanned holds this text. */
  | { readonly kind: 'qr'; readonly text: string }
  /** What the payer is to do, as Markdown. */
  | { readonly kind: 'offline'; readonly instructions: string }
)

export interface PaymentCallback {
  readonly method: 'GET' | 'POST'
  /** Names in lower case; what was sent several times is joined by `, `. */
  readonly headers: Readonly<Record<string, string>>
  /** As it stood in the address, without the question mark. */
  readonly query: string
  /** As it came, at most 256 KiB. */
  readonly body: Buffer
}

export type CallbackVerdict =
  /** Not from the provider, too old, or unreadable: nothing of it counts. One sentence for the log, without secrets. */
  | { readonly kind: 'forged'; readonly reason: string }
  /** Genuine, and about nothing the gateway acts on. `event`: its id or kind at the provider. */
  | { readonly kind: 'ignored'; readonly event: string }
  | { readonly kind: 'notice'; readonly notice: PaymentNotice }
  | { readonly kind: 'renewal'; readonly renewal: RenewalNotice }

export interface PaymentNotice {
  /** The provider's id of the event, the same at every delivery of it; where it has none, what makes it unique. */
  readonly event: string
  /**
   * `pending`: not decided yet. `refunded`: paid back in whole or in part. `disputed`: the payer's bank took it back.
   * `reinstated`: a dispute was won.
   */
  readonly state: 'pending' | 'paid' | 'failed' | 'expired' | 'refunded' | 'disputed' | 'reinstated'
  /** Absent: the order is found by `reference`, which an earlier notice or the checkout named. */
  readonly orderNo?: string
  /** The provider's id of the payment; a second payment of the same order has another. */
  readonly reference: string
  /** What was paid; of `refunded` and `disputed` what was paid back so far, in all. Absent only with the states in which no money moved. */
  readonly amountMinor?: bigint
  /** Absent: the provider names none (PAY-1). */
  readonly currency?: string
  /** What the provider took off the price (PAY-4). Absent: it reports no discount. */
  readonly discountMinor?: bigint
  /** When it happened, Unix milliseconds. Absent: not reported. */
  readonly at?: number
  readonly isTest?: boolean
  /** What repeats from now on, as the provider calls it. */
  readonly agreement?: string
  /** What payments can be taken by while the payer is away. */
  readonly mandate?: string
}

/** A later payment of what repeats. */
export interface RenewalNotice {
  /** As of a `PaymentNotice`. */
  readonly event: string
  readonly agreement: string
  /** `failed`: the provider tries again. `ended`: nothing is charged any more. */
  readonly state: 'paid' | 'failed' | 'ended'
  /** The provider's id of the payment, as later notices of it being paid back name it. Absent only where nothing was paid. */
  readonly reference?: string
  readonly amountMinor?: bigint
  /** Absent: the provider names none. */
  readonly currency?: string
  /** What the provider took off the price. */
  readonly discountMinor?: bigint
  /** Unix milliseconds. */
  readonly at?: number
  readonly isTest?: boolean
}

/** `accepted`: it was dealt with for good, whatever came of it. `later`: it is to be sent again. */
export type CallbackOutcome = 'accepted' | 'later' | 'forged'

export interface CallbackReply {
  /** Default: 200, 500 and 400. `accepted` must be 2xx, `later` 5xx, `forged` 4xx. */
  readonly status?: number
  /** Default: `text/plain; charset=utf-8`. */
  readonly type?: string
  readonly body: string
}

export interface PlacedOrder {
  readonly orderNo: string
  readonly amountMinor: bigint
  readonly currency: string
  /** Of the checkout, else of the last notice. */
  readonly reference?: string
  /** Unix milliseconds. */
  readonly createdAt: number
}

export interface RefundRequest extends PlacedOrder {
  /** Of the payment. */
  readonly reference: string
  /** To be paid back now. */
  readonly refundMinor: bigint
  /** The same at every try. */
  readonly key: string
}

export type RefundResult =
  /** Done, or begun: a notice follows. */
  | { readonly kind: 'begun' }
  | { readonly kind: 'done'; readonly notice: PaymentNotice }
  /** Never: one sentence for the admin. */
  | { readonly kind: 'refused'; readonly reason: string }

/** What a manifest of a payment gateway states beside its settings. */
export interface PaymentManifest {
  /** The setting that switches it on; a boolean. Absent: it is on where `offer` returns something. */
  readonly switch?: string
  /** How a provider reports: the methods its callback address takes. Empty: it does not report (`offline`). */
  readonly callback: readonly ('GET' | 'POST')[]
}
