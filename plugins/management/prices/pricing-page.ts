/**
 * The public page of models and prices (management/README.md section 10): what the caller's groups serve, each model once. A model without
 * a price cannot be called and is left out; so is one that an admin switched off.
 */
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Answer } from '../../../kernel/contract/management.js'
import type { Channels } from '../../services/channels/index.js'
import type { ModelFacts, ModelRegistry, Vendor } from '../../services/model-registry/index.js'
import type { PriceBook, Quote, WrittenCard } from '../../services/pricing/index.js'
import type { Routing } from '../../services/routing/index.js'

export interface PageServices {
  readonly routing: Pick<Routing, 'usableGroups' | 'autoRoutes'>
  readonly channels: Pick<Channels, 'models'>
  readonly registry: Pick<ModelRegistry, 'describe'>
  readonly prices: PriceBook
}

export interface Viewer {
  readonly group: string
  readonly role: number
}

export interface PricedModel {
  readonly model_name: string
  readonly description: string
  readonly icon: string
  readonly tags: string
  readonly vendor_id: number
  readonly quota_type: 0 | 1
  readonly model_ratio: number
  readonly model_price: number
  /** Beside the family's fields, whose programs know no rate cards. */
  readonly rate_card?: WrittenCard
  readonly owner_by: string
  readonly completion_ratio: number
  readonly cache_ratio?: number
  readonly create_cache_ratio?: number
  readonly image_ratio?: number
  readonly audio_ratio?: number
  readonly audio_completion_ratio?: number
  readonly enable_groups: readonly string[]
  readonly supported_endpoint_types: readonly string[]
}

/** An alias, since an interface is no JSON value. */
export type PricedVendor = Pick<Vendor, 'id' | 'name' | 'description' | 'icon'>

export interface Listed {
  readonly name: string
  readonly groups: readonly string[]
  readonly facts: ModelFacts
  readonly quote: Quote
}

export function pricingPage(services: PageServices, viewer: Viewer): Answer {
  const listed = modelsFor(services, viewer)
  return { answer: true, data: listed.map(priced), beside: besideOf(services, viewer, listed) }
}

/** What stands beside the models of a page. */
export function besideOf({ routing }: PageServices, viewer: Viewer, listed: readonly Listed[]) {
  const groups = routing.usableGroups(viewer)
  const chains = routing.autoRoutes(viewer).flatMap((route) => route.groups)
  return {
    vendors: vendorsOf(listed),
    group_ratio: Object.fromEntries(groups.map(({ name, ratio }) => [name, ratio])),
    usable_group: Object.fromEntries(groups.map(({ name, desc }) => [name, desc])),
    supported_endpoint: endpointsOf(listed),
    auto_groups: [...new Set(chains)],
  }
}

/** All the viewer's groups serve, or one of them. */
export function modelsFor(
  { routing, channels, registry, prices }: PageServices,
  viewer: Viewer,
  only?: string,
): readonly Listed[] {
  const groups = routing.usableGroups(viewer).map(({ name }) => name)
  const groupsOf = new Map<string, string[]>()
  for (const group of groups) {
    for (const name of channels.models(group)) {
      if (only !== undefined && name !== only) continue
      const found = groupsOf.get(name)
      if (found === undefined) groupsOf.set(name, [group])
      else found.push(group)
    }
  }
  return [...groupsOf.keys()].sort().flatMap((name) => {
    const facts = registry.describe(name)
    const quote = prices.priced(name) ? prices.quote(name) : undefined
    if (facts.hidden || quote === undefined) return []
    return [{ name, facts, quote, groups: groupsOf.get(name)! }]
  })
}

/** Ratios without an entry are left out, and clients take their defaults; a free model is one whose ratio is 0. */
export function priced({ name, groups, facts, quote }: Listed): PricedModel {
  const { entry, vendor, endpoints } = facts
  const { mode, figures } = quote
  const byTokens = mode === 'ratio'
  return {
    model_name: name,
    description: entry?.description ?? '',
    icon: entry?.icon ?? '',
    tags: entry?.tags ?? '',
    vendor_id: vendor?.id ?? 0,
    quota_type: mode === 'price' || mode === 'card' ? 1 : 0,
    model_ratio: byTokens ? (figures.model_ratio ?? 0) : 0,
    model_price: priceIn(quote),
    ...(mode === 'card' && { rate_card: quote.card }),
    owner_by: vendor?.name ?? '',
    completion_ratio: byTokens ? (figures.completion_ratio ?? 1) : 1,
    ...(byTokens && ratiosIn(figures)),
    enable_groups: groups,
    supported_endpoint_types: endpoints.map(({ type }) => type),
  }
}

function priceIn({ mode, figures, cardLeast = 0 }: Quote): number {
  if (mode === 'card') return cardLeast
  return mode === 'price' ? (figures.model_price ?? 0) : 0
}

function ratiosIn(figures: Quote['figures']) {
  return {
    cache_ratio: figures.cache_ratio,
    create_cache_ratio: figures.create_cache_ratio,
    image_ratio: figures.image_ratio,
    audio_ratio: figures.audio_ratio,
    audio_completion_ratio: figures.audio_completion_ratio,
  }
}

/** Of the models shown only: who else is known here is nobody's business. */
function vendorsOf(listed: readonly Listed[]): readonly PricedVendor[] {
  const vendors = new Map<number, PricedVendor>()
  for (const { facts } of listed) {
    if (facts.vendor === undefined) continue
    const { id, name, description, icon } = facts.vendor
    vendors.set(id, { id, name, description, icon })
  }
  return [...vendors.values()]
}

/** By type; one whose address nobody knows is left out. */
function endpointsOf(listed: readonly Listed[]): JsonObject {
  const endpoints = new Map<string, JsonObject>()
  for (const { facts } of listed) {
    for (const { type, path, method } of facts.endpoints) {
      if (path !== undefined && !endpoints.has(type)) endpoints.set(type, { path, method })
    }
  }
  return Object.fromEntries(endpoints)
}
