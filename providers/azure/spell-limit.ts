/**
 * Deployments of reasoning models refuse `max_tokens` and want `max_completion_tokens`. Only a name that shows the
 * model is known to be one; a deployment by any other name gets the field as the client spelled it.
 */
import type { JsonObject } from '../../kernel/contract/json.js'

const reasoningModel = /^(?:o\d|gpt-[5-9])/

/** The same object where nothing is to be moved; the number stays, an explicit 0 included (FMT-5, FMT-6). */
export function spellLimit(wire: JsonObject): JsonObject {
  const { max_tokens: older, ...rest } = wire
  if (older === undefined || typeof wire.model !== 'string') return wire
  if (!reasoningModel.test(wire.model)) return wire
  const newer = wire.max_completion_tokens
  return typeof newer === 'number' && newer !== 0 ? rest : { ...rest, max_completion_tokens: older }
}
