/** Receipts of paid orders, and to whom the caller's are made out. */
import type { AnsweredFile } from './answer.js'
import type { Page, PageQuery } from './page.js'
import { request, requestFile } from './request.js'
import type { components } from './schema.js'

type Schemas = components['schemas']

export type Receipt = Schemas['Receipt']
export type Billing = Schemas['BillingDetails']
export type BillingChange = Omit<Billing, 'receipts'>

/** 0 and an empty text stand for any. */
export interface ReceiptFilter {
  readonly user_id: number
  /** A whole receipt number or order number. */
  readonly keyword: string
}

/** The caller's own, for an admin anybody's. It is issued when it is wanted first. */
export function readReceipt(tradeNo: string): Promise<AnsweredFile> {
  return requestFile(`/api/user/topup/${tradeNo}/receipt`, 'application/pdf')
}

/** Admins only. Newest first. */
export function readReceipts(
  query: PageQuery & ReceiptFilter,
  signal?: AbortSignal,
): Promise<Page<Receipt>> {
  return request('GET', '/api/user/topup/receipts', { query, signal })
}

/** With whether receipts are issued at all. */
export function readBilling(): Promise<Billing> {
  return request('GET', '/api/user/billing')
}

export function setBilling(change: BillingChange): Promise<Billing> {
  return request('PUT', '/api/user/billing', { body: change })
}
