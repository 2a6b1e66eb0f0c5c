/** Which channels the table shows. */
import { type ComputedRef, computed, type Ref } from 'vue'
import { useI18n } from 'vue-i18n'
import type { FilterField } from '../../../ui/list/filters/filter-field.js'
import { useGroupNames, useTypes } from '../use-choices.js'
import type { ChannelFilters } from './use-channel-list.js'

export function useChannelFilters(
  filters: ChannelFilters,
  typeCounts: Ref<Readonly<Record<string, number>>>,
): ComputedRef<readonly FilterField<ChannelFilters>[]> {
  const { t } = useI18n()
  const { types } = useTypes()
  const groups = useGroupNames()
  const label = (name: string) => t(`channels.filters.${name}`)
  const count = (id: number) => typeCounts.value[id] ?? 0
  const option = (value: string) => ({ value, label: label(value) })

  return computed(() => [
    { kind: 'text', name: 'keyword', label: label('keyword'), wide: true },
    {
      ...{ kind: 'select', name: 'status', label: label('status'), any: label('anyStatus') },
      options: ['enabled', 'disabled', 'auto_disabled'].map(option),
    },
    {
      ...{ kind: 'select', name: 'breaker', label: label('breaker'), any: label('anyBreaker') },
      options: ['open', 'closed'].map((value) => ({ value, label: label(`breakers.${value}`) })),
    },
    {
      ...{ kind: 'select', name: 'type', label: label('type'), any: label('anyType') },
      options: types.value
        .filter(({ id }) => count(id) > 0 || String(id) === filters.type)
        .map(({ id, title }) => ({ value: String(id), label: `${title} (${count(id)})` })),
      filterable: true,
    },
    {
      ...{ kind: 'select', name: 'group', label: label('group'), any: label('anyGroup') },
      options: (groups.data.value ?? []).map((value) => ({ value, label: value })),
      filterable: true,
    },
    {
      ...{ kind: 'select', name: 'cost', label: label('cost'), any: label('anyCost') },
      options: ['set', 'none'].map((value) => ({ value, label: label(`costs.${value}`) })),
    },
    { kind: 'text', name: 'model', label: label('model') },
    { kind: 'text', name: 'tag', label: label('tag') },
    { kind: 'check', name: 'tag_mode', label: label('byTag') },
  ])
}
