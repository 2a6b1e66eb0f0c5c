/**
 * What a call of a tool the upstream runs costs with one model. Keys are `tool`, `tool:model` or `tool:prefix*`; the
 * longest that fits the model wins, then the plain tool, then nothing. An explicit 0 switches a surcharge off.
 */
import { type Decimal, zero } from './decimal.js'
import type { PriceMap } from './price-maps.js'

/** USD per 1,000 calls of a tool with this model. */
export type ToolPrice = (tool: string) => Decimal

export interface ToolPrices {
  forModel(model: string): ToolPrice
  /** True when no tool costs anything with this model. */
  free(model: string): boolean
}

export function toolPrices(map: PriceMap): ToolPrices {
  const tools = new Map<string, ToolEntry>()
  for (const [key, price] of map) addTo(tools, key, price)
  for (const { prefixes } of tools.values()) {
    prefixes.sort((left, right) => right.prefix.length - left.prefix.length)
  }
  const names = [...tools.keys()]

  function forModel(model: string): ToolPrice {
    return (tool) => {
      for (let name = tool; name !== ''; name = withoutTier(name)) {
        const found = tools.get(name)
        const price = found && priceFor(found, model)
        if (price !== undefined) return price
      }
      return zero
    }
  }

  return {
    forModel,
    free: (model) => names.every((tool) => forModel(model)(tool).units === 0n),
  }
}

interface ToolEntry {
  plain?: Decimal
  readonly models: Map<string, Decimal>
  /** Longest first. */
  readonly prefixes: { readonly prefix: string; readonly price: Decimal }[]
}

/** A tool's name holds no colon; a model's may. */
function addTo(tools: Map<string, ToolEntry>, key: string, price: Decimal): void {
  const colon = key.indexOf(':')
  const tool = colon < 0 ? key : key.slice(0, colon)
  const model = colon < 0 ? '' : key.slice(colon + 1)
  const entry: ToolEntry = tools.get(tool) ?? { models: new Map(), prefixes: [] }
  tools.set(tool, entry)
  if (colon < 0) entry.plain = price
  else if (model.endsWith('*')) entry.prefixes.push({ prefix: model.slice(0, -1), price })
  else entry.models.set(model, price)
}

function priceFor({ plain, models, prefixes }: ToolEntry, model: string): Decimal | undefined {
  return (
    models.get(model) ?? prefixes.find(({ prefix }) => model.startsWith(prefix))?.price ?? plain
  )
}

/** `image_generation/high/1024x1024` falls back to `image_generation/high`, then to `image_generation`. */
function withoutTier(tool: string): string {
  return tool.slice(0, Math.max(tool.lastIndexOf('/'), 0))
}
