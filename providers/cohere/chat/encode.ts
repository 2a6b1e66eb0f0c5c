/** The canonical call as a request of this service. Fields a call lacks stay out. */
import type { Call, OutputShape, Reasoning, Tool } from '../../../kernel/contract/call.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import { encodeTurns } from './encode-turns.js'
import { defined, ownWords } from './parts.js'

export function encode(call: Call): JsonObject {
  const { model, turns, limit, sampling, output, reasoning, stream } = call
  return defined<JsonObject>({
    model,
    messages: encodeTurns(turns),
    stream,
    ...encodeTools(call),
    max_tokens: limit?.tokens,
    temperature: sampling.temperature,
    p: probability(sampling.topP),
    k: sampling.topK,
    seed: sampling.seed,
    frequency_penalty: sampling.frequencyPenalty,
    presence_penalty: sampling.presencePenalty,
    stop_sequences: sampling.stop,
    response_format: responseFormat(output),
    thinking: thinking(reasoning),
    ...Object.fromEntries(ownWords.map((word) => [word, call.only?.chat?.[word]])),
  })
}

/** It takes 0.01 to 0.99 only, and clients write 1 for "all" and 0 for "the first". */
function probability(topP: number | undefined): number | undefined {
  return topP === undefined ? undefined : Math.min(Math.max(topP, 0.01), 0.99)
}

/** A tool cannot be named: it is the only one offered, and one has to be called. */
function encodeTools({ tools, toolChoice }: Call): JsonObject {
  const named = toolChoice?.kind === 'named' ? toolChoice.name : undefined
  const offered = tools
    .filter((tool) => tool.kind === 'function')
    .filter(({ name }) => named === undefined || name === named)
  if (offered.length === 0) return {}
  return defined({
    tools: offered.map(encodeTool),
    strict_tools: offered.some(({ strict }) => strict === true) || undefined,
    tool_choice: toolChoice && choices[toolChoice.kind],
  })
}

const choices = { auto: undefined, required: 'REQUIRED', named: 'REQUIRED', none: 'NONE' } as const

function encodeTool({
  name,
  description,
  schema,
}: Extract<Tool, { readonly kind: 'function' }>): JsonObject {
  const parameters = schema ?? { type: 'object', properties: {} }
  return { type: 'function', function: defined({ name, description, parameters }) }
}

function responseFormat(output: OutputShape | undefined): JsonObject | undefined {
  if (output === undefined || output.kind === 'text') return undefined
  return defined({ type: 'json_object', json_schema: output.schema })
}

/** It knows a budget, but no efforts. */
function thinking(reasoning: Reasoning | undefined): JsonObject | undefined {
  if (reasoning === undefined) return undefined
  const { effort, budget, off } = reasoning
  if (off === true || effort === 'none') return { type: 'disabled' }
  if (effort === undefined && budget === undefined) return undefined
  return defined({ type: 'enabled', token_budget: budget })
}
