/** The rows of the list: all the gateway knows, those that are changed here, or those that want a price. */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/vue-query'
import { computed, ref, watch } from 'vue'
import { type PriceRow, readMissingPrices, readPrices, readPricesOf } from '../../api/prices.js'
import { useLive } from '../../shell/use-live.js'
import { useList } from '../../ui/list/use-list.js'
import { entryOf } from '../../ui/price-entry/entry.js'
import type { GridRow } from './grid/price-grid.vue'
import { normalName } from './transfer/price-maps.js'
import { useDrafts } from './use-drafts.js'

export const shows = ['all', 'changed', 'missing'] as const
export type Show = (typeof shows)[number]

const localPageSize = 50

export function usePriceList() {
  const queryClient = useQueryClient()
  const { drafts } = useDrafts()
  const list = useList({
    key: 'prices',
    read: ({ show: _, ...query }, signal) => readPrices(query, signal),
    filters: { keyword: '', show: 'all' as string },
  })
  useLive('/live/changes/options', () => {
    void queryClient.invalidateQueries({ queryKey: ['prices'] })
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

  const names = computed(() => {
    const first = (localPage.value - 1) * localPageSize
    return show.value === 'all' ? [] : local.value.slice(first, first + localPageSize)
  })
  /** As they stand now: others may have changed them since, and a model without a price can have figures all the same. */
  const now = useQuery({
    queryKey: ['prices', 'now', names],
    queryFn: () => readPricesOf([...new Set(names.value.map(normalName))]),
    enabled: computed(() => names.value.length > 0),
    placeholderData: keepPreviousData,
  })

  const rows = computed<readonly GridRow[]>(() => {
    if (show.value === 'all') return list.rows.value.map(gridRow)
    return names.value.map((model) => {
      const row = now.data.value?.get(normalName(model))
      if (row) return { ...gridRow(row), model }
      const before = row === null ? undefined : drafts.get(model)?.before
      return { model, before, served: show.value === 'missing' ? true : undefined }
    })
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

function gridRow(row: PriceRow): GridRow {
  return { model: row.model, before: entryOf(row), served: row.served }
}
