/**
 * Which rows of a list are shown: page, size and filters. They stand in the address, where the list is the one the address
 * describes, so that a reload, a link and the way back show the same rows, and so does a link
 * to the page one is on.
 */
import { type Ref, reactive, ref, watch } from 'vue'
import { useRoute, useRouter } from 'vue-router'
import { keptColumns } from '../list-tools/kept-columns.js'

export interface ListPlace<Filters extends object> {
  readonly page: Ref<number>
  readonly pageSize: Ref<number>
  readonly filters: Filters
  readonly view: ListView
}

/** How a list is shown. */
export interface ListView {
  /** Of the list, under which the browser keeps what is chosen for it. */
  readonly list: string
  /** As `readChoice` reads it. */
  readonly columns: Ref<string>
  /** Absent where the address does not describe the list. */
  readonly address?: {
    /** Filters, order, page size and columns that are not as usual. */
    words(): Readonly<Record<string, string>>
    /** Shows the first page of what the words describe. */
    show(words: Readonly<Record<string, string>>): void
  }
}

export interface PlaceOptions<Filters extends object> {
  /** Of the list. Absent: it is no list with columns. */
  readonly name?: string
  /** Each with its value where nothing is filtered. */
  readonly filters: Filters
  readonly pageSize: number
  readonly inAddress: boolean
  /** Words of the address that are none of the list's and stay when it changes. */
  readonly besides?: readonly string[]
}

type Value = string | number | boolean

export function useListPlace<Filters extends object>(
  options: PlaceOptions<Filters>,
): ListPlace<Filters> {
  const route = useRoute()
  const stated = options.inAddress ? route.query : {}
  const place = {
    page: ref(positive(stated.page, 1)),
    pageSize: ref(positive(stated.size, options.pageSize)),
    filters: reactive(readFilters(options.filters, stated)) as Filters,
    columns: ref(columnsOf(options, stated)),
  }
  const view = { list: options.name ?? '', columns: place.columns }
  if (!options.inAddress) return { ...place, view }
  return { ...place, view: { ...view, address: keepInAddress(place, options) } }
}

type Shown<Filters extends object> = Omit<ListPlace<Filters>, 'view'> & Pick<ListView, 'columns'>

function keepInAddress<Filters extends object>(
  { page, pageSize, filters, columns }: Shown<Filters>,
  usual: PlaceOptions<Filters>,
): ListView['address'] {
  const route = useRoute()
  const router = useRouter()
  const shown = () => JSON.stringify([page.value, pageSize.value, filters, columns.value])
  /** What the address holds or is about to hold, as far as this list has read or written it. */
  let written = shown()

  function words(): Readonly<Record<string, string>> {
    const set = Object.entries(filters).filter(
      ([name, value]) => value !== usual.filters[name as keyof Filters],
    )
    return {
      ...Object.fromEntries(set.map(([name, value]) => [name, String(value)])),
      ...(pageSize.value !== usual.pageSize && { size: String(pageSize.value) }),
      ...(columns.value !== '' && { columns: columns.value }),
    }
  }

  function write(): void {
    if (shown() === written) return
    written = shown()
    const first = page.value === 1 ? undefined : page.value
    const besides = (usual.besides ?? []).map((name) => [name, route.query[name]])
    const query = { ...Object.fromEntries(besides), ...words(), page: first }
    void router.replace({ query, hash: route.hash })
  }

  /** The menu, a link, or the way back has led to other rows of the same page. */
  function follow(next: Readonly<Record<string, unknown>>): void {
    const nextPage = positive(next.page, 1)
    const nextSize = positive(next.size, usual.pageSize)
    const nextFilters = readFilters(usual.filters, next)
    const stated = typeof next.columns === 'string' ? next.columns : ''
    if (JSON.stringify([nextPage, nextSize, nextFilters, stated]) === written) return
    page.value = nextPage
    pageSize.value = nextSize
    Object.assign(filters, nextFilters)
    columns.value = columnsOf(usual, next)
    written = shown()
    stateColumns(next)
  }

  /** A link copied from here leads to these columns, kept ones too. */
  function stateColumns(stated: Readonly<Record<string, unknown>>): void {
    if (columns.value === (stated.columns ?? '')) return
    void router.replace({ query: { ...route.query, columns: columns.value }, hash: route.hash })
  }

  function show(next: Readonly<Record<string, string>>): void {
    page.value = 1
    pageSize.value = positive(next.size, usual.pageSize)
    Object.assign(filters, readFilters(usual.filters, next))
    columns.value = next.columns ?? ''
  }

  const { path } = route
  stateColumns(route.query)
  watch(shown, write)
  watch(
    () => route.query,
    (next) => {
      if (route.path === path) follow(next)
    },
  )
  return { words, show }
}

/** Those of the address, or else those kept in this browser. */
function columnsOf(
  { name }: { readonly name?: string },
  stated: Readonly<Record<string, unknown>>,
): string {
  if (name === undefined) return ''
  return typeof stated.columns === 'string' ? stated.columns : keptColumns(name)
}

function positive(text: unknown, otherwise: number): number {
  const number = Number(text)
  return Number.isInteger(number) && number > 0 ? number : otherwise
}

function readFilters<Filters extends object>(
  usual: Filters,
  stated: Readonly<Record<string, unknown>>,
): Filters {
  const read = Object.entries(usual as Record<string, Value>).map(([name, value]) => {
    const text = stated[name]
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
