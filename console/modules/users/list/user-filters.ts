/** Which users are shown, and in what order. */
import { useQuery } from '@tanstack/vue-query'
import { type ComputedRef, computed } from 'vue'
import { useI18n } from 'vue-i18n'
import { readGroupNames } from '../../../api/channel-choices.js'
import { roles } from '../../../shell/roles.js'
import type { FilterField } from '../../../ui/list/filters/filter-field.js'
import { orders, type UserFilters } from './use-user-list.js'

export function useUserFilters(): ComputedRef<readonly FilterField<UserFilters>[]> {
  const { t } = useI18n()
  const groups = useQuery({ queryKey: ['groups', 'names'], queryFn: readGroupNames })
  const states = { on: 1, off: 2, deleted: -1 }

  return computed(() => [
    { kind: 'text', name: 'keyword', label: t('users.search'), wide: true },
    {
      ...{ kind: 'select', name: 'group', label: t('users.group'), any: t('users.anyGroup') },
      options: (groups.data.value ?? []).map((value) => ({ label: value, value })),
      filterable: true,
    },
    {
      ...{ kind: 'select', name: 'role', label: t('users.role'), any: t('users.anyRole') },
      options: Object.values(roles).map((value) => ({ label: t(`users.roles.${value}`), value })),
    },
    {
      ...{ kind: 'select', name: 'status', label: t('users.state'), any: t('users.anyState') },
      options: Object.entries(states).map(([name, value]) => ({
        label: t(`users.states.${name}`),
        value,
      })),
    },
    {
      ...{ kind: 'select', name: 'order', label: t('users.order'), stays: true },
      options: orders.map((value) => ({
        label: t(`users.orders.${value.replace(' ', '_')}`),
        value,
      })),
    },
  ])
}
