/** The table's rows and what is known of their health; both are read again when the gateway announces a change. */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/vue-query'
import { computed, onUnmounted, shallowRef } from 'vue'
import { type ChannelHealth, readHealth } from '../../../api/breakers.js'
import { type Channel, type ChannelPage, readChannels } from '../../../api/channels.js'
import { isLive } from '../../../shell/live.js'
import { useLive } from '../../../shell/use-live.js'
import { useChosen } from '../../../ui/list/use-chosen.js'
import { useList } from '../../../ui/list/use-list.js'
import { atMostEvery } from './at-most-every.js'

const filters = {
  keyword: '',
  type: '',
  status: '',
  /** `open`: something of the channel is left alone for now. */
  breaker: '',
  group: '',
  model: '',
  tag: '',
  /** `none`: what its upstream charges is not stated. */
  cost: '',
  tag_mode: false,
  sort_by: '',
  sort_order: '',
}

export type ChannelFilters = typeof filters
export type HealthById = ReadonlyMap<number, ChannelHealth>

const secondMs = 1_000
const pollMs = 30_000
/** Latencies change with every request, and are not announced. */
const healthMs = 20_000

export function useChannelList() {
  const queryClient = useQueryClient()
  const typeCounts = shallowRef<Readonly<Record<string, number>>>({})
  /** Rows seen so far, so that what is chosen on one page has a name on the next. */
  const seen = new Map<number, Channel>()

  const list = useList<Channel, ChannelFilters>({
    key: 'channels',
    filters,
    async read(query, signal) {
      const page = await readChannels(query, signal)
      typeCounts.value = page.type_counts
      for (const row of page.items) seen.set(row.id, row)
      return query.tag_mode ? { ...page, items: counted(page) } : page
    },
  })

  const ids = computed(() => list.rows.value.map(({ id }) => id))
  const health = useQuery({
    queryKey: ['channel-health', ids],
    queryFn: ({ signal }) => readHealth(ids.value, signal),
    enabled: () => ids.value.length > 0,
    placeholderData: keepPreviousData,
    refetchInterval: healthMs,
  })
  const healthById = computed<HealthById>(
    () => new Map((health.data.value ?? []).map((row) => [row.channel_id, row])),
  )

  const again = atMostEvery(secondMs, () => {
    void queryClient.invalidateQueries({ queryKey: ['channels'] })
  })
  useLive('/live/changes/channels', again)
  // Where nothing is announced.
  const polling = setInterval(() => isLive.value || again(), pollMs)
  onUnmounted(() => clearInterval(polling))
  useLive('/live/health', ({ channels }) => {
    if (Array.isArray(channels) && !channels.some((id) => ids.value.includes(id))) return
    void queryClient.invalidateQueries({ queryKey: ['channel-health'] })
    // What failed too often may be switched off by now.
    again()
  })

  const choice = useChosen(list)
  const chosen = computed(() => choice.ids.value.flatMap((id) => seen.get(id) ?? []))

  return { list, typeCounts, healthById, choice, chosen }
}

/** Each with how many its tag has, so that rows show by themselves that they are grouped. */
function counted({ items, tag_counts }: ChannelPage): readonly Channel[] {
  return items.map((row) => ({ ...row, tag_total: tag_counts[row.tag] ?? 0 }))
}
