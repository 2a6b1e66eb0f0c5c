/**
 * A tool that must be called, and thinking, exclude each other at this service: "Thinking mode does not support this
 * tool_choice". The tool is what the client depends on, so thinking is off for that turn and reported as lost.
 * Sources: README.
 */
import type { Call } from '../../kernel/contract/call.js'
import { isObject, type JsonObject } from '../../kernel/contract/json.js'

/** For `Adapter.refuses`: thinking is on by default, so it is lost even where the client did not ask for it. */
export function thinkingLost(wire: JsonObject): readonly string[] {
  if (!forcesTool(wire) || isOff(wire)) return []
  return wire.reasoning_effort === undefined ? ['thinking'] : ['thinking', 'reasoning_effort']
}

/** For `Adapter.adjust`, in the chat and the messages format alike. */
export function withoutThinking(wire: JsonObject): JsonObject {
  return forcesTool(wire) && !isOff(wire) ? { ...wire, thinking: { type: 'disabled' } } : wire
}

/** For `Adapter.serves` of a format that has no documented word to switch thinking off. */
export function isForced(call: Call): boolean {
  const { toolChoice, reasoning } = call
  if (reasoning?.off === true || reasoning?.effort === 'none') return false
  return toolChoice?.kind === 'required' || toolChoice?.kind === 'named'
}

/** Values of `tool_choice` in the chat format, and in the messages format. */
const forced: ReadonlySet<unknown> = new Set(['required', 'any', 'function', 'tool'])

function forcesTool({ tool_choice: choice }: JsonObject): boolean {
  return forced.has(isObject(choice) ? choice.type : choice)
}

function isOff({ thinking, reasoning_effort: effort }: JsonObject): boolean {
  if (isObject(thinking)) return thinking.type === 'disabled'
  return effort === 'none'
}
