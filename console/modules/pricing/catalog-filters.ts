/** Search and filters of the price list, with what there is to choose from. */
import { type ComputedRef, computed } from 'vue'
import { useI18n } from 'vue-i18n'
import type { FilterField } from '../../ui/list/filters/filter-field.js'
import { billingOf, type Catalog, type Filters, tagsOf, vendorOf } from './use-catalog.js'

type Select = FilterField<Filters> & { readonly kind: 'select' }

export function useCatalogFilters({
  models,
  pricing,
}: Catalog): ComputedRef<readonly FilterField<Filters>[]> {
  const { t } = useI18n()

  const groups = computed(() =>
    Object.entries(pricing.value?.ratios ?? {}).map(([value, ratio]) => ({
      value,
      label: t('pricing.group', { name: pricing.value?.groups[value] || value, ratio }),
    })),
  )
  const billings = computed(() =>
    [...new Set(models.value.map(billingOf))].map((value) => ({
      value,
      label: t(`pricing.billings.${value}`),
    })),
  )
  const select = (name: Select['name'], options: Select['options']): Select => ({
    ...{ kind: 'select', name, label: t(`pricing.filters.${name}`) },
    ...{ options, filterable: true },
  })

  return computed(() => {
    const all = models.value
    const selects = [
      select('group', groups.value),
      select('vendor', counted(all.map((one) => vendorOf(one, pricing.value)))),
      select('endpoint', counted(all.flatMap((one) => one.supported_endpoint_types))),
      select('tag', counted(all.flatMap(tagsOf))),
      select('billing', billings.value),
    ]
    return [
      { kind: 'text', name: 'q', label: t('pricing.search'), wide: true },
      ...selects.filter(({ options }) => options.length > 1),
    ]
  })
}

/** With how many models each has. */
function counted(found: readonly string[]): { value: string; label: string }[] {
  const counts = new Map<string, number>()
  for (const one of found) if (one !== '') counts.set(one, (counts.get(one) ?? 0) + 1)
  return [...counts]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([value, count]) => ({ value, label: `${value} (${count})` }))
}
