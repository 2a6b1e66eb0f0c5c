/**
 * A messages request as the canonical call. Fields the call has no word for stay in `only.messages`, whole, so that
 * the same call encoded again is the same.
 */
import type {
  Call,
  OutputShape,
  Reasoning,
  Sampling,
  Tool,
  ToolChoice,
  Turn,
} from '../../../kernel/contract/call.js'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { decodeContent, readCache } from './decode-content.js'
import { decodeMessages } from './decode-turns.js'
import { defined, unlessEmpty, withoutNulls } from './defined.js'

export function decodeRequest(body: JsonObject): Call {
  const { model, system, messages, tools, tool_choice, max_tokens, stream, ...more } = body
  const { temperature, top_p, top_k, stop_sequences, metadata, thinking, output_config, ...rest } =
    more
  const known = { user: readUser(metadata), ...readToolChoice(tool_choice) }
  const left = leftovers({ metadata, thinking, output_config })
  const only = unlessEmpty(withoutNulls({ ...rest, ...left }))
  return defined<Call>({
    model: typeof model === 'string' ? model : '',
    turns: [...systemTurns(system), ...decodeMessages(messages)],
    tools: Array.isArray(tools) ? tools.filter(isObject).map(decodeTool) : [],
    ...known,
    limit: typeof max_tokens === 'number' ? { tokens: max_tokens, field: 'max_tokens' } : undefined,
    stream: stream === true,
    // A messages stream always reports usage.
    wantsUsage: true,
    sampling: readSampling({ temperature, top_p, top_k, stop_sequences }),
    output: readOutput(output_config),
    reasoning: readReasoning(thinking, output_config),
    only: only && { messages: only },
  })
}

function systemTurns(system: Json | undefined): Turn[] {
  const parts = decodeContent(system)
  return parts.length === 0 ? [] : [{ role: 'system', parts }]
}

/** Tools without a schema are the upstream's own: only this format can name them. */
function decodeTool(tool: JsonObject): Tool {
  const { name, description, input_schema, strict, cache_control, type, ...rest } = tool
  const custom = type === undefined || type === null || type === 'custom'
  if (!custom || typeof name !== 'string') {
    return { kind: 'server', name: String(name ?? type), only: { messages: tool } }
  }
  const only = unlessEmpty(withoutNulls(rest))
  return defined<Tool>({
    kind: 'function',
    name,
    description: typeof description === 'string' ? description : undefined,
    schema: isObject(input_schema) ? input_schema : undefined,
    strict: typeof strict === 'boolean' ? strict : undefined,
    cache: readCache(cache_control),
    only: only && { messages: only },
  })
}

const choices: Readonly<Record<string, 'auto' | 'required' | 'none'>> = {
  auto: 'auto',
  any: 'required',
  none: 'none',
}

function readToolChoice(choice: Json | undefined): {
  toolChoice?: ToolChoice
  parallelTools?: boolean
} {
  if (!isObject(choice)) return {}
  const { type, name, disable_parallel_tool_use: alone } = choice
  const kind = typeof type === 'string' && Object.hasOwn(choices, type) ? choices[type] : undefined
  const named = type === 'tool' && typeof name === 'string'
  return defined({
    toolChoice: named ? { kind: 'named' as const, name } : kind && { kind },
    parallelTools: typeof alone === 'boolean' ? !alone : undefined,
  })
}

function readSampling(fields: JsonObject): Sampling {
  const { temperature, top_p, top_k, stop_sequences } = fields
  return defined<Sampling>({
    temperature: numberOf(temperature),
    topP: numberOf(top_p),
    topK: numberOf(top_k),
    stop: Array.isArray(stop_sequences)
      ? stop_sequences.filter((word) => typeof word === 'string')
      : undefined,
  })
}

function readUser(metadata: Json | undefined): string | undefined {
  if (!isObject(metadata)) return undefined
  return typeof metadata.user_id === 'string' ? metadata.user_id : undefined
}

function readOutput(config: Json | undefined): OutputShape | undefined {
  const format = isObject(config) && isObject(config.format) ? config.format : undefined
  if (format?.type !== 'json_schema' || !isObject(format.schema)) return undefined
  return { kind: 'schema', schema: format.schema }
}

const efforts = ['low', 'medium', 'high', 'xhigh', 'max'] as const

function readReasoning(
  thinking: Json | undefined,
  config: Json | undefined,
): Reasoning | undefined {
  const { type, budget_tokens: budget, display } = isObject(thinking) ? thinking : {}
  const word = isObject(config) ? config.effort : undefined
  const effort = efforts.find((known) => known === word)
  const isOn = type === 'adaptive' || type === 'between_tools'
  const reasoning = defined<Reasoning>({
    effort,
    budget: type === 'enabled' ? numberOf(budget) : undefined,
    on: isOn && effort === undefined ? true : undefined,
    shown: (isOn || type === 'enabled') && display !== 'omitted' ? true : undefined,
    off: type === 'disabled' ? true : undefined,
  })
  return unlessEmpty(reasoning)
}

/**
 * What of three objects the call cannot hold. Thinking and effort stay whole where they hold more than a budget or
 * "off": written again from the call alone they would come out differently.
 */
function leftovers({ metadata, thinking, output_config }: JsonObject): JsonObject {
  const { user_id, ...others } = isObject(metadata) ? withoutNulls(metadata) : {}
  const { format, ...config } = isObject(output_config) ? withoutNulls(output_config) : {}
  const schema = readOutput(output_config) !== undefined
  return defined({
    metadata: unlessEmpty(typeof user_id === 'string' ? others : defined({ ...others, user_id })),
    thinking: isPlainThinking(thinking) ? undefined : thinking,
    output_config: unlessEmpty(schema ? config : defined({ ...config, format })),
  })
}

function isPlainThinking(thinking: Json | undefined): boolean {
  if (!isObject(thinking)) return false
  const { type, budget_tokens, ...rest } = thinking
  if (Object.keys(rest).length > 0) return false
  return type === 'disabled' || (type === 'enabled' && typeof budget_tokens === 'number')
}

function numberOf(value: Json | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined
}
