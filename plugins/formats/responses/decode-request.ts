/**
 * A responses request as the canonical call. Fields the call has no word for stay in `only.responses`, which is always
 * there, be it empty: what it lacks was left out by a client of this format and has this format's defaults.
 */
import type { Call, OutputShape, Reasoning, Sampling, Turn } from '../../../kernel/contract/call.js'
import type { Recall, RequestHints } from '../../../kernel/contract/format.js'
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import { declarations, decodeInput, recalled } from './decode-input.js'
import { decodeToolChoice, decodeTools } from './decode-tools.js'
import {
  booleanOf,
  defined,
  numberOf,
  objectOf,
  textOf,
  unlessEmpty,
  withoutNulls,
} from './fields.js'

export function decodeRequest(body: JsonObject, _said?: RequestHints, recall?: Recall): Call {
  const { model, input, instructions, tools, tool_choice, parallel_tool_calls, ...more } = body
  const { max_output_tokens, stream, temperature, top_p, top_logprobs, include, ...others } = more
  const { text, reasoning, metadata, user, ...rest } = others
  const items = recalled(input, recall)
  const declared = decodeTools(tools, items)
  const { toolChoice, allowedTools } = decodeToolChoice(tool_choice, declared)
  const added = declarations(items)
  const logprobs = readLogprobs(include, top_logprobs)
  const limit = numberOf(max_output_tokens)
  return defined<Call>({
    model: textOf(model) ?? '',
    turns: [...instructed(instructions), ...decodeInput(items, declared.names)],
    tools: declared.tools,
    toolChoice,
    allowedTools,
    parallelTools: booleanOf(parallel_tool_calls),
    limit: limit === undefined ? undefined : { tokens: limit, field: 'max_output_tokens' },
    stream: stream === true,
    // A responses stream always reports usage.
    wantsUsage: true,
    sampling: defined<Sampling>({
      temperature: numberOf(temperature),
      topP: numberOf(top_p),
      logprobs,
    }),
    output: readOutput(text),
    reasoning: readReasoning(reasoning),
    user: textOf(user),
    metadata: objectOf(metadata),
    only: {
      responses: {
        ...withoutNulls({
          ...rest,
          ...leftovers({ include, text, reasoning }),
          // It states the default, and no other format can express it.
          background: rest.background === false ? undefined : rest.background,
          tool_choice: toolChoice === undefined ? tool_choice : undefined,
          allowed_tools: allowedTools && tool_choice,
          declarations: added.length === 0 ? undefined : added,
          top_logprobs: logprobs === undefined ? top_logprobs : undefined,
        }),
        // Null means that none were declared there, and is kept.
        ...(declared.raw !== undefined && { tools: declared.raw }),
      },
    },
  })
}

/** Instructions are no item: their turn carries no `only`. */
function instructed(instructions: Json | undefined): Turn[] {
  if (typeof instructions !== 'string') return []
  return [{ role: 'system', parts: [{ kind: 'text', text: instructions }] }]
}

/** What a request includes to get log-probabilities; how many is a field of its own. */
export const logprobsIncluded = 'message.output_text.logprobs'

function readLogprobs(include: Json | undefined, top: Json | undefined): number | undefined {
  const wanted = Array.isArray(include) && include.includes(logprobsIncluded)
  return wanted ? (numberOf(top) ?? 0) : undefined
}

function readOutput(text: Json | undefined): OutputShape | undefined {
  const format = objectOf(objectOf(text)?.format)
  if (format?.type === 'text') return { kind: 'text' }
  if (format?.type === 'json_object') return { kind: 'json' }
  if (format?.type !== 'json_schema') return undefined
  return defined<OutputShape>({
    kind: 'schema',
    name: textOf(format.name),
    description: textOf(format.description),
    schema: objectOf(format.schema),
    strict: booleanOf(format.strict),
  })
}

const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const

function readReasoning(reasoning: Json | undefined): Reasoning | undefined {
  const { effort: word, summary } = objectOf(reasoning) ?? {}
  const effort = efforts.find((known) => known === word)
  return unlessEmpty(
    defined<Reasoning>({
      effort,
      summary: textOf(summary),
      off: effort === 'none' ? true : undefined,
    }),
  )
}

/** What of three fields the call cannot hold. A form of output that only this format has gets a name of its own. */
function leftovers({ include, text, reasoning }: JsonObject): JsonObject {
  const { format, ...texts } = objectOf(text) ?? {}
  const { effort, summary, ...thought } = objectOf(reasoning) ?? {}
  const unknown = efforts.some((known) => known === effort) ? undefined : effort
  const included = Array.isArray(include)
    ? include.filter((word) => word !== logprobsIncluded)
    : undefined
  return {
    include: included?.length === 0 ? undefined : included,
    text: unlessEmpty(withoutNulls(texts)),
    'text.format': readOutput(text) === undefined ? format : undefined,
    reasoning: unlessEmpty(withoutNulls({ ...thought, effort: unknown })),
  }
}
