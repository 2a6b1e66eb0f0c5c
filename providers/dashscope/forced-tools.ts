/**
 * A tool that must be called is refused in thinking mode (README, Forced tools). Thinking is off for that turn and reported
 * as lost; a model that does nothing but think loses the choice.
 */
import type { JsonObject } from '../../kernel/contract/json.js'
import { forcesTool, thinkingLost, withoutThinking } from '../../kernel/toolkit/vendors/index.js'
import { isHybrid } from './thinking.js'

const alwaysThinks = /^(?:qwq|qvq)|-thinking(?:-|$)/

/** Commercial models think unless it is switched off since 3.5; hybrid open ones where they may stream (`thinking.ts`). */
function thinksByDefault(model: string, { stream }: JsonObject): boolean {
  return /^qwen3\.[5-9]/.test(model) || (stream === true && isHybrid(model))
}

/** For `Adapter.refuses` of the chat format, where a switch of the service's own stands for thinking. */
export function refusedInChat(wire: JsonObject, model: string): readonly string[] {
  if (!forcesTool(wire)) return []
  if (alwaysThinks.test(model)) return ['tool_choice']
  const thinks = wire.enable_thinking ?? thinksByDefault(model, wire)
  return thinks === true ? ['enable_thinking'] : []
}

/** For `Adapter.adjust` of the chat format, behind what was refused. The same object where nothing changes. */
export function switchedOff(wire: JsonObject): JsonObject {
  const { model, enable_thinking: stated } = wire
  if (stated !== undefined || typeof model !== 'string') return wire
  return forcesTool(wire) && thinksByDefault(model, wire)
    ? { ...wire, enable_thinking: false }
    : wire
}

/** For `Adapter.refuses` of the messages format. */
export function refusedInMessages(wire: JsonObject, model: string): readonly string[] {
  if (alwaysThinks.test(model)) return forcesTool(wire) ? ['tool_choice'] : []
  return wire.thinking !== undefined || thinksByDefault(model, wire) ? thinkingLost(wire) : []
}

/** For `Adapter.adjust` of the messages format. */
export function messagesSwitchedOff(wire: JsonObject): JsonObject {
  const { model } = wire
  return typeof model === 'string' && thinksByDefault(model, wire) ? withoutThinking(wire) : wire
}
