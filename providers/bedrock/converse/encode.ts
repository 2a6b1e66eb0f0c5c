/** The canonical call as a Converse request. Fields a call lacks stay out; the model goes into the address. */
import type { Call, OutputShape, Tool } from '../../../kernel/contract/call.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import { isClaude } from '../model.js'
import { cachePoint, encodeTurns } from './encode-turns.js'
import { modelFields } from './model-fields.js'
import { defined, holdsTools, unlessEmpty } from './parts.js'

/** Expects a call of which nothing must be refused (`losses.ts`). */
export function encode(call: Call): JsonObject {
  return defined<JsonObject>({
    ...encodeTurns(call.turns, cachesPrompts(call.model)),
    inferenceConfig: inferenceConfig(call),
    toolConfig: toolConfig(call),
    outputConfig: outputConfig(call.output),
    additionalModelRequestFields: modelFields(call),
  })
}

/** Others refuse a request that marks what to cache (user guide, prompt caching, 2026-11). */
function cachesPrompts(model: string): boolean {
  return model.includes('amazon.nova') || isClaude(model)
}

function inferenceConfig({ limit, sampling }: Call): JsonObject | undefined {
  return unlessEmpty(
    defined({
      maxTokens: limit?.tokens,
      temperature: sampling.temperature,
      topP: sampling.topP,
      stopSequences: sampling.stop,
    }),
  )
}

/** "None" is to name no tools. */
function toolConfig(call: Call): JsonObject | undefined {
  const { tools, toolChoice } = call
  if (tools.length === 0 || (toolChoice?.kind === 'none' && !holdsTools(call))) return undefined
  return defined({
    tools: tools.flatMap((tool) => encodeTool(tool, isClaude(call.model))),
    toolChoice: encodeChoice(toolChoice),
  })
}

function encodeTool(tool: Tool, caches: boolean): JsonObject[] {
  if (tool.kind === 'server') return []
  const { name, description, schema, strict, cache } = tool
  const json = schema ?? { type: 'object', properties: {} }
  const toolSpec = defined({
    name,
    description: description || undefined,
    inputSchema: { json },
    strict: strict === true ? strict : undefined,
  })
  return caches && cache !== undefined ? [{ toolSpec }, cachePoint(cache)] : [{ toolSpec }]
}

function encodeChoice(choice: Call['toolChoice']): JsonObject | undefined {
  switch (choice?.kind) {
    case 'auto':
      return { auto: {} }
    case 'required':
      return { any: {} }
    case 'named':
      return { tool: { name: choice.name } }
    default:
      return undefined
  }
}

/** A schema travels as text here. */
function outputConfig(output: OutputShape | undefined): JsonObject | undefined {
  if (output?.kind !== 'schema') return undefined
  const { name, description, schema = {} } = output
  const jsonSchema = defined({ schema: JSON.stringify(schema), name, description })
  return { textFormat: { type: 'json_schema', structure: { jsonSchema } } }
}
