/**
 * The canonical call as a responses request. Fields the call lacks stay out. Where another format's default differs
 * from this one's it is written down: tools are not strict, and nothing is stored.
 */
import type { Call, OutputShape, Reasoning } from '../../../kernel/contract/call.js'
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import { logprobsIncluded } from './decode-request.js'
import { encodeInput, withDeclarations } from './encode-input.js'
import { encodeToolChoice, encodeTools } from './encode-tools.js'
import { defined, objectOf, unlessEmpty } from './fields.js'

/** Expects a call of which nothing must be refused (`cannotExpress`). */
export function encodeRequest(call: Call): JsonObject {
  const own = call.only?.responses
  const { 'text.format': unknownFormat, declarations, allowed_tools, ...left } = own ?? {}
  const { temperature, topP, logprobs } = call.sampling
  return defined<JsonObject>({
    ...left,
    model: call.model,
    ...withDeclarations(encodeInput(call.turns, own !== undefined), declarations),
    tools: encodeTools(call),
    tool_choice: encodeToolChoice(call) ?? left.tool_choice,
    parallel_tool_calls: call.parallelTools,
    max_output_tokens: call.limit?.tokens,
    temperature,
    top_p: topP,
    top_logprobs: logprobs ? logprobs : left.top_logprobs,
    include: encodeInclude(call),
    text: encodeText(call.output, objectOf(left.text), unknownFormat),
    reasoning: encodeReasoning(call.reasoning, objectOf(left.reasoning)),
    user: call.user,
    metadata: call.metadata,
    store: left.store ?? (own === undefined ? false : undefined),
    stream: call.stream ? true : undefined,
  })
}

/**
 * Another format's client can bring reasoning back in a sealed form only, and nothing is stored for it: where it asks
 * for reasoning, the seal is asked for.
 */
function encodeInclude({ only, sampling, reasoning }: Call): Json | undefined {
  const own = only?.responses
  const left = Array.isArray(own?.include) ? own.include : []
  const thinks = reasoning !== undefined && encodeEffort(reasoning) !== undefined
  const sealed = own === undefined && thinks && reasoning.effort !== 'none'
  const included = [
    ...left,
    ...(sealed ? ['reasoning.encrypted_content'] : []),
    ...(sampling.logprobs === undefined ? [] : [logprobsIncluded]),
  ]
  return included.length === 0 ? undefined : included
}

function encodeText(
  output: OutputShape | undefined,
  left: JsonObject | undefined,
  unknownFormat: Json | undefined,
): JsonObject | undefined {
  const format = output === undefined ? unknownFormat : encodeFormat(output)
  return unlessEmpty(defined({ ...left, format }))
}

function encodeFormat({ kind, name, description, schema, strict }: OutputShape): JsonObject {
  if (kind === 'text') return { type: 'text' }
  if (kind === 'json') return { type: 'json_object' }
  return defined({ type: 'json_schema', name: name ?? 'answer', description, schema, strict })
}

function encodeReasoning(
  reasoning: Reasoning | undefined,
  left: JsonObject | undefined,
): JsonObject | undefined {
  const effort = reasoning && encodeEffort(reasoning)
  const told = defined<JsonObject>({ effort, summary: reasoning?.summary })
  return unlessEmpty({ ...left, ...told })
}

/** The format knows words, not budgets: a budget becomes the nearest word. Off has no word that every model takes. */
export function encodeEffort({ effort, budget, off }: Reasoning): string | undefined {
  if (effort !== undefined) return effort
  if (off === true || budget === undefined) return undefined
  return budget < 2048 ? 'low' : budget < 8192 ? 'medium' : 'high'
}
