/**
 * Model names that set how to think: `-thinking`, `-thinking-<budget>` and `-nothinking` behind the name the service
 * knows. The ending comes off the address and becomes a thinking configuration, unless the request brings its own.
 */
import { isObject, type JsonObject } from '../../kernel/contract/json.js'

export interface Thinking {
  /** As the service knows it. */
  readonly model: string
  /** Absent: the name sets nothing for thinking. */
  readonly config?: JsonObject
}

const ending = /^(.+?)-(?:(nothinking)|thinking(?:-(\d{1,6}))?)$/

export function readEnding(name: string): Thinking {
  const found = ending.exec(name)
  if (found === null) return { model: name }
  const [, model = name, off, budget] = found
  if (off !== undefined) return { model, config: least(model) }
  if (budget === undefined) return { model, config: asItLikes(model) }
  return { model, config: { thinkingBudget: Number(budget), includeThoughts: Number(budget) > 0 } }
}

/** The same object where there is nothing to add. */
export function withThinking(wire: JsonObject, thinking: JsonObject | undefined): JsonObject {
  if (thinking === undefined) return wire
  const field = wire.generation_config === undefined ? 'generationConfig' : 'generation_config'
  const config = isObject(wire[field]) ? wire[field] : {}
  if (config.thinkingConfig !== undefined || config.thinking_config !== undefined) return wire
  return { ...wire, [field]: { ...config, thinkingConfig: thinking } }
}

/** Not thinking, as far as the model can: from the third generation on, and in 2.5 Pro, it always thinks a little. */
function least(model: string): JsonObject {
  if (isThirdGeneration(model)) {
    return { thinkingLevel: model.includes('flash') ? 'MINIMAL' : 'LOW' }
  }
  return { thinkingBudget: model.includes('pro') ? 128 : 0 }
}

/** As much as the model likes: newer ones do by themselves, older ones take -1 for it. */
function asItLikes(model: string): JsonObject {
  return isThirdGeneration(model)
    ? { includeThoughts: true }
    : { thinkingBudget: -1, includeThoughts: true }
}

/** A name without a generation is of the newest. */
function isThirdGeneration(model: string): boolean {
  const reported = /gemini-(\d+)/.exec(model)?.[1]
  return reported === undefined || Number(reported) >= 3
}
