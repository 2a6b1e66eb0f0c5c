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
}

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
