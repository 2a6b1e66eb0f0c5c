/** The outputs of a workflow, which its end writes as JSON. */
import type { JsonObject } from '../../kernel/contract/json.js'

/**
 * What of the outputs is the answer: the one the operator names, else the only one, else all of them as JSON. Nothing where all of it
 * was said before, by nodes that wrote as they went.
 *
 * @param named name of an output; one the workflow does not have counts as none
 */
export function answerIn(outputs: JsonObject, said: string, named?: string): string {
  const chosen = named === undefined ? undefined : outputs[named]
  const values = chosen === undefined ? Object.values(outputs) : [chosen]
  if (values.every((value) => typeof value === 'string' && said.includes(value))) return ''
  if (values.length > 1) return JSON.stringify(outputs)
  const [value] = values
  return typeof value === 'string' ? value : JSON.stringify(value)
}
