/** The ledger as those who answer for it see it: sums, open holds, the book, and the check of its invariants. */
import type { Page, PageQuery } from './page.js'
import { request } from './request.js'
import type { components } from './schema.js'

export type Quota = number | string

type Schemas = components['schemas']

export type Ledger = Schemas['LedgerOverview']
export type LedgerCheck = Schemas['LedgerCheck']
export type OpenHold = Schemas['OpenHold']
export type Entry = Schemas['LedgerEntry']
export type EntrySide = Schemas['LedgerEntrySide']

export function readLedger(signal?: AbortSignal): Promise<Ledger> {
  return request('GET', '/api/ledger', { signal })
}

export function readHolds(query: PageQuery, signal?: AbortSignal): Promise<Page<OpenHold>> {
  return request('GET', '/api/ledger/holds', { query, signal })
}

/** An empty text and 0 stand for any; only one of them may be set. */
export interface EntryFilter {
  readonly request_id: string
  readonly user_id: number
}

export function readEntries(
  query: PageQuery & EntryFilter,
  signal?: AbortSignal,
): Promise<Page<Entry>> {
  return request('GET', '/api/ledger/entries', { query, signal })
}

export function checkLedger(): Promise<LedgerCheck> {
  return request('POST', '/api/ledger/check', { body: {} })
}
