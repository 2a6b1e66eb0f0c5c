/** The models of the catalogue, as the filters and the order in the address leave them. */
import { useQuery } from '@tanstack/vue-query'
import { computed, reactive, watch } from 'vue'
import { useRoute, useRouter } from 'vue-router'
import { type CatalogueModel, readCatalogue, readSpeeds } from '../../api/catalogue.js'
import type { PricedModel } from '../../api/pricing.js'
import { useSession } from '../../shell/session.js'
import { type Ability, can } from './about-text.js'
import { inOrder, type Order } from './order.js'
import { isFree, isPerCall, ratioFor, weightOf } from './price.js'

export type Billing = 'tokens' | 'call' | 'card' | 'free'

export interface Filters {
  q: string
  vendor: string
  kind: string
  /** One of the abilities. */
  can: string
  /** Least context, in tokens. */
  context: string
  /** Most US dollars per million tokens of input. */
  price: string
  tag: string
  endpoint: string
  /** Empty: all. */
  group: string
  billing: '' | Billing
  sort: Order
  view: '' | 'cards'
}

const none: Filters = {
  ...{ q: '', vendor: '', kind: '', can: '', context: '', price: '', tag: '', endpoint: '' },
  ...{ group: '', billing: '', sort: '', view: '' },
}

export function useCatalog() {
  const route = useRoute()
  const router = useRouter()
  const session = useSession()
  const query = useQuery({ queryKey: ['catalogue'], queryFn: readCatalogue, staleTime: 60_000 })
  const speedQuery = useQuery({
    queryKey: ['catalogue', 'speed'],
    queryFn: readSpeeds,
    staleTime: 120_000,
  })
  const filters = reactive<Filters>({ ...none, ...filtersFrom(route.query) })

  watch(filters, () => {
    const set = Object.entries(filters).filter(([, value]) => value !== '')
    void router.replace({ query: Object.fromEntries(set) })
  })

  const speeds = computed(() => speedQuery.data.value ?? new Map())
  const models = computed(() => query.data.value?.models ?? [])
  const ownGroup = computed(() => filters.group || (session.self?.group ?? ''))
  const ratioOf = (model: PricedModel) =>
    ratioFor(model, query.data.value?.ratios ?? {}, ownGroup.value)
  const shown = computed(() =>
    inOrder(
      models.value.filter((model) => fits(model, filters, ratioOf)),
      filters.sort,
      { ratioOf, speeds: speeds.value },
    ),
  )
  const filtered = computed(() =>
    Object.entries(filters).some(([name, value]) => !stays.includes(name) && value !== ''),
  )

  return {
    ...{
      query,
      catalogue: query.data,
      models,
      speeds,
      shown,
      filters,
      filtered,
      ratioOf,
      ownGroup,
    },
    filter: (changed: Partial<Filters>) => void Object.assign(filters, changed),
    clear() {
      Object.assign(filters, { ...none, view: filters.view, sort: filters.sort })
    },
  }
}

/** How models are shown, not which. */
const stays: readonly string[] = ['view', 'sort']

export type Catalog = ReturnType<typeof useCatalog>

function fits(
  model: CatalogueModel,
  filters: Filters,
  ratioOf: (model: PricedModel) => number,
): boolean {
  const { q, vendor, kind, tag, endpoint, group, billing, context, price } = filters
  if (vendor !== '' && model.vendor !== vendor) return false
  if (kind !== '' && model.kind !== kind) return false
  if (filters.can !== '' && can(model, filters.can as Ability) !== true) return false
  if (context !== '' && !((model.context_length ?? 0) >= Number(context))) return false
  if (price !== '' && !isWithin(model, Number(price), ratioOf(model))) return false
  if (tag !== '' && !tagsOf(model).includes(tag)) return false
  if (endpoint !== '' && !model.supported_endpoint_types.includes(endpoint)) return false
  if (group !== '' && !model.enable_groups.includes(group)) return false
  if (billing !== '' && billingOf(model) !== billing) return false
  return q === '' || mentions(model, q)
}

function isWithin(model: CatalogueModel, most: number, ratio: number): boolean {
  const billing = billingOf(model)
  return billing === 'free' || (billing === 'tokens' && weightOf(model, ratio) <= most)
}

/** Every word of the search stands somewhere in the texts about the model. */
function mentions({ model_name, description, tags, vendor }: CatalogueModel, q: string): boolean {
  const text = `${model_name} ${description} ${tags} ${vendor}`.toLowerCase()
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

export function tagsOf({ tags }: Pick<PricedModel, 'tags'>): readonly string[] {
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
