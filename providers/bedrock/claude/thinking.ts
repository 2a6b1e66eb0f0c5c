/** Which Claude models think by a budget; newer ones refuse it and think by an effort. */
import type { JsonObject } from '../../../kernel/contract/json.js'
import { withEffort } from '../../../kernel/toolkit/vendors/index.js'

export function adjustThinking(wire: JsonObject): JsonObject {
  return withEffort(wire, takesBudget)
}

/** Families 3 to 4.6, as in `us.anthropic.claude-3-7-sonnet-20250219-v1:0` and `anthropic.claude-opus-4-6-v1`. */
function takesBudget(model: string): boolean {
  return (
    /claude-3-/.test(model) ||
    /claude-[a-z]+-4(?:-[0-6])?(?:-\d{8})?(?:-v\d+(?::\d+)?)?$/.test(model)
  )
}
