/** What models cost here: `GET /api/pricing`, as the groups of the caller serve them. */
import { requestWhole } from './request.js'
import type { components } from './schema.js'

export type PricedModel = components['schemas']['PricedModel']

export interface Pricing {
  readonly models: readonly PricedModel[]
  /** Name by id. */
  readonly vendors: ReadonlyMap<number, string>
  /** Factor by group. */
  readonly ratios: Readonly<Record<string, number>>
  /** Description by group. */
  readonly groups: Readonly<Record<string, string>>
  readonly endpoints: Readonly<Record<string, { readonly path: string; readonly method: string }>>
}

/** Who tries one out without a choice of their own means one that can be called: one without a price cannot. */
export function firstPriced(
  models: readonly string[],
  pricing: Pricing | undefined,
): string | undefined {
  return pricedFirst(models, pricing)[0]
}

/** In their order, those without a price last. */
export function pricedFirst(
  models: readonly string[],
  pricing: Pricing | undefined,
): readonly string[] {
  const priced = new Set(pricing?.models.map(({ model_name }) => model_name))
  const isPriced = (model: string) => priced.has(model)
  return [...models.filter(isPriced), ...models.filter((model) => !isPriced(model))]
}

export async function readPricing(): Promise<Pricing> {
  const { data, beside } = await requestWhole<readonly PricedModel[]>('GET', '/api/pricing')
  const vendors = (beside.vendors ?? []) as readonly components['schemas']['PricedVendor'][]
  return {
    models: data,
    vendors: new Map(vendors.map(({ id, name }) => [id, name])),
    ratios: (beside.group_ratio ?? {}) as Pricing['ratios'],
    groups: (beside.usable_group ?? {}) as Pricing['groups'],
    endpoints: (beside.supported_endpoint ?? {}) as Pricing['endpoints'],
  }
}
