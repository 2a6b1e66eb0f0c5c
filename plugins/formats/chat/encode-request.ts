/** The canonical call as a chat request. Fields the call lacks stay out; leftovers of this format go back to their level. */
import type { Call, OutputShape, Tool, ToolChoice } from '../../../kernel/contract/call.js'
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import { responsesAsChat } from '../../../kernel/toolkit/format/index.js'
import { knownEffort } from '../../../kernel/toolkit/vendors/index.js'
import { encodeTurn } from './encode-turn.js'
import { objectOf, present, unlessEmpty } from './fields.js'

/** The most the service takes. */
export const stopWordsMax = 4

/** Expects a call of which nothing must be refused (`unsupportedFields`). */
export function encodeRequest(call: Call): JsonObject {
  const { sampling, tools, limit } = call
  const only = call.only?.chat ?? {}
  const declared = tools.flatMap(encodeTool)
  return present<JsonObject>({
    model: call.model,
    messages: call.turns.flatMap(encodeTurn),
    ...(declared.length > 0 && {
      tools: declared,
      tool_choice: call.toolChoice && encodeToolChoice(call.toolChoice),
      parallel_tool_calls: call.parallelTools,
    }),
    ...(limit && { [limitField(limit.field)]: limit.tokens }),
    stream: call.stream ? true : undefined,
    temperature: sampling.temperature,
    top_p: sampling.topP,
    n: sampling.choices,
    seed: sampling.seed,
    presence_penalty: sampling.presencePenalty,
    frequency_penalty: sampling.frequencyPenalty,
    logit_bias: sampling.logitBias,
    stop: sampling.stop?.slice(0, stopWordsMax),
    logprobs: sampling.logprobs === undefined ? undefined : true,
    top_logprobs: sampling.logprobs === 0 ? undefined : sampling.logprobs,
    response_format: call.output && encodeOutput(call.output),
    reasoning_effort: encodeEffort(call),
    modalities: call.modalities,
    audio: call.audio && { voice: call.audio.voice, format: call.audio.format },
    user: call.user,
    metadata: call.metadata,
    ...responsesAsChat(call),
    ...only,
    stream_options: call.stream ? encodeStreamOptions(call) : undefined,
  })
}

/** Refused where nothing is streamed. */
function encodeStreamOptions({ wantsUsage, only }: Call): JsonObject | undefined {
  return unlessEmpty({
    ...objectOf(only?.chat?.stream_options),
    ...(wantsUsage && { include_usage: true }),
  })
}

/** The older spelling is the one every upstream of this format knows. */
function limitField(field: string): string {
  return field === 'max_completion_tokens' ? field : 'max_tokens'
}

function encodeToolChoice(choice: ToolChoice): Json {
  if (choice.kind !== 'named') return choice.kind
  return { type: 'function', function: { name: choice.name } }
}

function encodeTool(tool: Tool): JsonObject[] {
  const only = tool.only?.chat
  if (tool.kind === 'server') return only === undefined ? [] : [only]
  const declared = present<JsonObject>({
    name: tool.name,
    description: tool.description,
    parameters: tool.schema,
    strict: tool.strict,
    ...objectOf(only?.function),
  })
  return [{ type: 'function', ...only, function: declared }]
}

function encodeOutput(output: OutputShape): JsonObject {
  if (output.kind === 'text') return { type: 'text' }
  if (output.kind === 'json') return { type: 'json_object' }
  const { name = 'answer', description, schema, strict } = output
  return { type: 'json_schema', json_schema: present({ name, description, schema, strict }) }
}

/**
 * The format knows words, not budgets: a budget becomes the nearest word, and what is left to the model the middle one.
 * Off is not expressible for every model.
 */
export function encodeEffort({ model, reasoning }: Call): string | undefined {
  if (reasoning === undefined) return undefined
  const { effort, budget, on, off } = reasoning
  if (effort !== undefined) return knownEffort(model, effort)
  if (off === true) return undefined
  if (budget === undefined) return on === true ? 'medium' : undefined
  return budget < 2048 ? 'low' : budget < 8192 ? 'medium' : 'high'
}
