/** The canonical call as a generative request. Fields a call lacks stay out; the model is in the address. */
import type { Call, OutputShape, Tool } from '../../../kernel/contract/call.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import { encodeTurns } from './encode-contents.js'
import { objectOf, present, unlessEmpty } from './fields.js'
import { nested } from './leftovers.js'
import { planThinking } from './thinking.js'

/** Expects a call of which nothing must be refused (`unsupportedFields`). */
export function encodeRequest(call: Call): JsonObject {
  const { generationConfig, toolConfig, ...own } = nested(call.only?.generative ?? {})
  return present<JsonObject>({
    ...own,
    ...encodeTurns(call),
    tools: call.tools.length === 0 ? undefined : encodeTools(call.tools),
    toolConfig: encodeToolConfig(call, objectOf(toolConfig) ?? {}),
    generationConfig: unlessEmpty({ ...encodeConfig(call), ...objectOf(generationConfig) }),
  })
}

/** Functions that stand in a row share a tool. */
function encodeTools(tools: readonly Tool[]): JsonObject[] {
  const out: JsonObject[] = []
  let declared: JsonObject[] | undefined
  for (const tool of tools) {
    const own = tool.only?.generative
    if (tool.kind === 'server') {
      declared = undefined
      if (own !== undefined) out.push(own)
    } else {
      if (declared === undefined) {
        declared = []
        out.push({ functionDeclarations: declared })
      }
      const { name, description, schema } = tool
      declared.push(present({ ...own, name, description, parametersJsonSchema: schema }))
    }
  }
  return out
}

function encodeToolConfig(call: Call, own: JsonObject): JsonObject | undefined {
  const functionCallingConfig = unlessEmpty({
    ...choiceOf(call),
    ...objectOf(own.functionCallingConfig),
  })
  return unlessEmpty(present<JsonObject>({ ...own, functionCallingConfig }))
}

/** Without tools there is nothing to choose. */
function choiceOf({ toolChoice, tools }: Call): JsonObject {
  if (toolChoice === undefined || tools.length === 0) return {}
  switch (toolChoice.kind) {
    case 'auto':
      return { mode: 'AUTO' }
    case 'none':
      return { mode: 'NONE' }
    case 'required':
      return { mode: 'ANY' }
    case 'named':
      return { mode: 'ANY', allowedFunctionNames: [toolChoice.name] }
  }
}

function encodeConfig(call: Call): JsonObject {
  const { sampling, limit, modalities } = call
  const { logprobs } = sampling
  return present<JsonObject>({
    temperature: sampling.temperature,
    topP: sampling.topP,
    topK: sampling.topK,
    seed: sampling.seed,
    presencePenalty: sampling.presencePenalty,
    frequencyPenalty: sampling.frequencyPenalty,
    stopSequences: sampling.stop,
    candidateCount: sampling.choices,
    responseLogprobs: logprobs === undefined ? undefined : true,
    logprobs: logprobs === 0 ? undefined : logprobs,
    maxOutputTokens: limit?.tokens,
    responseModalities: modalities?.map((word) => word.toUpperCase()),
    thinkingConfig: planThinking(call).config,
    ...encodeOutput(call.output),
  })
}

/** A description the schema lacks goes into the schema, where the model reads it. */
function encodeOutput(output: OutputShape | undefined): JsonObject {
  switch (output?.kind) {
    case undefined:
      return {}
    case 'text':
      return { responseMimeType: 'text/plain' }
    case 'json':
      return { responseMimeType: 'application/json' }
    case 'schema':
      return { responseMimeType: 'application/json', ...schemaOf(output) }
  }
}

function schemaOf({ schema, description }: OutputShape): JsonObject {
  if (schema === undefined) return {}
  return { responseJsonSchema: present({ description, ...schema }) }
}
