/**
 * Reasoning models refuse `max_tokens` and want `max_completion_tokens`, which every newer model takes
 * (https://platform.openai.com/docs/api-reference/chat/create).
 */
import type { JsonObject } from '../../kernel/contract/json.js'

/** The same object where nothing is to be moved; the number stays, an explicit 0 included (FMT-5, FMT-6). */
export function spellLimit(wire: JsonObject): JsonObject {
  const { model, max_tokens: older, max_completion_tokens: newer } = wire
  if (older === undefined || typeof model !== 'string' || !isReasoning(model)) return wire
  const { max_tokens: _, ...rest } = wire
  const keepsNewer = typeof newer === 'number' && newer !== 0
  return keepsNewer ? rest : { ...rest, max_completion_tokens: older }
}

/** o1, o3-mini, gpt-5, gpt-5.1-codex, ft:o4-mini:… and later families. */
function isReasoning(model: string): boolean {
  return /(?:^|[/:])(?:o\d|gpt-[5-9])/.test(model)
}
