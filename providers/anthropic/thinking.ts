/**
 * Models after 4.6 refuse a thinking budget and think adaptively, by an effort (2026-04). A budget for such a model
 * becomes the nearest effort; the others, and everything else in the request, stay as they are.
 */
import { isObject, type JsonObject } from '../../kernel/contract/json.js'
import type { ChannelView } from '../../kernel/contract/provider.js'

export function adjustThinking(wire: JsonObject, { settings }: ChannelView): JsonObject {
  const { thinking, model, output_config } = wire
  if (settings.thinking === 'as-sent' || !isObject(thinking)) return wire
  const { type, budget_tokens: budget, display } = thinking
  if (type !== 'enabled' || typeof budget !== 'number') return wire
  if (typeof model !== 'string' || takesBudget(model)) return wire
  const config = isObject(output_config) ? output_config : {}
  return {
    ...wire,
    // Newer models keep their thinking to themselves unless they are asked to show it.
    thinking: { type: 'adaptive', display: display ?? 'summarized' },
    output_config: { ...config, effort: config.effort ?? effortFor(budget) },
  }
}

/** Families 3 to 4.6 in their two spellings, `claude-3-7-sonnet-…` and `claude-sonnet-4-5-…`; other makers' models too. */
function takesBudget(model: string): boolean {
  if (!/(^|[./])claude-/.test(model)) return true
  return /claude-3-/.test(model) || /claude-[a-z]+-4(-[0-6])?(-\d{8})?(-latest)?$/.test(model)
}

function effortFor(budget: number): string {
  if (budget < 2048) return 'low'
  if (budget < 4096) return 'medium'
  if (budget < 8192) return 'high'
  return budget < 16_384 ? 'xhigh' : 'max'
}
