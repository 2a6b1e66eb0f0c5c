/**
 * A tool that must be called, beside thinking: several services refuse the two together. The tool is what the client depends
 * on, so thinking is off for that turn and reported as lost. In the chat and the messages format alike. Each provider states
 * which of its models are concerned, and its source.
 */
import type { Call } from '../../contract/call.js'
import { isObject, type Json, type JsonObject } from '../../contract/json.js'

/** Values of `tool_choice`: a word or a type in the chat format, a type in the messages format. */
const forced: ReadonlySet<unknown> = new Set(['required', 'any', 'function', 'tool'])
const named: ReadonlySet<unknown> = new Set(['function', 'tool'])

/** Whether a request says that a tool must be called. */
export function forcesTool({ tool_choice: choice }: JsonObject): boolean {
  return forced.has(isObject(choice) ? choice.type : choice)
}

/** Whether it names the one that must be called. */
export function namesTool({ tool_choice: choice }: JsonObject): boolean {
  return isObject(choice) && named.has(choice.type)
}

/** Whether a request switches thinking off, by `thinking` or by an effort of `none`. */
function thinkingIsOff({ thinking, reasoning_effort: effort }: JsonObject): boolean {
  return isObject(thinking) ? thinking.type === 'disabled' : effort === 'none'
}

/** For `Adapter.refuses`, where thinking is on by default: it is lost even where the client did not ask for it. */
export function thinkingLost(wire: JsonObject): readonly string[] {
  if (!forcesTool(wire) || thinkingIsOff(wire)) return []
  return wire.reasoning_effort === undefined ? ['thinking'] : ['thinking', 'reasoning_effort']
}

/** For `Adapter.adjust`, where `thinking: {type: "disabled"}` is the service's word. The same object where nothing changes. */
export function withoutThinking(wire: JsonObject): JsonObject {
  return forcesTool(wire) && !thinkingIsOff(wire)
    ? { ...wire, thinking: { type: 'disabled' } }
    : wire
}

/** For `Adapter.serves` of a format that has no word to switch thinking off. */
export function callForcesTool({ toolChoice, reasoning }: Call): boolean {
  if (reasoning?.off === true || reasoning?.effort === 'none') return false
  return toolChoice?.kind === 'required' || toolChoice?.kind === 'named'
}

/** The tool that must be called, offered alone, with `choice` in its place. The same object where it is not offered. */
export function offeredAlone(wire: JsonObject, choice: Json): JsonObject {
  const { tool_choice: named, tools } = wire
  const kept = Array.isArray(tools) ? tools.filter((tool) => nameOf(tool) === nameOf(named)) : []
  return kept.length === 0 ? wire : { ...wire, tools: kept, tool_choice: choice }
}

/** Chat keeps the name one object deeper than messages. */
function nameOf(value: Json | undefined): Json | undefined {
  if (!isObject(value)) return undefined
  return isObject(value.function) ? value.function.name : value.name
}

/** For `Adapter.refuses` of the chat format, where tools can only be left to the model. */
export function choiceLost(wire: JsonObject): readonly string[] {
  if (!forcesTool(wire)) return []
  return namesTool(wire) ? ['tool_choice.function'] : ['tool_choice']
}

/** For `Adapter.adjust` of it: a tool that is named is offered alone, and for "none" there are no tools. */
export function leftToModel(wire: JsonObject): JsonObject {
  if (namesTool(wire)) return offeredAlone(wire, 'auto')
  if (wire.tool_choice !== 'none') return wire
  const { tools: _, tool_choice: __, ...rest } = wire
  return rest
}
