/** A list the server pages. The rows of the page before stay until the next ones are there. */
import { keepPreviousData, useQuery } from '@tanstack/vue-query'
import { computed, type Ref, watch } from 'vue'
import type { Page, PageQuery } from '../../api/page.js'
import { type ListView, useListPlace } from './use-list-place.js'

export interface List<Row, Filters extends object> {
  readonly rows: Ref<readonly Row[]>
  readonly total: Ref<number>
  readonly page: Ref<number>
  readonly pageSize: Ref<number>
  readonly filters: Filters
  /** Some filter is set: then nothing found is no empty list. */
  readonly filtered: Ref<boolean>
  readonly view: ListView
  readonly busy: Ref<boolean>
  /** Nothing has come yet. */
  readonly pending: Ref<boolean>
  readonly error: Ref<unknown>
  /** Reads the page again. */
  reload(): Promise<unknown>
  /** Back to the first page, with these filters. */
  filter(changed: Partial<Filters>): void
}

export interface ListOptions<Row, Filters extends object> {
  /** First part of the query's key: `queryClient.invalidateQueries({ queryKey: [key] })` reads it again. */
  readonly key: string
  readonly read: (query: PageQuery & Filters, signal: AbortSignal) => Promise<Page<Row>>
  /** Each with its value where nothing is filtered: text, number or boolean. */
  readonly filters: Filters
  readonly pageSize?: number
  /** Milliseconds after which the page is read again by itself. */
  readonly refreshMs?: number
  /** False where the list is one of several on a page, and not the one the address describes. */
  readonly inAddress?: boolean
}

export function useList<Row, Filters extends object>(
  options: ListOptions<Row, Filters>,
): List<Row, Filters> {
  const { key, read, refreshMs = false, pageSize: pageSizeUsual = 20, inAddress = true } = options
  const place = { name: key, filters: options.filters, pageSize: pageSizeUsual, inAddress }
  const { page, pageSize, filters, view } = useListPlace(place)
  const unfiltered = JSON.stringify(options.filters)

  const query = useQuery({
    queryKey: [key, page, pageSize, filters],
    queryFn: ({ signal }) => read({ ...filters, p: page.value, page_size: pageSize.value }, signal),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  })

  // After the last row of the last page was deleted, the page before is shown.
  watch(query.data, (data) => {
    if (data === undefined || data.items.length > 0 || page.value === 1) return
    page.value = Math.max(1, Math.ceil(data.total / pageSize.value))
  })

  return {
    rows: computed(() => query.data.value?.items ?? []),
    total: computed(() => query.data.value?.total ?? 0),
    page,
    pageSize,
    filters,
    view,
    filtered: computed(() => JSON.stringify(filters) !== unfiltered),
    busy: query.isFetching,
    pending: query.isPending,
    error: query.error,
    reload: () => query.refetch(),
    filter(changed) {
      const isShown = Object.entries(changed).every(
        ([name, value]) => filters[name as keyof Filters] === value,
      )
      if (isShown) return
      Object.assign(filters, changed)
      page.value = 1
    },
  }
}
