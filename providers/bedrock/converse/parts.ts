/** The few words on the parts of a call that several files here need. */
import type { Call, Part, Tool } from '../../../kernel/contract/call.js'
import { partsOf } from '../../../kernel/toolkit/format/index.js'

export type Of<K extends Part['kind']> = Extract<Part, { kind: K }>
export type FunctionTool = Extract<Tool, { kind: 'function' }>

/** The tools a request may offer: "none" is to offer none. */
export function functionsOf({ tools, toolChoice }: Call): readonly FunctionTool[] {
  if (toolChoice?.kind === 'none') return []
  return tools.filter((tool) => tool.kind === 'function')
}

/**
 * The history holds calls or their results, and no tools are offered. The service refuses that ("The toolConfig field must
 * be defined when using toolUse and toolResult content blocks"), and tools offered for its sake could be called.
 */
export function mustTellTools(call: Call): boolean {
  return functionsOf(call).length === 0 && holdsTools(call)
}

function holdsTools({ turns }: Call): boolean {
  for (const { kind } of partsOf(turns)) {
    if (kind === 'toolCall' || kind === 'toolResult') return true
  }
  return false
}
