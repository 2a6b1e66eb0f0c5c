/** The canonical call as a Converse request. Fields a call lacks stay out; the model goes into the address. */
import type { Call, OutputShape } from '../../../kernel/contract/call.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import { present, unlessEmpty } from '../../../kernel/toolkit/json/index.js'
import { encodeTurns } from './encode-turns.js'
import type { Family } from './family.js'
import { modelFields } from './model-fields.js'
import { answersByTool, schemaToolConfig } from './schema-tool.js'
import { toolConfig } from './tool-config.js'

/** Expects a call of which nothing must be refused (`unsupported-fields.ts`). */
export function encoderFor(family: Family): (call: Call) => JsonObject {
  return (call) =>
    present<JsonObject>({
      ...encodeTurns(call, family),
      inferenceConfig: inferenceConfig(call),
      toolConfig: schemaToolConfig(call, family) ?? toolConfig(call, family),
      outputConfig: answersByTool(family) ? undefined : outputConfig(call.output),
      additionalModelRequestFields: modelFields(call, family),
    })
}

function inferenceConfig({ limit, sampling }: Call): JsonObject | undefined {
  return unlessEmpty(
    present({
      maxTokens: limit?.tokens,
      temperature: sampling.temperature,
      topP: sampling.topP,
      stopSequences: sampling.stop,
    }),
  )
}

/** A schema travels as text here. */
function outputConfig(output: OutputShape | undefined): JsonObject | undefined {
  if (output?.kind !== 'schema') return undefined
  const { name, description, schema = {} } = output
  const jsonSchema = present({ schema: JSON.stringify(schema), name, description })
  return { textFormat: { type: 'json_schema', structure: { jsonSchema } } }
}
