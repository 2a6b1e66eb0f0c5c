/** Finds entries by words in them and by vendor. */
import { type ComputedRef, computed, type Ref } from 'vue'
import { useI18n } from 'vue-i18n'
import type { ModelEntry, ModelFilters } from '../../../api/models.js'
import type { FilterField } from '../../../ui/list/filters/filter-field.js'
import type { List } from '../../../ui/list/use-list.js'
import { useVendors } from '../use-vendors.js'

export function useModelFilters(
  list: List<ModelEntry, ModelFilters>,
  /** Entries by id of the vendor, 0 for those without one. */
  counts: Ref<Readonly<Record<string, number>>>,
): ComputedRef<readonly FilterField<ModelFilters>[]> {
  const { t } = useI18n()
  const { vendors, isFetching, search } = useVendors()

  return computed(() => [
    { kind: 'text', name: 'keyword', label: t('models.keyword'), wide: true },
    {
      ...{ kind: 'select', name: 'vendor', label: t('models.vendor'), any: t('models.anyVendor') },
      options: [{ id: 0, name: t('models.noVendor') }, ...vendors.value].map(({ id, name }) => ({
        value: String(id),
        label: `${name} (${counts.value[id] ?? 0})`,
      })),
      ...{ wide: true, search, loading: isFetching.value },
      // All rows of one vendor are called the same.
      called: list.rows.value[0]?.vendor_name,
    },
  ])
}
