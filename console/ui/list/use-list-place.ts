/**
 * Which rows of a list are shown: page, size and filters. They stand in the address, where the list is the one the address
 * describes, so that a reload, a link and the way back show the same rows, and so does a link
 * to the page one is on.
 */
import { type Ref, reactive, ref, watch } from 'vue'
import { useRoute, useRouter } from 'vue-router'

export interface ListPlace<Filters extends object> {
  readonly page: Ref<number>
  readonly pageSize: Ref<number>
  readonly filters: Filters
}

export interface PlaceOptions<Filters extends object> {
  /** Each with its value where nothing is filtered. */
  readonly filters: Filters
  readonly pageSize: number
  readonly inAddress: boolean
}

type Value = string | number | boolean

export function useListPlace<Filters extends object>(
  options: PlaceOptions<Filters>,
): ListPlace<Filters> {
  const route = useRoute()
  const stated = options.inAddress ? route.query : {}
  const place: ListPlace<Filters> = {
    page: ref(positive(stated.page, 1)),
    pageSize: ref(positive(stated.size, options.pageSize)),
    filters: reactive(readFilters(options.filters, stated)) as Filters,
  }
  if (options.inAddress) keepInAddress(place, options)
  return place
}

function keepInAddress<Filters extends object>(
  { page, pageSize, filters }: ListPlace<Filters>,
  usual: PlaceOptions<Filters>,
): void {
  const route = useRoute()
  const router = useRouter()
  const shown = () => JSON.stringify([page.value, pageSize.value, filters])
  /** What the address holds or is about to hold, as far as this list has read or written it. */
  let written = shown()

  function write(): void {
    if (shown() === written) return
    written = shown()
    const size = pageSize.value === usual.pageSize ? undefined : pageSize.value
    const first = page.value === 1 ? undefined : page.value
    const set = Object.entries(filters).filter(
      ([name, value]) => value !== usual.filters[name as keyof Filters],
    )
    const words = Object.fromEntries(set.map(([name, value]) => [name, String(value)]))
    void router.replace({ query: { ...words, page: first, size }, hash: route.hash })
  }

  /** The menu, a link, or the way back has led to other rows of the same page. */
  function follow(next: Readonly<Record<string, unknown>>): void {
    const nextPage = positive(next.page, 1)
    const nextSize = positive(next.size, usual.pageSize)
    const nextFilters = readFilters(usual.filters, next)
    if (JSON.stringify([nextPage, nextSize, nextFilters]) === written) return
    page.value = nextPage
    pageSize.value = nextSize
    Object.assign(filters, nextFilters)
    written = shown()
  }

  const { path } = route
  watch(shown, write)
  watch(
    () => route.query,
    (next) => {
      if (route.path === path) follow(next)
    },
  )
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
