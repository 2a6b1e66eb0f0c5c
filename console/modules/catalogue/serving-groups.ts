/** The groups of the viewer that serve a model, the cheapest first. */
import type { CatalogueTerms } from '../../api/catalogue.js'
import type { PricedModel } from '../../api/pricing.js'

export interface ServingGroup {
  readonly name: string
  readonly about: string
  readonly ratio: number
}

export function servingGroups(
  { enable_groups }: PricedModel,
  { groups, ratios }: CatalogueTerms,
): readonly ServingGroup[] {
  return enable_groups
    .filter((name) => name in ratios)
    .map((name) => ({ name, about: groups[name] ?? '', ratio: ratios[name] ?? 1 }))
    .sort((one, other) => one.ratio - other.ratio)
}
