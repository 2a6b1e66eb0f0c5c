/**
 * A tool that must be called, by what each model does beside thinking (README, Forced tools): one that can stop thinking
 * stops, one that cannot loses the choice, and one that calls any tool but no named one is offered that tool alone.
 */
import { isObject, type Json, type JsonObject } from '../../kernel/contract/json.js'
import {
  namesTool,
  offeredAlone,
  thinkingLost,
  withoutThinking,
} from '../../kernel/toolkit/vendors/index.js'

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
  return callsAny.test(model) && namesTool(wire)
    ? offeredAlone(wire, anyOf(wire.tool_choice))
    : wire
}

/** The word of the chat format, or of the messages format with its other members. */
function anyOf(choice: Json | undefined): Json {
  if (!isObject(choice) || choice.type === 'function') return 'required'
  const { name: _, ...rest } = choice
  return { ...rest, type: 'any' }
}
