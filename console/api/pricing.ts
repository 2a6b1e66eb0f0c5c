/** What models cost here: `GET /api/pricing`, as the groups of the caller serve them. */
import { requestWhole } from './request.js'

export interface PricedModel {
  readonly model_name: string
  readonly description: string
  /** With commas between them. */
  readonly tags: string
  readonly vendor_id: number
  readonly owner_by: string
  /** 0: by tokens. 1: a fixed price per call. */
  readonly quota_type: number
  /** 1 is two US dollars per million tokens. */
  readonly model_ratio: number
  /** US dollars per call. */
  readonly model_price: number
  readonly completion_ratio: number
  readonly cache_ratio?: number
  readonly create_cache_ratio?: number
  readonly image_ratio?: number
  readonly audio_ratio?: number
  readonly audio_completion_ratio?: number
  readonly enable_groups: readonly string[]
  readonly supported_endpoint_types: readonly string[]
}

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
  const vendors = (beside.vendors ?? []) as readonly {
    readonly id: number
    readonly name: string
  }[]
  return {
    models: data,
    vendors: new Map(vendors.map(({ id, name }) => [id, name])),
    ratios: (beside.group_ratio ?? {}) as Pricing['ratios'],
    groups: (beside.usable_group ?? {}) as Pricing['groups'],
    endpoints: (beside.supported_endpoint ?? {}) as Pricing['endpoints'],
  }
}
