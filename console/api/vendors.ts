/** Vendors: who makes models. */
import type { Page, PageQuery } from './page.js'
import { request } from './request.js'
import type { components } from './schema.js'

export type Vendor = components['schemas']['Vendor']

export type VendorForm = Pick<Vendor, 'name' | 'description' | 'icon' | 'status'>

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
