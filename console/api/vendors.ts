/** Vendors: who makes models. */
import type { Page, PageQuery } from './page.js'
import { request } from './request.js'

export interface Vendor {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly icon: string
  /** 1: on. */
  readonly status: number
}

export type VendorForm = Omit<Vendor, 'id'>

export interface VendorFilters {
  readonly keyword: string
}

export function readVendors(
  query: PageQuery & VendorFilters,
  signal?: AbortSignal,
): Promise<Page<Vendor>> {
  return request('GET', '/api/vendors/', { query, signal })
}

export function createVendor(form: VendorForm): Promise<Vendor> {
  return request('POST', '/api/vendors/', { body: form })
}

export function updateVendor(id: number, form: Partial<VendorForm>): Promise<Vendor> {
  return request('PUT', '/api/vendors/', { body: { ...form, id } })
}

export async function deleteVendor(id: number): Promise<void> {
  await request('DELETE', `/api/vendors/${id}`)
}
