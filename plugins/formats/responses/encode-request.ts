/**
 * The canonical call as a responses request. Fields the call lacks stay out. Where another format's default differs
 * from this one's it is written down: tools are not strict, and nothing is stored.
 */
import type { Call, OutputShape } from '../../../kernel/contract/call.js'
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import { chatAsResponses } from '../../../kernel/toolkit/format/index.js'
import { knownEffort } from '../../../kernel/toolkit/vendors/index.js'
import { logprobsIncluded } from './decode-request.js'
import { encodeInput, withDeclarations } from './encode-input.js'
import { encodeToolChoice, encodeTools } from './encode-tools.js'
import { defined, objectOf, unlessEmpty } from './fields.js'

/** The service takes no smaller limit. */
export const outputTokensMin = 16

/** Expects a call of which nothing must be refused (`unsupportedFields`). */
export function encodeRequest(call: Call): JsonObject {
  const own = call.only?.responses
  const { 'text.format': unknownFormat, declarations, allowed_tools, ...left } = own ?? {}
  const { temperature, topP, logprobs } = call.sampling
  const kindred = chatAsResponses(call)
  return defined<JsonObject>({
    ...kindred,
    ...left,
    model: call.model,
    ...withDeclarations(encodeInput(call.turns, own !== undefined), declarations),
    tools: encodeTools(call),
    tool_choice: encodeToolChoice(call) ?? left.tool_choice,
    // Another format's client may send both without a tool, where they mean nothing and are refused.
    ...(own === undefined && call.tools.length === 0 && { tool_choice: undefined }),
    parallel_tool_calls:
      own === undefined && call.tools.length === 0 ? undefined : call.parallelTools,
    max_output_tokens: own === undefined ? limitOf(call) : call.limit?.tokens,
    temperature,
    top_p: topP,
    top_logprobs: logprobs ? logprobs : left.top_logprobs,
    include: encodeInclude(call),
    text: encodeText(call.output, objectOf(left.text ?? kindred.text), unknownFormat),
    reasoning: encodeReasoning(call, objectOf(left.reasoning)),
    user: call.user,
    metadata: call.metadata,
    store: left.store ?? kindred.store ?? (own === undefined ? false : undefined),
    stream: call.stream ? true : undefined,
  })
}

/**
 * Another format's client can bring reasoning back in a sealed form only, and nothing is stored for it: where it requests
 * reasoning, the seal is requested too.
 */
function encodeInclude(call: Call): Json | undefined {
  const { only, sampling, reasoning } = call
  const own = only?.responses
  const left = Array.isArray(own?.include) ? own.include : []
  const thinks = reasoning !== undefined && encodeEffort(call) !== undefined
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

function limitOf({ limit }: Call): number | undefined {
  return limit && Math.max(limit.tokens, outputTokensMin)
}

/** A summary is all that can be read of the reasoning; a client that gets it by default elsewhere gets it here too. */
function encodeReasoning(call: Call, left: JsonObject | undefined): JsonObject | undefined {
  const { reasoning } = call
  const effort = encodeEffort(call)
  const shown = reasoning?.shown === true && effort !== 'none' ? 'auto' : undefined
  return unlessEmpty(defined<JsonObject>({ ...left, effort, summary: reasoning?.summary ?? shown }))
}

/**
 * The format knows words, not budgets: a budget becomes the nearest word, and what is left to the model the middle one.
 * Off has no word that every model takes.
 */
export function encodeEffort({ model, reasoning, only }: Call): string | undefined {
  if (reasoning === undefined) return undefined
  const { effort, budget, on, off } = reasoning
  if (effort !== undefined)
    return only?.responses === undefined ? knownEffort(model, effort) : effort
  if (off === true) return undefined
  if (budget === undefined) return on === true ? 'medium' : undefined
  return budget < 2048 ? 'low' : budget < 8192 ? 'medium' : 'high'
}
