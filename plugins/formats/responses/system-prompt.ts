/** The system prompt of a channel, in the member `instructions`. */
import type { SystemPrompt } from '../../../kernel/contract/format.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import { instructs, promptGap } from '../../../kernel/toolkit/format/index.js'

/** A conversation may hold instructions of its own among its items; those are a system prompt too. */
export function withSystemPrompt(wire: JsonObject, prompt: SystemPrompt): JsonObject {
  const { instructions, input } = wire
  if (typeof instructions === 'string' && instructions !== '') {
    return prompt.always
      ? { ...wire, instructions: `${prompt.text}${promptGap}${instructions}` }
      : wire
  }
  const hasOwn = Array.isArray(input) && input.some(instructs)
  return hasOwn && !prompt.always ? wire : { ...wire, instructions: prompt.text }
}
