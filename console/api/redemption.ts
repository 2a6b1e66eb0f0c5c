/** Redemption codes. */
import type { Page, PageQuery } from './page.js'
import { request } from './request.js'
import type { components } from './schema.js'

export type RedemptionCode = components['schemas']['RedemptionCode']

/** An empty text stands for any. */
export interface CodeFilter {
  readonly keyword: string
  readonly status: string
  readonly batch: string
}

export interface NewCodes {
  readonly name: string
  readonly quota: number
  readonly count: number
  readonly uses: number
  /** Unix seconds. 0: never. */
  readonly expired_time: number
}

export function readCodes(
  query: PageQuery & CodeFilter,
  signal?: AbortSignal,
): Promise<Page<RedemptionCode>> {
  return request('GET', '/api/redemption', { query, signal })
}

/** Root's alone, with a proof of scope `balance`. Returns the codes. */
export function createCodes(codes: NewCodes): Promise<readonly string[]> {
  return request('POST', '/api/redemption', { body: codes })
}

export function switchCode(id: number, isOn: boolean): Promise<RedemptionCode> {
  return request('PUT', '/api/redemption', { body: { id, status: isOn ? 1 : 2 } })
}

export async function deleteCode(id: number): Promise<void> {
  await request('DELETE', `/api/redemption/${id}`)
}

/** Returns how many were deleted. */
export function deleteInvalidCodes(): Promise<number> {
  return request('DELETE', '/api/redemption/invalid')
}

/** Returns the quota that was credited. */
export function redeemCode(key: string): Promise<number | string> {
  return request('POST', '/api/user/topup', { body: { key } })
}
