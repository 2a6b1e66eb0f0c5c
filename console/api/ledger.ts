/** The ledger as those who answer for it see it: sums, open holds, the book, and the check of its invariants. */
import type { Page, PageQuery } from './page.js'
import { request } from './request.js'

export type Quota = number | string

export interface Ledger {
  readonly accounts: number
  /** Spendable: posted less held. */
  readonly balance: Quota
  readonly posted: Quota
  readonly held: Quota
  readonly debt: { readonly accounts: number; readonly quota: Quota }
  readonly open_holds: number
  readonly oldest_hold: OpenHold | null
  readonly system_accounts: readonly SystemAccount[]
  readonly blocked_accounts: number
  /** The first few. */
  readonly blocked: readonly BlockedAccount[]
  readonly check: {
    readonly running: boolean
    /** The last that came to its end. */
    readonly last: LedgerCheck | null
    /** The one after it did not. */
    readonly failure: { readonly at: number; readonly reason: string } | null
    /** When the whole book was last found sound; 0: never. */
    readonly whole_at: number
  }
}

interface SystemAccount {
  readonly id: number
  readonly name: string
  readonly quota: Quota
}

interface BlockedAccount {
  readonly account_id: number
  readonly user_id: number
  readonly username: string
}

export interface LedgerCheck {
  readonly at: number
  readonly ms: number
  /** `new`: what had been verified before was not looked at again. */
  readonly scope: 'whole' | 'new'
  /** Requests looked at. */
  readonly verified: number
  readonly breaches: number
  readonly invariants: readonly Invariant[]
}

interface Invariant {
  readonly id: string
  readonly name: string
  readonly rule: string
  readonly breaches: readonly string[]
  readonly has_more: boolean
}

export interface OpenHold {
  readonly request_id: string
  readonly kind: string
  /** `orphaned`: its process is gone. */
  readonly state: string
  readonly user_id: number
  readonly username: string
  readonly token_name: string
  readonly model: string
  readonly group: string
  readonly channel: number
  readonly held: Quota
  readonly used: Quota
  readonly instance: string
  readonly created_at: number
  readonly age_seconds: number
}

export interface Entry {
  readonly id: number
  readonly created_at: number
  readonly kind: string
  readonly amount: Quota
  readonly debit: EntrySide
  readonly credit: EntrySide
  readonly request_id: string
  readonly note: string
}

export interface EntrySide {
  readonly account_id: number
  readonly kind: string
  /** 0: the gateway. */
  readonly user_id: number
  readonly name: string
}

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
