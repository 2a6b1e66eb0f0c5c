/**
 * The messages format has two ways to ask for thinking: a budget in tokens, and an effort with which newer models think
 * adaptively; those refuse a budget (2026-04). Which models do is known to the provider.
 */
import { isObject, type JsonObject } from '../../contract/json.js'

/** A budget as the nearest effort where the model takes none; everything else in the request stays as it is. */
export function withEffort(wire: JsonObject, takesBudget: (model: string) => boolean): JsonObject {
  const { thinking, model, output_config } = wire
  if (!isObject(thinking) || typeof model !== 'string' || takesBudget(model)) return wire
  const { type, budget_tokens: budget, display } = thinking
  if (type !== 'enabled' || typeof budget !== 'number') return wire
  const config = isObject(output_config) ? output_config : {}
  return {
    ...wire,
    // Newer models leave their thinking out unless it is requested.
    thinking: { type: 'adaptive', display: display ?? 'summarized' },
    output_config: { ...config, effort: config.effort ?? effortFor(budget) },
  }
}

function effortFor(budget: number): string {
  if (budget < 2048) return 'low'
  if (budget < 4096) return 'medium'
  if (budget < 8192) return 'high'
  return budget < 16_384 ? 'xhigh' : 'max'
}
