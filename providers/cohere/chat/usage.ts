/** Token counts: what is billed, and where that is not reported, what was counted. */
import type { Usage } from '../../../kernel/contract/event.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import { countOf, objectOf } from '../../../kernel/toolkit/operation/index.js'

export function readUsage(raw: JsonObject): Usage {
  const billed = objectOf(raw.billed_units) ?? {}
  const counted = objectOf(raw.tokens) ?? {}
  const input = countOf(billed.input_tokens) ?? countOf(counted.input_tokens)
  const output = countOf(billed.output_tokens) ?? countOf(counted.output_tokens)
  return { ...(input !== undefined && { input }), ...(output !== undefined && { output }) }
}
