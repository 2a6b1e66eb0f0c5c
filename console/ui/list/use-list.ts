/**
 * A list the server pages: page and filters stand in the address, so that a reload, a link and the way back show the
 * same rows, and so does a link to the page one is on. The rows of the page before stay until the next ones are there.
 */
import { keepPreviousData, useQuery } from '@tanstack/vue-query'
import { computed, type Ref, reactive, ref, watch } from 'vue'
import { useRoute, useRouter } from 'vue-router'
import type { Page, PageQuery } from '../../api/page.js'

export interface List<Row, Filters extends object> {
  readonly rows: Ref<readonly Row[]>
  readonly total: Ref<number>
  readonly page: Ref<number>
  readonly pageSize: Ref<number>
  readonly filters: Filters
  /** Some filter is set: then nothing found is no empty list. */
  readonly filtered: Ref<boolean>
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

type Value = string | number | boolean

export function useList<Row, Filters extends object>(
  terms: ListOptions<Row, Filters>,
): List<Row, Filters> {
  const route = useRoute()
  const router = useRouter()
  const inAddress = terms.inAddress ?? true
  const asked = inAddress ? route.query : {}
  const page = ref(positive(asked.page, 1))
  const pageSize = ref(positive(asked.size, terms.pageSize ?? 20))
  const filters = reactive(readFilters(terms.filters, asked)) as Filters
  const unfiltered = JSON.stringify(terms.filters)

  const query = useQuery({
    queryKey: [terms.key, page, pageSize, filters],
    queryFn: ({ signal }) =>
      terms.read({ ...filters, p: page.value, page_size: pageSize.value }, signal),
    placeholderData: keepPreviousData,
    refetchInterval: terms.refreshMs ?? false,
  })

  const shown = () => JSON.stringify([page.value, pageSize.value, filters])
  /** What the address holds or is about to hold, as far as this list has read or written it. */
  let said = shown()

  function write(): void {
    if (shown() === said) return
    said = shown()
    const size = pageSize.value === (terms.pageSize ?? 20) ? undefined : pageSize.value
    const first = page.value === 1 ? undefined : page.value
    const set = Object.entries(filters).filter(
      ([name, value]) => value !== terms.filters[name as keyof Filters],
    )
    const words = Object.fromEntries(set.map(([name, value]) => [name, String(value)]))
    void router.replace({ query: { ...words, page: first, size }, hash: route.hash })
  }

  /** The menu, a link, or the way back has led to other rows of the same page. */
  function follow(next: Readonly<Record<string, unknown>>): void {
    const nextPage = positive(next.page, 1)
    const nextSize = positive(next.size, terms.pageSize ?? 20)
    const nextFilters = readFilters(terms.filters, next)
    if (JSON.stringify([nextPage, nextSize, nextFilters]) === said) return
    page.value = nextPage
    pageSize.value = nextSize
    Object.assign(filters, nextFilters)
    said = shown()
  }

  if (inAddress) {
    const { path } = route
    watch(shown, write)
    watch(
      () => route.query,
      (next) => {
        if (route.path === path) follow(next)
      },
    )
  }
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
    filtered: computed(() => JSON.stringify(filters) !== unfiltered),
    busy: query.isFetching,
    pending: query.isPending,
    error: query.error,
    reload: () => query.refetch(),
    filter(changed) {
      const isSaid = Object.entries(changed).every(
        ([name, value]) => filters[name as keyof Filters] === value,
      )
      if (isSaid) return
      Object.assign(filters, changed)
      page.value = 1
    },
  }
}

function positive(text: unknown, otherwise: number): number {
  const number = Number(text)
  return Number.isInteger(number) && number > 0 ? number : otherwise
}

function readFilters<Filters extends object>(
  usual: Filters,
  asked: Readonly<Record<string, unknown>>,
): Filters {
  const read = Object.entries(usual as Record<string, Value>).map(([name, value]) => {
    const text = asked[name]
    return [name, typeof text === 'string' ? likeIt(value, text) : value]
  })
  return Object.fromEntries(read)
}

function likeIt(usual: Value, text: string): Value {
  if (typeof usual === 'boolean') return text === 'true'
  if (typeof usual !== 'number') return text
  const number = Number(text)
  return Number.isFinite(number) ? number : usual
}
