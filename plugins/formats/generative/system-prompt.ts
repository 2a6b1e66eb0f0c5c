/** The system prompt of a channel, in the system instruction. */
import type { SystemPrompt } from '../../../kernel/contract/format.js'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { promptGap } from '../../../kernel/toolkit/format/index.js'

/** Clients write the member in either case; what they wrote stays. */
export function withSystemPrompt(wire: JsonObject, prompt: SystemPrompt): JsonObject {
  const name = wire.system_instruction === undefined ? 'systemInstruction' : 'system_instruction'
  const own = wire[name]
  if (isBlank(own)) return { ...wire, [name]: { parts: [{ text: prompt.text }] } }
  return prompt.always ? { ...wire, [name]: beforeInstruction(own!, prompt.text) } : wire
}

function beforeInstruction(own: Json, text: string): Json {
  if (typeof own === 'string') return `${text}${promptGap}${own}`
  if (!isObject(own)) return { parts: [{ text }] }
  const parts = Array.isArray(own.parts) ? own.parts : own.parts === undefined ? [] : [own.parts]
  return { ...own, parts: [{ text }, ...parts] }
}

function isBlank(own: Json | undefined): boolean {
  return own === undefined || own === null || own === '' || (Array.isArray(own) && own.length === 0)
}
