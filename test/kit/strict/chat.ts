/**
 * A chat-completions request as documented (API reference and the types of the `openai` package 6.49, November 2026).
 * Sampling of reasoning models and other rules that go by the model are not looked at.
 */
import { isObject, type JsonObject } from '../../../kernel/contract/json.js'
import {
  all,
  anything,
  type Check,
  type Faults,
  fault,
  flag,
  integer,
  list,
  mapOf,
  matching,
  needs,
  number,
  object,
  orNull,
  place,
  type Rule,
  record,
  some,
  tagged,
  text,
  textOr,
  words,
} from './engine.js'
import { closedSchema } from './schema.js'

const toolName = matching(/^[a-zA-Z0-9_-]{1,64}$/)
export const efforts = words('none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max')

const mark = { prompt_cache_breakpoint: object }
const textPart = record({ type: text, text }, mark)
const refusalPart = record({ type: text, refusal: text })
const texts = textOr(list(tagged('type', { text: textPart })))

const userParts = list(
  tagged('type', {
    text: textPart,
    image_url: record(
      { type: text, image_url: record({ url: some }, { detail: words('auto', 'low', 'high') }) },
      mark,
    ),
    input_audio: record(
      { type: text, input_audio: record({ data: text, format: words('wav', 'mp3') }) },
      mark,
    ),
    file: record(
      { type: text, file: record({}, { file_data: text, file_id: text, filename: text }) },
      mark,
    ),
  }),
)

const call = tagged('type', {
  function: record(
    { id: some, type: text, function: record({ name: toolName, arguments: text }) },
    { extra_content: object },
  ),
  custom: record({ id: some, type: text, custom: record({ name: toolName, input: text }) }),
})

const assistant = record(
  { role: text },
  {
    content: orNull(textOr(list(tagged('type', { text: textPart, refusal: refusalPart })))),
    refusal: orNull(text),
    name: text,
    // Documented by most other vendors of this format, some of which want it back.
    reasoning_content: orNull(text),
    extra_content: object,
    audio: orNull(record({ id: text })),
    tool_calls: list(call, 1, 128),
    function_call: orNull(record({ name: toolName, arguments: text })),
  },
  (value, at, faults) => {
    const isStated = ['content', 'tool_calls', 'function_call', 'audio', 'refusal'].some(
      (name) => value[name] !== undefined && value[name] !== null,
    )
    if (!isStated) fault(faults, place(at, 'content'), 'is required without tool_calls')
  },
)

const message = tagged('role', {
  system: record({ role: text, content: texts }, { name: text }),
  developer: record({ role: text, content: texts }, { name: text }),
  user: record({ role: text, content: textOr(userParts) }, { name: text }),
  assistant,
  tool: record({ role: text, content: texts, tool_call_id: some }),
  function: record({ role: text, content: orNull(text), name: text }),
})

const outputSchema: Check = record(
  { name: matching(/^[a-zA-Z0-9_-]{1,64}$/) },
  { description: text, schema: object, strict: orNull(flag) },
  strictly('schema'),
)

/** A schema that is followed strictly is closed and requires each property. */
export function strictly(name: string): Rule {
  return (value, at, faults) => {
    const schema = value[name]
    if (value.strict === true && schema !== undefined && schema !== null) {
      closedSchema('all')(schema, place(at, name), faults)
    }
  }
}

const tool = tagged('type', {
  function: record({
    type: text,
    function: record(
      { name: toolName },
      { description: text, parameters: object, strict: orNull(flag) },
      strictly('parameters'),
    ),
  }),
  custom: record({
    type: text,
    custom: record({ name: toolName }, { description: text, format: object }),
  }),
})

const choice = textOr(
  tagged('type', {
    function: record({ type: text, function: record({ name: toolName }) }),
    custom: record({ type: text, custom: record({ name: toolName }) }),
    allowed_tools: record({
      type: text,
      allowed_tools: record({ mode: words('auto', 'required'), tools: list(object, 1) }),
    }),
  }),
  words('none', 'auto', 'required'),
)

export const chat: Check = record(
  { model: some, messages: list(message, 1) },
  {
    audio: orNull(
      record({
        format: words('wav', 'aac', 'mp3', 'flac', 'opus', 'pcm16'),
        voice: textOr(object),
      }),
    ),
    frequency_penalty: orNull(number(-2, 2)),
    function_call: textOr(record({ name: toolName }), words('none', 'auto')),
    functions: list(record({ name: toolName }, { description: text, parameters: object }), 1, 128),
    logit_bias: orNull(mapOf(number(-100, 100))),
    logprobs: orNull(flag),
    max_completion_tokens: orNull(integer(1)),
    max_tokens: orNull(integer(1)),
    metadata: orNull(mapOf(text)),
    modalities: orNull(list(words('text', 'audio'))),
    moderation: orNull(object),
    n: orNull(integer(1, 128)),
    parallel_tool_calls: flag,
    prediction: orNull(record({ type: words('content'), content: texts })),
    presence_penalty: orNull(number(-2, 2)),
    prompt_cache_key: orNull(text),
    prompt_cache_options: object,
    prompt_cache_retention: orNull(words('in_memory', '24h')),
    reasoning_effort: orNull(efforts),
    response_format: tagged('type', {
      text: record({ type: text }),
      json_object: record({ type: text }),
      json_schema: record({ type: text, json_schema: outputSchema }),
    }),
    safety_identifier: orNull(text),
    seed: orNull(integer(-(2 ** 63), 2 ** 63)),
    service_tier: orNull(words('auto', 'default', 'flex', 'scale', 'priority')),
    stop: orNull(textOr(list(text, 1, 4))),
    store: orNull(flag),
    stream: orNull(flag),
    stream_options: orNull(record({}, { include_usage: flag, include_obfuscation: flag })),
    temperature: orNull(number(0, 2)),
    tool_choice: choice,
    tools: list(tool, 1, 128),
    top_logprobs: orNull(integer(0, 20)),
    top_p: orNull(number(0, 1)),
    user: text,
    verbosity: orNull(words('low', 'medium', 'high')),
    web_search_options: anything,
  },
  all(
    needs('stream', ['stream_options']),
    needs('tools', ['tool_choice', 'parallel_tool_calls']),
    needs('logprobs', ['top_logprobs']),
    resultsFollowCalls,
  ),
)

/** Each call of an answer gets its result at once, and no result comes without its call. */
function resultsFollowCalls({ messages }: JsonObject, _at: string, faults: Faults): void {
  let open = new Set<unknown>()
  for (const [index, one] of (Array.isArray(messages) ? messages : []).entries()) {
    if (!isObject(one)) continue
    const at = `messages[${index}]`
    if (one.role === 'tool') {
      if (!open.delete(one.tool_call_id)) fault(faults, at, 'answers no call of the message before')
      continue
    }
    if (open.size > 0) fault(faults, at, `follows calls without a result: ${[...open].join(', ')}`)
    const calls = Array.isArray(one.tool_calls) ? one.tool_calls.filter(isObject) : []
    open = new Set(calls.map(({ id }) => id))
  }
  if (open.size > 0)
    fault(faults, 'messages', `end with calls without a result: ${[...open].join(', ')}`)
}
