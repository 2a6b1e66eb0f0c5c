/** The rows of the list: all the gateway knows, those that are changed here, or those that want a price. */
import { useQuery } from '@tanstack/vue-query'
import { computed, ref, watch } from 'vue'
import { readMissingPrices, readPrices } from '../../api/prices.js'
import { useList } from '../../ui/list/use-list.js'
import { entryOf } from './entry.js'
import type { GridRow } from './grid/price-grid.vue'
import { useDrafts } from './use-drafts.js'

export const shows = ['all', 'changed', 'missing'] as const
export type Show = (typeof shows)[number]

const localPageSize = 50

export function usePriceList() {
  const { drafts } = useDrafts()
  const list = useList({
    key: 'prices',
    read: ({ show: _, ...query }, signal) => readPrices(query, signal),
    filters: { keyword: '', show: 'all' as string },
  })
  const missing = useQuery({ queryKey: ['prices', 'missing'], queryFn: readMissingPrices })
  const show = computed<Show>(() => shows.find((one) => one === list.filters.show) ?? 'all')
  const localPage = ref(1)
  watch(
    () => [list.filters.show, list.filters.keyword],
    () => {
      localPage.value = 1
    },
  )

  const local = computed(() => {
    const names = show.value === 'changed' ? [...drafts.keys()] : (missing.data.value ?? [])
    const wanted = list.filters.keyword.toLowerCase()
    return names.filter((name) => name.toLowerCase().includes(wanted))
  })

  const rows = computed<readonly GridRow[]>(() => {
    if (show.value === 'all') {
      return list.rows.value.map((row) => ({
        model: row.model,
        before: entryOf(row),
        served: row.served,
      }))
    }
    const first = (localPage.value - 1) * localPageSize
    return local.value.slice(first, first + localPageSize).map((model) => ({
      model,
      before: drafts.get(model)?.before,
      served: show.value === 'missing' ? true : undefined,
    }))
  })

  return {
    list,
    show,
    rows,
    missing,
    counts: computed(() => ({
      all: undefined,
      changed: drafts.size,
      missing: missing.data.value?.length,
    })),
    found: computed(() => (show.value === 'all' ? list.total.value : local.value.length)),
    local,
    localPage,
    localPageSize,
  }
}
