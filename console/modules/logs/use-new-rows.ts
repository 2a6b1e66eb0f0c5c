/**
 * Rows that came since the page was read. They come in by themselves at the head of the log while nothing is being read
 * there; otherwise they are counted, and shown when one asks, so that nothing moves under one's eyes.
 */
import { useQuery } from '@tanstack/vue-query'
import { computed, type Ref, watch } from 'vue'
import type { Scope } from '../../api/data.js'
import { type LogRow, readLog } from '../../api/logs.js'
import type { List } from '../../ui/list/use-list.js'
import { filterOf, type LogFilters } from './log-list.js'

const pollMs = 5_000
const lookedAt = 100

export function useNewRows(
  list: List<LogRow, LogFilters>,
  scope: Ref<Scope>,
  box: Ref<Element | undefined>,
) {
  const newest = computed(() => list.rows.value[0])
  const news = useQuery({
    queryKey: ['log-news', scope, list.filters, computed(() => newest.value?.created_at ?? 0)],
    queryFn: ({ signal }) => {
      const filter = filterOf(list.filters)
      const from = Math.max(filter.start_timestamp, newest.value?.created_at ?? 0)
      const query = { ...filter, start_timestamp: from, p: 1, page_size: lookedAt }
      return readLog(scope.value, query, signal)
    },
    // Whoever looks at an end in the past waits for nothing new.
    enabled: computed(() => !list.pending.value && list.filters.end_timestamp === 0),
    refetchInterval: pollMs,
    staleTime: 0,
  })
  const count = computed(() => {
    const known = new Set(list.rows.value.map(({ id }) => id))
    const last = newest.value?.created_at ?? 0
    const found = news.data.value?.items ?? []
    return found.filter(({ id, created_at }) => created_at >= last && !known.has(id)).length
  })
  const isFirstPage = computed(() => list.page.value === 1)

  function isRead(): boolean {
    const opened = box.value?.querySelector('.expand-button[aria-expanded=true]')
    return !isFirstPage.value || scrollY > 0 || opened != null
  }

  function show(): void {
    if (isFirstPage.value) void list.reload()
    else list.page.value = 1
  }

  watch(count, (now) => {
    if (now > 0 && !isRead()) show()
  })

  return {
    count,
    isMany: computed(() => count.value >= lookedAt),
    show,
    look: () => news.refetch(),
  }
}
