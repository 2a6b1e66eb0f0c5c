/** The tools a request offers, and whether one must be called. */
import type { Call } from '../../../kernel/contract/call.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import { present } from '../../../kernel/toolkit/json/index.js'
import { cachePoint } from './encode-turns.js'
import type { Family } from './family.js'
import { type FunctionTool, functionsOf } from './parts.js'
import { toolSchema } from './tool-schema.js'

/** "None" is to name no tools, and "auto" to say nothing: some models refuse even that word. */
export function toolConfig(call: Call, family: Family): JsonObject | undefined {
  const functions = functionsOf(call)
  if (functions.length === 0) return undefined
  return present({
    tools: functions.flatMap((tool) => encodeTool(tool, family)),
    toolChoice: encodeChoice(call.toolChoice),
  })
}

function encodeTool(tool: FunctionTool, family: Family): JsonObject[] {
  const { name, description, schema, strict, cache } = tool
  const toolSpec = present({
    name,
    description: description?.trim() ? description : undefined,
    inputSchema: { json: toolSchema(schema, family) },
    strict: strict === true && family.structured === true ? strict : undefined,
  })
  const isMarked = family.caches === 'turns and tools' && cache !== undefined
  return isMarked ? [{ toolSpec }, cachePoint(cache, family)] : [{ toolSpec }]
}

function encodeChoice(choice: Call['toolChoice']): JsonObject | undefined {
  if (choice?.kind === 'required') return { any: {} }
  return choice?.kind === 'named' ? { tool: { name: choice.name } } : undefined
}
