/** The canonical call as a chat request. Fields the call lacks stay out; leftovers of this format go back to their level. */
import type {
  Call,
  OutputShape,
  Reasoning,
  Tool,
  ToolChoice,
} from '../../../kernel/contract/call.js'
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import { encodeTurn } from './encode-turn.js'
import { objectOf, present } from './fields.js'

/** Expects a call of which nothing must be refused (`cannotExpress`). */
export function encodeRequest(call: Call): JsonObject {
  const { sampling, tools, limit } = call
  const only = call.only?.chat ?? {}
  const options = {
    ...objectOf(only.stream_options),
    ...(call.wantsUsage && { include_usage: true }),
  }
  return present<JsonObject>({
    model: call.model,
    messages: call.turns.flatMap(encodeTurn),
    tools: tools.length === 0 ? undefined : tools.flatMap(encodeTool),
    tool_choice: call.toolChoice && encodeToolChoice(call.toolChoice),
    parallel_tool_calls: call.parallelTools,
    ...(limit && { [limitField(limit.field)]: limit.tokens }),
    stream: call.stream ? true : undefined,
    temperature: sampling.temperature,
    top_p: sampling.topP,
    n: sampling.choices,
    seed: sampling.seed,
    presence_penalty: sampling.presencePenalty,
    frequency_penalty: sampling.frequencyPenalty,
    logit_bias: sampling.logitBias,
    stop: sampling.stop,
    logprobs: sampling.logprobs === undefined ? undefined : true,
    top_logprobs: sampling.logprobs === 0 ? undefined : sampling.logprobs,
    response_format: call.output && encodeOutput(call.output),
    reasoning_effort: call.reasoning && encodeEffort(call.reasoning),
    modalities: call.modalities,
    audio: call.audio && { voice: call.audio.voice, format: call.audio.format },
    user: call.user,
    metadata: call.metadata,
    ...only,
    stream_options: Object.keys(options).length === 0 ? undefined : options,
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

/** The format knows words, not budgets: a budget becomes the nearest word. Off is not expressible for every model. */
function encodeEffort({ effort, budget, off }: Reasoning): string | undefined {
  if (effort !== undefined) return effort
  if (off === true || budget === undefined) return undefined
  return budget < 2048 ? 'low' : budget < 8192 ? 'medium' : 'high'
}
