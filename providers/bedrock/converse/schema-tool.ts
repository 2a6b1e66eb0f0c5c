/**
 * An answer in the form of a schema, for families that know no such answers and can be ordered to call one tool: the schema is that
 * tool's, and its input is the answer (read 2026-11-27: docs.aws.amazon.com/nova/latest/userguide/tool-choice.html and
 * prompting-structured-output.html).
 */
import type { Call, OutputShape } from '../../../kernel/contract/call.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Family } from './family.js'
import { toolSchema } from './tool-schema.js'

/** No client calls a tool of its own so. */
export const schemaToolName = 'waybill_answer_in_schema'

export function answersByTool({ structured, choices = [] }: Family): boolean {
  return structured !== true && choices.includes('named')
}

export function schemaOf(output: OutputShape | undefined): JsonObject | undefined {
  return output?.kind === 'schema' ? (output.schema ?? {}) : undefined
}

/** Undefined: no schema is asked for, or the family takes it as it is. */
export function schemaToolConfig({ output }: Call, family: Family): JsonObject | undefined {
  const schema = schemaOf(output)
  if (schema === undefined || !answersByTool(family)) return undefined
  const toolSpec = {
    name: schemaToolName,
    description: 'Gives the answer to the request. Its input is the whole answer.',
    inputSchema: { json: toolSchema(schema, family) },
  }
  return { tools: [{ toolSpec }], toolChoice: { tool: { name: schemaToolName } } }
}
