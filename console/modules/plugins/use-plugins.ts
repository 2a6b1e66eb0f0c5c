/** The plugins, failed ones first, as a list that is searched and paged in the browser: there are not many. */
import { useQuery } from '@tanstack/vue-query'
import { computed, watch } from 'vue'
import { type PluginStatus, readPlugins } from '../../api/plugins.js'
import type { List } from '../../ui/list/use-list.js'
import { useListPlace } from '../../ui/list/use-list-place.js'
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
  const { page, pageSize, filters, view } = useListPlace({
    ...{ name: 'plugins', filters: unfiltered, pageSize: 20, inAddress: true },
    // The one that is opened.
    besides: ['plugin'],
  })
  const found = computed(() => all.value.filter((plugin) => fits(plugin, filters)))
  const pages = computed(() => Math.max(1, Math.ceil(found.value.length / pageSize.value)))
  watch(pages, (count) => {
    if (query.data.value !== undefined && page.value > count) page.value = count
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
    view,
    filtered: computed(() => Object.values(filters).some((value) => value !== '')),
    busy: query.isFetching,
    pending: query.isPending,
    error: query.error,
    reload: () => query.refetch(),
    filter(changed) {
      Object.assign(filters, changed)
      page.value = 1
    },
  }
  return { query, all, list }
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
