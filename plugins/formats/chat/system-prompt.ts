/** The system prompt of a channel, as the first message, or before the first instruction there is. */
import type { SystemPrompt } from '../../../kernel/contract/format.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import { instructs, withPromptBefore } from '../../../kernel/toolkit/format/index.js'

export function withSystemPrompt(wire: JsonObject, prompt: SystemPrompt): JsonObject {
  const { messages } = wire
  if (!Array.isArray(messages)) return wire
  const at = messages.findIndex(instructs)
  if (at === -1) {
    return { ...wire, messages: [{ role: 'system', content: prompt.text }, ...messages] }
  }
  if (!prompt.always) return wire
  const message = messages[at] as JsonObject
  const block = { type: 'text', text: prompt.text }
  const content = withPromptBefore(message.content, prompt.text, block)
  return { ...wire, messages: messages.with(at, { ...message, content }) }
}
