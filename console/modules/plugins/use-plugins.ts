/** The plugins, failed ones first, as a list that is searched and paged in the browser: there are not many. */
import { useQuery } from '@tanstack/vue-query'
import { computed, reactive, ref, watch } from 'vue'
import { useRoute, useRouter } from 'vue-router'
import { type PluginStatus, readPlugins } from '../../api/plugins.js'
import type { List } from '../../ui/list/use-list.js'
import { keptColumns } from '../../ui/list-tools/kept-columns.js'
import { learnTexts } from '../../ui/shipped-texts.js'

const refreshMs = 60_000
const unfiltered = { q: '', kind: '', state: '' }

export type PluginFilters = typeof unfiltered

async function readTranslated({ signal }: { readonly signal: AbortSignal }) {
  const found = await readPlugins(signal)
  for (const { manifest } of found.plugins) learnTexts(manifest.translations)
  return found
}

export function usePlugins() {
  const query = useQuery({
    queryKey: ['plugins'],
    queryFn: readTranslated,
    refetchInterval: refreshMs,
  })
  const all = computed(() => [...(query.data.value?.plugins ?? [])].sort(failedFirst))
  const filters = useAddress()
  const page = ref(1)
  const pageSize = ref(20)
  const found = computed(() => all.value.filter((plugin) => fits(plugin, filters)))
  watch([filters, pageSize], () => {
    page.value = 1
  })

  const list: List<PluginStatus, PluginFilters> = {
    rows: computed(() => {
      const from = (page.value - 1) * pageSize.value
      return found.value.slice(from, from + pageSize.value)
    }),
    total: computed(() => found.value.length),
    page,
    pageSize,
    filters,
    view: { list: 'plugins', columns: ref(keptColumns('plugins')) },
    filtered: computed(() => Object.values(filters).some((value) => value !== '')),
    busy: query.isFetching,
    pending: query.isPending,
    error: query.error,
    reload: () => query.refetch(),
    filter: (changed) => void Object.assign(filters, changed),
  }
  return { query, all, list }
}

/** The filters stand in the address, so that a link shows the same. */
function useAddress(): PluginFilters {
  const route = useRoute()
  const router = useRouter()
  const filtersOfAddress = () =>
    Object.fromEntries(
      Object.keys(unfiltered).map((name) => [name, String(route.query[name] ?? '')]),
    ) as PluginFilters
  const filters = reactive(filtersOfAddress())
  watch(
    () => route.query,
    () => Object.assign(filters, filtersOfAddress()),
  )
  watch(filters, (now) => {
    const set = Object.fromEntries(
      Object.entries(now).map(([name, value]) => [name, value || undefined]),
    )
    void router.replace({ query: { ...route.query, ...set } })
  })
  return filters
}

function fits({ manifest, state }: PluginStatus, { q, kind, state: wanted }: PluginFilters) {
  if (kind !== '' && manifest.kind !== kind) return false
  if (wanted !== '' && state !== wanted) return false
  const words = [
    manifest.id,
    manifest.title,
    ...manifest.channelTypes.map(({ title }) => title),
    ...manifest.routes.map(({ path }) => path),
    ...manifest.settings.map(({ name, option }) => option ?? name),
  ]
  const sought = q.trim().toLowerCase()
  return words.some((word) => word.toLowerCase().includes(sought))
}

function failedFirst(one: PluginStatus, other: PluginStatus): number {
  const rank = ({ state }: PluginStatus) => (state === 'failed' ? 0 : 1)
  return rank(one) - rank(other) || one.manifest.id.localeCompare(other.manifest.id)
}
