/** Search and filters of the catalogue, with what there is to choose from. */
import { type ComputedRef, computed } from 'vue'
import { useI18n } from 'vue-i18n'
import { locale } from '../../shell/i18n.js'
import type { FilterField } from '../../ui/list/filters/filter-field.js'
import { useMoney } from '../../ui/money.js'
import { abilities, can, sizeText } from './about-text.js'
import { orders } from './order.js'
import { priceText, product } from './price.js'
import { billingOf, type Catalog, type Filters, tagsOf } from './use-catalog.js'

type Select = FilterField<Filters> & { readonly kind: 'select' }

const contexts = [32_000, 128_000, 200_000, 1_000_000]
const pricesMost = ['0.1', '0.5', '1', '3', '10']

export function useCatalogFilters({
  models,
  catalogue,
}: Catalog): ComputedRef<readonly FilterField<Filters>[]> {
  const { t } = useI18n()
  const { currency, perUnit } = useMoney()

  const groups = computed(() =>
    Object.entries(catalogue.value?.ratios ?? {}).map(([value, ratio]) => ({
      value,
      label: t('catalogue.group', { name: catalogue.value?.groups[value] || value, ratio }),
    })),
  )
  const billings = computed(() =>
    [...new Set(models.value.map(billingOf))].map((value) => ({
      value,
      label: t(`catalogue.billings.${value}`),
    })),
  )
  const select = (name: Select['name'], options: Select['options']): Select => ({
    ...{ kind: 'select', name, label: t(`catalogue.filters.${name}`) },
    ...{ options, filterable: true },
  })
  const most = (usd: string) =>
    priceText(product([usd]), {
      ...{ currency: currency.value, perUnit: perUnit.value, locale: locale.value },
    })

  return computed(() => {
    const all = models.value
    const known = abilities.filter((one) => all.some((model) => can(model, one) === true))
    const sizes = contexts.filter((size) =>
      all.some((model) => (model.context_length ?? 0) >= size),
    )
    const kinds = counted(all.map((one) => one.kind ?? ''))
    const selects = [
      select('vendor', counted(all.map((one) => one.vendor))),
      select(
        'can',
        known.map((value) => ({ value, label: t(`model-words.abilities.${value}`) })),
      ),
      select(
        'kind',
        kinds.map(({ value }) => ({ value, label: t(`model-words.kinds.${value}`) })),
      ),
      select(
        'context',
        sizes.map((size) => ({
          value: String(size),
          label: t('catalogue.atLeast', { size: sizeText(size) }),
        })),
      ),
      select(
        'price',
        pricesMost.map((usd) => ({
          value: usd,
          label: t('catalogue.atMost', { price: most(usd) }),
        })),
      ),
      select('group', groups.value),
      select('endpoint', counted(all.flatMap((one) => one.supported_endpoint_types))),
      select('tag', counted(all.flatMap(tagsOf))),
      select('billing', billings.value),
    ]
    return [
      { kind: 'text', name: 'q', label: t('catalogue.search'), wide: true },
      ...selects.filter(({ options }) => options.length > 1),
      {
        ...{ kind: 'select', name: 'sort', label: t('catalogue.filters.sort'), stays: true },
        options: orders.map((value) => ({
          value,
          label: t(`catalogue.orders.${value || 'name'}`),
        })),
      },
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
