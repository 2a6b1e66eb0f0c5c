/** The system prompt of a channel, in the member `system`. */
import type { SystemPrompt } from '../../../kernel/contract/format.js'
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import { withPromptBefore } from '../../../kernel/toolkit/format/index.js'

export function withSystemPrompt(wire: JsonObject, prompt: SystemPrompt): JsonObject {
  const { system } = wire
  if (!isBlank(system) && !prompt.always) return wire
  const block = { type: 'text', text: prompt.text }
  return { ...wire, system: withPromptBefore(system, prompt.text, block) }
}

function isBlank(own: Json | undefined): boolean {
  return own === undefined || own === null || own === '' || (Array.isArray(own) && own.length === 0)
}
