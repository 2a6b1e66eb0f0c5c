/** Which of a workflow's outputs is its answer, where it streamed none. */
import type { JsonObject } from '../../kernel/contract/json.js'

/** Names their makers give to an answer, the likeliest first. */
const usualNames = ['text', 'answer', 'result'] as const

/**
 * The one the operator names, else the only text, else the one with a usual name, else all of them as JSON.
 *
 * @param named name of an output; one the workflow does not have counts as none
 */
export function answerIn(outputs: JsonObject, named?: string): string {
  const chosen = named === undefined ? undefined : outputs[named]
  if (chosen !== undefined) return typeof chosen === 'string' ? chosen : JSON.stringify(chosen)
  const texts = Object.values(outputs).filter((value) => typeof value === 'string')
  if (texts.length === 1) return texts[0]!
  for (const name of usualNames) {
    const value = outputs[name]
    if (typeof value === 'string') return value
  }
  return Object.keys(outputs).length === 0 ? '' : JSON.stringify(outputs)
}
