/**
 * What others see of receipts: a numbered document for each paid order, issued when it is wanted first, and to whom a user
 * has theirs made out.
 */

export interface Receipts {
  /** Why none is issued now, in a sentence that names the option; undefined: they are. */
  reasonOff(): string | undefined
  /**
   * The document of an order, which gets its number now if it has none yet. Rejects with a `Refusal`: there is no such order,
   * it is not paid, or receipts are off.
   */
  print(request: PrintRequest): Promise<PrintedReceipt>
  /** Newest first. */
  list(query: ReceiptQuery): Promise<ReceiptPage>
  billing(userId: number): Promise<BillingDetails>
  /** For receipts issued from now on. Rejects with a `Refusal` that names the field. Returns them as they are kept. */
  setBilling(userId: number, details: BillingDetails): Promise<BillingDetails>
}

export interface PrintRequest {
  readonly orderNo: string
  /** Whose order it must be; absent: anybody's. */
  readonly userId?: number
}

export interface PrintedReceipt {
  readonly receipt: Receipt
  /** It was issued for this request. */
  readonly isNew: boolean
  /** PDF. */
  readonly body: Buffer
}

/** Empty: not stated. */
export interface BillingDetails {
  readonly name: string
  /** Several lines. */
  readonly address: string
  readonly taxId: string
}

export interface Seller extends BillingDetails {
  readonly contact: string
  /** Several lines. */
  readonly note: string
}

export interface Buyer extends BillingDetails {
  /** Name of the account. */
  readonly account: string
}

/** `test`: no money moved. */
export type ReceiptSeries = 'paid' | 'test'

export interface Receipt {
  readonly series: ReceiptSeries
  /** 1, 2, 3, … within its series. */
  readonly number: bigint
  /** The number as it is printed. */
  readonly label: string
  readonly orderNo: string
  readonly userId: number
  readonly issuedAt: Date
  readonly paidAt: Date
  /** Title of the payment gateway. */
  readonly paidBy: string
  /** What was paid, in minor units. */
  readonly amountMinor: bigint
  readonly currency: string
  /** Empty: none. */
  readonly taxNote: string
  readonly lines: readonly ReceiptLine[]
  readonly seller: Seller
  readonly buyer: Buyer
}

export interface ReceiptLine {
  readonly title: string
  /** Below the title; empty: nothing. */
  readonly detail: string
  /** Below 0: taken off. */
  readonly amountMinor: bigint
}

export interface ReceiptQuery {
  readonly userId?: number
  /** The whole printed number, or the whole order number. */
  readonly search?: string
  readonly offset: number
  readonly limit: number
}

export interface ReceiptPage {
  readonly items: readonly Receipt[]
  readonly total: number
}

declare module '../../../kernel/contract/service.js' {
  interface Services {
    receipts: Receipts
  }
}
