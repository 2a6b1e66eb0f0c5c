/** The models of the price list, as the filters in the address leave them. */
import { useQuery } from '@tanstack/vue-query'
import { computed, reactive, watch } from 'vue'
import { useRoute, useRouter } from 'vue-router'
import { type PricedModel, type Pricing, readPricing } from '../../api/pricing.js'
import { isFree, isPerCall } from './price.js'

export type Billing = 'tokens' | 'call' | 'card' | 'free'

export interface Filters {
  q: string
  vendor: string
  tag: string
  endpoint: string
  /** Empty: all. */
  group: string
  billing: '' | Billing
  view: '' | 'cards'
}

const none: Filters = { q: '', vendor: '', tag: '', endpoint: '', group: '', billing: '', view: '' }

export function useCatalog() {
  const route = useRoute()
  const router = useRouter()
  const query = useQuery({ queryKey: ['pricing'], queryFn: readPricing, staleTime: 60_000 })
  const filters = reactive<Filters>({ ...none, ...filtersFrom(route.query) })

  watch(filters, () => {
    const set = Object.entries(filters).filter(([, value]) => value !== '')
    void router.replace({ query: Object.fromEntries(set) })
  })

  const pricing = computed(() => query.data.value)
  const models = computed(() => pricing.value?.models ?? [])
  const shown = computed(() => models.value.filter((model) => fits(model, filters, pricing.value)))
  const filtered = computed(() =>
    Object.entries(filters).some(([name, value]) => name !== 'view' && value !== ''),
  )

  return {
    query,
    pricing,
    models,
    shown,
    filters,
    filtered,
    filter: (changed: Partial<Filters>) => void Object.assign(filters, changed),
    clear() {
      Object.assign(filters, { ...none, view: filters.view })
    },
  }
}

export type Catalog = ReturnType<typeof useCatalog>

function fits(model: PricedModel, filters: Filters, pricing: Pricing | undefined): boolean {
  const { q, vendor, tag, endpoint, group, billing } = filters
  if (vendor !== '' && vendorOf(model, pricing) !== vendor) return false
  if (tag !== '' && !tagsOf(model).includes(tag)) return false
  if (endpoint !== '' && !model.supported_endpoint_types.includes(endpoint)) return false
  if (group !== '' && !model.enable_groups.includes(group)) return false
  if (billing !== '' && billingOf(model) !== billing) return false
  return q === '' || mentions(model, q, pricing)
}

/** Every word of the search stands somewhere in the texts about the model. */
function mentions(model: PricedModel, q: string, pricing: Pricing | undefined): boolean {
  const { model_name, description, tags } = model
  const text = `${model_name} ${description} ${tags} ${vendorOf(model, pricing)}`.toLowerCase()
  return q
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

export function billingOf(model: PricedModel): Billing {
  if (isFree(model)) return 'free'
  if (model.rate_card !== undefined) return 'card'
  return isPerCall(model) ? 'call' : 'tokens'
}

export function vendorOf(
  { vendor_id, owner_by }: PricedModel,
  pricing: Pricing | undefined,
): string {
  return pricing?.vendors.get(vendor_id) ?? owner_by
}

export function tagsOf({ tags }: PricedModel): readonly string[] {
  return tags
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')
}

function filtersFrom(query: Readonly<Record<string, unknown>>): Partial<Filters> {
  const texts = Object.entries(query).filter(
    ([name, value]) => Object.hasOwn(none, name) && typeof value === 'string',
  )
  return Object.fromEntries(texts)
}
