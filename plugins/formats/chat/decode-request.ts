/** A chat request in canonical form. What only this format has stays in `only.chat` at the level where it stood. */
import type {
  Call,
  OutputShape,
  Reasoning,
  Sampling,
  Tool,
  ToolChoice,
} from '../../../kernel/contract/call.js'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { cacheMark, decodeTurn } from './decode-turn.js'
import { leftOf, numberOf, objectOf, objectsOf, onlyChat, present, textOf } from './fields.js'
import { outputLimit } from './limits.js'

/** Expects a body that passed `check`. */
export function decodeRequest(body: JsonObject): Call {
  const streamOptions = objectOf(body.stream_options)
  const toolChoice = decodeToolChoice(body.tool_choice)
  const output = decodeOutput(body.response_format)
  const audio = objectOf(body.audio)
  return present<Call>({
    model: textOf(body.model) ?? '',
    turns: objectsOf(body.messages).map(decodeTurn),
    tools: objectsOf(body.tools).map(decodeTool),
    toolChoice,
    parallelTools: booleanOf(body.parallel_tool_calls),
    limit: outputLimit(body),
    stream: body.stream === true,
    wantsUsage: streamOptions?.include_usage === true,
    sampling: decodeSampling(body),
    output,
    reasoning: decodeReasoning(body),
    modalities: stringsOf(body.modalities),
    audio: audio && { voice: audio.voice ?? null, format: textOf(audio.format) ?? '' },
    user: textOf(body.user),
    metadata: objectOf(body.metadata),
    ...onlyChat(leftOver(body, streamOptions, toolChoice, output)),
  })
}

const understood = [
  'model',
  'messages',
  'tools',
  'parallel_tool_calls',
  'max_tokens',
  'max_completion_tokens',
  'stream',
  'temperature',
  'top_p',
  'n',
  'seed',
  'presence_penalty',
  'frequency_penalty',
  'logit_bias',
  'stop',
  'logprobs',
  'top_logprobs',
  'reasoning_effort',
  'modalities',
  'audio',
  'user',
  'metadata',
]

/** Types of the fields that are not checked: of another type they are the upstream's to judge, and named where lost. */
const types: Readonly<Record<string, (value: Json) => boolean>> = {
  parallel_tool_calls: (value) => typeof value === 'boolean',
  logprobs: (value) => typeof value === 'boolean',
  top_logprobs: (value) => typeof value === 'number',
  metadata: isObject,
}

function isReadable(name: string, value: Json | undefined): boolean {
  return value === undefined || (types[name]?.(value) ?? true)
}

/** The unknown fields, and of the known ones what the canonical form has no word for. */
function leftOver(
  body: JsonObject,
  streamOptions: JsonObject | undefined,
  toolChoice: ToolChoice | undefined,
  output: OutputShape | undefined,
): JsonObject | undefined {
  const known = understood.filter((name) => isReadable(name, body[name]))
  if (streamOptions !== undefined) known.push('stream_options')
  if (toolChoice !== undefined) known.push('tool_choice')
  if (output !== undefined) known.push('response_format')
  if (isThinkingSwitch(body.thinking)) known.push('thinking')
  const left = leftOf(body, known)
  const options = streamOptions && leftOf(streamOptions, ['include_usage'])
  return options === undefined ? left : { ...left, stream_options: options }
}

function decodeSampling(body: JsonObject): Sampling {
  return present({
    temperature: numberOf(body.temperature),
    topP: numberOf(body.top_p),
    seed: numberOf(body.seed),
    presencePenalty: numberOf(body.presence_penalty),
    frequencyPenalty: numberOf(body.frequency_penalty),
    logitBias: objectOf(body.logit_bias),
    stop: typeof body.stop === 'string' ? [body.stop] : stringsOf(body.stop),
    choices: numberOf(body.n),
    logprobs: body.logprobs === true ? (numberOf(body.top_logprobs) ?? 0) : undefined,
  })
}

function decodeReasoning(body: JsonObject): Reasoning | undefined {
  const effort = textOf(body.reasoning_effort) as Reasoning['effort']
  const thinking = isThinkingSwitch(body.thinking) ? objectOf(body.thinking) : undefined
  const budget = numberOf(thinking?.budget_tokens)
  const off = effort === 'none' || thinking?.type === 'disabled'
  const requested = effort ?? budget ?? thinking
  if (requested === undefined) return undefined
  // Reasoning stands in an answer's `reasoning_content` (FMT-7).
  if (off) return present<Reasoning>({ effort, budget, off })
  const on = effort === undefined && budget === undefined ? true : undefined
  return present<Reasoning>({ effort, budget, on, shown: true })
}

/** `thinking: {type, budget_tokens?}`, which several vendors of this format take. */
function isThinkingSwitch(thinking: Json | undefined): boolean {
  if (!isObject(thinking) || leftOf(thinking, ['type', 'budget_tokens']) !== undefined) return false
  return (
    ['disabled', 'enabled', 'adaptive'].includes(String(thinking.type)) ||
    typeof thinking.budget_tokens === 'number'
  )
}

function decodeToolChoice(choice: Json | undefined): ToolChoice | undefined {
  if (choice === 'auto' || choice === 'required' || choice === 'none') return { kind: choice }
  if (!isObject(choice) || choice.type !== 'function') return undefined
  const name = textOf(objectOf(choice.function)?.name)
  return name === undefined ? undefined : { kind: 'named', name }
}

function decodeOutput(format: Json | undefined): OutputShape | undefined {
  if (!isObject(format)) return undefined
  if (format.type === 'text') return { kind: 'text' }
  if (format.type === 'json_object') return { kind: 'json' }
  const shape = objectOf(format.json_schema)
  if (format.type !== 'json_schema' || shape === undefined) return undefined
  return present<OutputShape>({
    kind: 'schema',
    name: textOf(shape.name),
    description: textOf(shape.description),
    schema: objectOf(shape.schema),
    strict: booleanOf(shape.strict),
  })
}

function decodeTool(tool: JsonObject): Tool {
  const declared = objectOf(tool.function)
  if (tool.type !== 'function' || declared === undefined) {
    return { kind: 'server', name: textOf(tool.type) ?? '', only: { chat: tool } }
  }
  const left = leftOf(tool, ['type', 'function', 'cache_control'])
  const inner = leftOf(declared, ['name', 'description', 'parameters', 'strict'])
  return present<Tool>({
    kind: 'function',
    name: textOf(declared.name) ?? '',
    description: textOf(declared.description),
    schema: objectOf(declared.parameters),
    strict: booleanOf(declared.strict),
    cache: cacheMark(tool.cache_control),
    ...onlyChat(inner === undefined ? left : { ...left, function: inner }),
  })
}

function booleanOf(value: Json | undefined): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined
}

function stringsOf(value: Json | undefined): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined
  return value.filter((item): item is string => typeof item === 'string')
}
