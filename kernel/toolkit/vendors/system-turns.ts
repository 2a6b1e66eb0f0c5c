/**
 * Instructions that stand between messages. The makers of the formats take them there; most other services take
 * instructions at the head only, and refuse the whole request else. They go out as the user's in their place, since what
 * they mean depends on where they stand.
 */
import { isObject, type Json, type JsonObject } from '../../contract/json.js'
import { changedEach } from './vendor-facts.js'

/** What is lost thereby. */
const lost = 'messages.role'

/** For `Adapter.refuses` of the chat format. */
export function laterSystemLost({ messages }: JsonObject): readonly string[] {
  const list = listOf(messages)
  return list.slice(leading(list)).some(isInstruction) ? [lost] : []
}

/** The chat format, with instructions at the head only. The same object where nothing changes. */
export function withoutLaterSystem(wire: JsonObject): JsonObject {
  const list = listOf(wire.messages)
  const head = leading(list)
  if (!list.slice(head).some(isInstruction)) return wire
  const messages = list.map((one, at) =>
    at >= head && isInstruction(one) ? { ...one, role: 'user' } : one,
  )
  return { ...wire, messages }
}

/** The chat format for services that take one message of instructions, the first. */
export function withOneSystem(wire: JsonObject): JsonObject {
  const next = withoutLaterSystem(wire)
  const list = listOf(next.messages)
  const head = leading(list)
  if (head < 2) return next
  const first = { ...(list[0] as JsonObject), content: joined(list.slice(0, head)) }
  return { ...next, messages: [first, ...list.slice(head)] }
}

/** Texts become one; anything beside them keeps the list. */
function joined(messages: readonly Json[]): Json {
  const parts = messages.flatMap((one) => partsOf((one as JsonObject).content))
  const texts = parts.map((part) => textAlone(part))
  return texts.includes(undefined) ? parts : texts.join('\n\n')
}

function partsOf(content: Json | undefined): readonly Json[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return Array.isArray(content) ? content : []
}

function textAlone(part: Json): string | undefined {
  if (!isObject(part) || part.type !== 'text' || typeof part.text !== 'string') return undefined
  return Object.keys(part).length === 2 ? part.text : undefined
}

/** For `Adapter.refuses` of the messages format, where its maker's turns of instructions are not known. */
export function systemTurnsLost({ messages }: JsonObject): readonly string[] {
  const turns = listOf(messages).filter(isInstruction)
  if (turns.length === 0) return []
  return turns.some((turn) => isObject(turn) && turn.output_config !== undefined)
    ? [lost, 'messages.output_config']
    : [lost]
}

/** The messages format without turns of instructions; one that only sets an effort is left out. */
export function withoutSystemTurns(wire: JsonObject): JsonObject {
  const list = listOf(wire.messages)
  if (!list.some(isInstruction)) return wire
  const kept = list.filter((turn) => !isInstruction(turn) || saysSomething(turn))
  const messages = changedEach(kept, (turn) => {
    if (!isInstruction(turn)) return turn
    const { output_config: _, ...rest } = turn
    return { ...rest, role: 'user' }
  })
  return { ...wire, messages: messages ?? [] }
}

function saysSomething(turn: Json): boolean {
  return isObject(turn) && (typeof turn.content === 'string' || listOf(turn.content).length > 0)
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : []
}

/** How many messages of instructions stand at the head. */
function leading(messages: readonly Json[]): number {
  const at = messages.findIndex((message) => !isInstruction(message))
  return at === -1 ? messages.length : at
}

function isInstruction(message: Json | undefined): message is JsonObject {
  return isObject(message) && (message.role === 'system' || message.role === 'developer')
}
