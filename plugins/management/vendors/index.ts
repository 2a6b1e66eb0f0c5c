/** Vendors: who makes the models, for admins (management/README.md section 7). */

import type { Management, ManagementRequest } from '../../../kernel/contract/management.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { noData } from '../../../kernel/toolkit/management/index.js'
import {
  type NewVendor,
  newVendor,
  type VendorChanges,
  type VendorSearch,
  vendorChanges,
  vendorId,
  vendorSearch,
} from './forms.js'
import { vendor, vendorPage } from './responses.js'
import { vendorStore } from './store.js'
import { vendorRecord } from './vendor-row.js'

export default function create({ services }: Kit<'database' | 'changes'>): Management {
  const vendors = vendorStore(services)

  async function list({ query }: ManagementRequest<VendorSearch>) {
    const { rows, total } = await vendors.page(query)
    return {
      page: Math.max(query.p, 1),
      page_size: query.page_size,
      total,
      items: rows.map(vendorRecord),
    }
  }

  async function read({ params }: ManagementRequest) {
    return vendorRecord(await vendors.get(Number(params.id)))
  }

  async function createVendor({ body }: ManagementRequest<unknown, NewVendor>) {
    return vendorRecord(await vendors.create(body))
  }

  async function update({ body }: ManagementRequest<unknown, VendorChanges>) {
    return vendorRecord(await vendors.update(body))
  }

  async function remove({ params }: ManagementRequest) {
    await vendors.remove(Number(params.id))
    return null
  }

  return {
    routes: {
      list: { query: vendorSearch, response: vendorPage, handle: list },
      search: { query: vendorSearch, response: vendorPage, handle: list },
      read: { params: vendorId, response: vendor, handle: read },
      create: { body: newVendor, response: vendor, handle: createVendor },
      update: { body: vendorChanges, response: vendor, handle: update },
      remove: { params: vendorId, response: noData, handle: remove },
    },
  }
}
