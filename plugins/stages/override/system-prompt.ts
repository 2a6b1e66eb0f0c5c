/**
 * The channel's system prompt in the words of the upstream's format: put in where the request has none, or before the
 * request's own where the channel sets that. Returns the same object where nothing changes.
 */

import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import type { FormatName } from '../../../kernel/contract/names.js'

export interface Prompt {
  readonly text: string
  /** Stands before a system prompt of the request too; else gives way to it. */
  readonly always: boolean
}

type Put = (wire: JsonObject, prompt: Prompt) => JsonObject

export function withSystemPrompt(format: FormatName, wire: JsonObject, prompt: Prompt): JsonObject {
  return spellings[format](wire, prompt)
}

const spellings: Readonly<Record<FormatName, Put>> = {
  chat: inChat,
  messages: inMessages,
  generative: inGenerative,
  responses: inResponses,
}

/** Between the channel's text and the request's own. */
const gap = '\n\n'

function inChat(wire: JsonObject, prompt: Prompt): JsonObject {
  const { messages } = wire
  if (!Array.isArray(messages)) return wire
  const at = messages.findIndex(instructs)
  if (at === -1) {
    return { ...wire, messages: [{ role: 'system', content: prompt.text }, ...messages] }
  }
  if (!prompt.always) return wire
  const message = messages[at] as JsonObject
  const content = before(message.content, prompt.text, { type: 'text', text: prompt.text })
  return { ...wire, messages: messages.with(at, { ...message, content }) }
}

function inMessages(wire: JsonObject, prompt: Prompt): JsonObject {
  const { system } = wire
  if (!isBlank(system) && !prompt.always) return wire
  const block = { type: 'text', text: prompt.text }
  return { ...wire, system: before(system, prompt.text, block) }
}

/** Clients write the member in either case; what they wrote stays. */
function inGenerative(wire: JsonObject, prompt: Prompt): JsonObject {
  const name = wire.system_instruction === undefined ? 'systemInstruction' : 'system_instruction'
  const own = wire[name]
  if (isBlank(own)) return { ...wire, [name]: { parts: [{ text: prompt.text }] } }
  return prompt.always ? { ...wire, [name]: beforeInstruction(own!, prompt.text) } : wire
}

function beforeInstruction(own: Json, text: string): Json {
  if (typeof own === 'string') return `${text}${gap}${own}`
  if (!isObject(own)) return { parts: [{ text }] }
  const parts = Array.isArray(own.parts) ? own.parts : own.parts === undefined ? [] : [own.parts]
  return { ...own, parts: [{ text }, ...parts] }
}

/** A conversation may hold instructions of its own among its items; those are a system prompt too. */
function inResponses(wire: JsonObject, prompt: Prompt): JsonObject {
  const { instructions, input } = wire
  if (typeof instructions === 'string' && instructions !== '') {
    return prompt.always ? { ...wire, instructions: `${prompt.text}${gap}${instructions}` } : wire
  }
  const hasOwn = Array.isArray(input) && input.some(instructs)
  return hasOwn && !prompt.always ? wire : { ...wire, instructions: prompt.text }
}

function instructs(turn: Json): boolean {
  return isObject(turn) && (turn.role === 'system' || turn.role === 'developer')
}

function isBlank(own: Json | undefined): boolean {
  return own === undefined || own === null || own === '' || (Array.isArray(own) && own.length === 0)
}

/** A text or a list of blocks, with the channel's before it. */
function before(own: Json | undefined, text: string, block: JsonObject): Json {
  if (Array.isArray(own)) return [block, ...own]
  return typeof own === 'string' && own !== '' ? `${text}${gap}${own}` : text
}
