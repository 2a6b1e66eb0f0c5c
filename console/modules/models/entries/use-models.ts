/** The list of entries, with how many each vendor has, and who the vendors are. */
import { useQuery, useQueryClient } from '@tanstack/vue-query'
import { computed, shallowRef } from 'vue'
import { readMissingModels, readModels } from '../../../api/models.js'
import { readAllVendors, type Vendor } from '../../../api/vendors.js'
import { useList } from '../../../ui/list/use-list.js'

export function useModels() {
  const queryClient = useQueryClient()
  const counts = shallowRef<Readonly<Record<string, number>>>({})
  const list = useList({
    key: 'models',
    async read(query, signal) {
      const page = await readModels(query, signal)
      counts.value = page.vendor_counts
      return page
    },
    filters: { keyword: '', vendor: '' },
  })
  const vendors = useQuery({ queryKey: ['vendors', 'all'], queryFn: readAllVendors })
  const missing = useQuery({ queryKey: ['models', 'missing'], queryFn: readMissingModels })
  const byId = computed<ReadonlyMap<number, Vendor>>(
    () => new Map((vendors.data.value ?? []).map((vendor) => [vendor.id, vendor])),
  )

  return {
    list,
    counts,
    vendors: computed(() => vendors.data.value ?? []),
    vendorById: byId,
    missing: computed(() => missing.data.value ?? []),
    changed: () => queryClient.invalidateQueries({ queryKey: ['models'] }),
  }
}
