/**
 * A tool that must be called, by what each model does beside thinking (README, Forced tools): one that can stop thinking
 * stops, one that cannot loses the choice, and one that calls any tool but no named one is offered that tool alone.
 */
import { isObject, type Json, type JsonObject } from '../../kernel/contract/json.js'
import { namesTool, thinkingLost, withoutThinking } from '../../kernel/toolkit/vendors/index.js'

const stops = /(?:^|\/)kimi-k2\.[56]/i
const alwaysThinks = /(?:^|\/)kimi-k2(?:\.7|-thinking)/i
const callsAny = /(?:^|\/)kimi-k3/i

/** For `Adapter.refuses`. */
export function refused(wire: JsonObject, model: string): readonly string[] {
  if (stops.test(model)) return thinkingLost(wire)
  return alwaysThinks.test(model) && thinkingLost(wire).length > 0 ? ['tool_choice'] : []
}

/** For `Adapter.adjust`; the model is that of the wire. The same object where nothing changes. */
export function withForcedTool(wire: JsonObject): JsonObject {
  const model = typeof wire.model === 'string' ? wire.model : ''
  if (stops.test(model)) return withoutThinking(wire)
  return callsAny.test(model) && namesTool(wire) ? offeredAlone(wire) : wire
}

function offeredAlone(wire: JsonObject): JsonObject {
  const { tool_choice: choice, tools } = wire
  const kept = Array.isArray(tools) ? tools.filter((tool) => nameOf(tool) === nameOf(choice)) : []
  if (kept.length === 0) return wire
  return { ...wire, tools: kept, tool_choice: anyOf(choice) }
}

/** The word of the chat format, or of the messages format with its other members. */
function anyOf(choice: Json | undefined): Json {
  if (!isObject(choice) || choice.type === 'function') return 'required'
  const { name: _, ...rest } = choice
  return { ...rest, type: 'any' }
}

/** Chat keeps the name one object deeper than messages. */
function nameOf(value: Json | undefined): Json | undefined {
  if (!isObject(value)) return undefined
  return isObject(value.function) ? value.function.name : value.name
}
