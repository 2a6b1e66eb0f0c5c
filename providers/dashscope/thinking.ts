/**
 * The open models of the third generation think by default and then refuse to answer in one piece. Where a client wants
 * one piece and sets nothing for thinking, it is switched off.
 */
import type { JsonObject } from '../../kernel/contract/json.js'

export function adjustThinking(wire: JsonObject): JsonObject {
  const { model, stream, enable_thinking: reported } = wire
  if (stream === true || reported !== undefined) return wire
  if (typeof model !== 'string' || !isHybrid(model)) return wire
  return { ...wire, enable_thinking: false }
}

/** qwen3-8b, qwen3-235b-a22b; not -instruct-2507 and -thinking-2507, which do only one of the two. */
export function isHybrid(model: string): boolean {
  return /^qwen3-\d+(?:\.\d+)?b(?:-a\d+b)?$/.test(model)
}
