/** The order of models; what is unknown stands last, and equals by name. */
import type { CatalogueModel, ModelSpeed } from '../../api/catalogue.js'
import { weightOf } from './price.js'

export const orders = ['', 'cheap', 'dear', 'context', 'fast', 'first', 'available'] as const
export type Order = (typeof orders)[number]

interface Known {
  readonly ratioOf: (model: CatalogueModel) => number
  readonly speeds: ReadonlyMap<string, ModelSpeed>
}

export function inOrder(
  models: readonly CatalogueModel[],
  order: Order,
  { ratioOf, speeds }: Known,
): readonly CatalogueModel[] {
  const speedOf = (model: CatalogueModel) => speeds.get(model.model_name)
  /** The smaller stands higher. */
  const places: Readonly<Record<string, (model: CatalogueModel) => number | undefined>> = {
    cheap: (model) => weightOf(model, ratioOf(model)),
    dear: (model) => -weightOf(model, ratioOf(model)),
    context: (model) => minus(model.context_length),
    fast: (model) => minus(speedOf(model)?.tokens_per_second),
    first: (model) => speedOf(model)?.first_token_ms ?? undefined,
    available: (model) => minus(speedOf(model)?.availability),
  }
  const place = places[order]
  if (place === undefined) return models
  return models
    .map((model) => ({ model, at: place(model) ?? Number.POSITIVE_INFINITY }))
    .sort((one, other) => (one.at === other.at ? 0 : one.at - other.at))
    .map(({ model }) => model)
}

function minus(value: number | null | undefined): number | undefined {
  return value === null || value === undefined ? undefined : -value
}
