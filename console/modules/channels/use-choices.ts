/** What forms and filters of channels offer to choose from, read once and kept for a while. */
import { useQuery } from '@tanstack/vue-query'
import { computed } from 'vue'
import {
  type KnownType,
  readChannelTypes,
  readGroupNames,
  readKnownModels,
  readModelGroups,
  type TypeList,
} from '../../api/channel-choices.js'
import { learnTexts, shippedText } from '../../ui/shipped-texts.js'

const keptMs = 60_000

export interface TypeGroup {
  /** Title of a provider that serves several types; `own` and `outside` are named by the console. */
  readonly title: string
  readonly types: readonly KnownType[]
}

async function readTranslatedTypes() {
  const found = await readChannelTypes()
  for (const one of found.translations) learnTexts(one)
  return found
}

export function useTypes() {
  const query = useQuery({
    queryKey: ['plugins', 'channel-types'],
    queryFn: readTranslatedTypes,
    staleTime: keptMs,
  })
  const types = computed(() =>
    (query.data.value?.types ?? []).map((type) => ({ ...type, title: shippedText(type.title) })),
  )
  const byId = computed(() => new Map(types.value.map((type) => [type.id, type])))
  const groups = computed<readonly TypeGroup[]>(() => {
    const found = query.data.value
    const groups = new Map<string, KnownType[]>([['own', []]])
    for (const type of types.value) {
      const title = shippedText(groupOf(type, types.value, found))
      groups.set(title, [...(groups.get(title) ?? []), type])
    }
    return [...groups].map(([title, list]) => ({ title, types: byTitle(list) }))
  })
  return { query, types, byId, groups }
}

function groupOf(
  { plugin }: KnownType,
  all: readonly KnownType[],
  found: Pick<TypeList, 'plugins' | 'outside'> | undefined,
): string {
  if (found?.outside.has(plugin)) return 'outside'
  const several = all.filter((type) => type.plugin === plugin).length > 1
  return several ? (found?.plugins.get(plugin) ?? plugin) : 'own'
}

function byTitle(types: readonly KnownType[]): readonly KnownType[] {
  return types.toSorted((one, other) => one.title.localeCompare(other.title))
}

export function useGroupNames() {
  return useQuery({ queryKey: ['groups', 'names'], queryFn: readGroupNames, staleTime: keptMs })
}

export function useKnownModels() {
  return useQuery({
    queryKey: ['channels', 'known-models'],
    queryFn: readKnownModels,
    staleTime: keptMs,
  })
}

export function useModelGroups() {
  return useQuery({
    queryKey: ['prefill-groups', 'models'],
    queryFn: readModelGroups,
    staleTime: keptMs,
  })
}
