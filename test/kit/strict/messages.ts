/**
 * A messages request as documented (API reference and the types of `@anthropic-ai/sdk` 1.11, November 2026), without what
 * needs a beta header.
 */
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import {
  all,
  type Check,
  type Faults,
  fault,
  flag,
  integer,
  list,
  matching,
  needs,
  number,
  object,
  orNull,
  place,
  record,
  some,
  tagged,
  text,
  textOr,
  words,
} from './engine.js'
import { closedSchema } from './schema.js'

const toolName = matching(/^[a-zA-Z0-9_-]{1,64}$/)
const toolId = matching(/^[a-zA-Z0-9_-]+$/)

const cached = {
  cache_control: orNull(record({ type: words('ephemeral') }, { ttl: words('5m', '1h') })),
}
const textBlock = record({ type: text, text: some }, { citations: orNull(list(object)), ...cached })

const imageTypes = words('image/jpeg', 'image/png', 'image/gif', 'image/webp')
const image = record(
  {
    type: text,
    source: tagged('type', {
      base64: record({ type: text, media_type: imageTypes, data: some }),
      url: record({ type: text, url: some }),
      file: record({ type: text, file_id: some }),
    }),
  },
  { ...cached, transformations: orNull(object) },
)

const document = record(
  {
    type: text,
    source: tagged('type', {
      base64: record({ type: text, media_type: words('application/pdf'), data: some }),
      text: record({ type: text, media_type: words('text/plain'), data: text }),
      content: record({ type: text, content: textOr(list(object)) }),
      url: record({ type: text, url: some }),
      file: record({ type: text, file_id: some }),
    }),
  },
  { ...cached, citations: orNull(object), context: orNull(text), title: orNull(text) },
)

const searchResult = record(
  { type: text, content: list(textBlock), source: text, title: text },
  { ...cached, citations: object },
)

const result = record(
  { type: text, tool_use_id: toolId },
  {
    ...cached,
    is_error: flag,
    toolset_name: orNull(text),
    content: textOr(
      list(
        tagged('type', {
          text: textBlock,
          image,
          document,
          search_result: searchResult,
          tool_reference: object,
        }),
      ),
    ),
  },
)

const called = { ...cached, caller: object, toolset_name: orNull(text) }

const userBlocks: Readonly<Record<string, Check>> = {
  text: textBlock,
  image,
  document,
  search_result: searchResult,
  tool_result: result,
  container_upload: object,
}

const assistantBlocks: Readonly<Record<string, Check>> = {
  text: textBlock,
  thinking: record({ type: text, thinking: text, signature: text }),
  redacted_thinking: record({ type: text, data: text }),
  tool_use: record({ type: text, id: toolId, name: toolName, input: object }, called),
  server_tool_use: record({ type: text, id: toolId, name: some, input: object }, called),
  web_search_tool_result: object,
  web_fetch_tool_result: object,
  code_execution_tool_result: object,
  bash_code_execution_tool_result: object,
  text_editor_code_execution_tool_result: object,
  tool_search_tool_result: object,
}

const message = tagged('role', {
  user: record({ role: text, content: textOr(list(tagged('type', userBlocks), 1), some) }),
  assistant: record({ role: text, content: textOr(list(tagged('type', assistantBlocks)), some) }),
  // Instructions behind the user's first word; older models refuse them.
  system: record(
    { role: text, content: textOr(list(tagged('type', { text: textBlock }))) },
    { output_config: object },
  ),
})

const custom = record(
  {
    name: toolName,
    input_schema: (value, at, faults) => {
      if (!isObject(value) || value.type !== 'object') {
        fault(faults, place(at, 'type'), 'must be "object"')
      }
    },
  },
  {
    ...cached,
    type: orNull(words('custom')),
    description: text,
    strict: flag,
    allowed_callers: list(text),
    defer_loading: flag,
    eager_input_streaming: orNull(flag),
    input_examples: list(object),
  },
  (value, at, faults) => {
    if (value.strict === true && value.input_schema !== undefined) {
      closedSchema('any')(value.input_schema, place(at, 'input_schema'), faults)
    }
  },
)

/** The service's own tools carry a dated type. */
const tool: Check = (value, at, faults) => {
  const served = isObject(value) && typeof value.type === 'string' && /_20\d{6}$/.test(value.type)
  if (!served) custom(value, at, faults)
}

const alone = { disable_parallel_tool_use: flag }

export const messages: Check = record(
  { model: some, max_tokens: integer(1), messages: list(message, 1) },
  {
    ...cached,
    container: orNull(textOr(object)),
    diagnostics: orNull(object),
    inference_geo: orNull(text),
    metadata: record({}, { user_id: orNull(text) }),
    output_config: record(
      {},
      {
        effort: orNull(words('low', 'medium', 'high', 'xhigh', 'max')),
        format: orNull(record({ type: words('json_schema'), schema: closedSchema('any') })),
      },
    ),
    service_tier: words('auto', 'standard_only'),
    speed: orNull(words('standard', 'fast')),
    stop_sequences: list(some),
    stream: flag,
    system: textOr(list(tagged('type', { text: textBlock }))),
    temperature: number(0, 1),
    top_p: number(0, 1),
    top_k: integer(0),
    thinking: tagged('type', {
      enabled: record({ type: text, budget_tokens: integer(1024) }, { display: orNull(text) }),
      disabled: record({ type: text }),
      between_tools: record({ type: text }),
      adaptive: record({ type: text }, { display: orNull(words('summarized', 'omitted')) }),
    }),
    tool_choice: tagged('type', {
      auto: record({ type: text }, alone),
      any: record({ type: text }, alone),
      tool: record({ type: text, name: toolName }, alone),
      none: record({ type: text }),
    }),
    tools: list(tool),
    user_profile_id: text,
    workspace_id: text,
  },
  all(needs('tools', ['tool_choice']), leavesRoomToAnswer, takesTurns, resultsFollowCalls),
)

function leavesRoomToAnswer(body: JsonObject, _at: string, faults: Faults): void {
  const { thinking, max_tokens, tool_choice, temperature, top_k } = body
  if (!isObject(thinking) || thinking.type === 'disabled') return
  if (Number(thinking.budget_tokens ?? 0) >= Number(max_tokens)) {
    fault(faults, 'thinking.budget_tokens', 'must be less than max_tokens')
  }
  if (isObject(tool_choice) && (tool_choice.type === 'any' || tool_choice.type === 'tool')) {
    fault(faults, 'tool_choice', 'may not force a tool where the model thinks')
  }
  if (temperature !== undefined && temperature !== 1) {
    fault(faults, 'temperature', 'may only be 1 where the model thinks')
  }
  if (top_k !== undefined) fault(faults, 'top_k', 'is not taken where the model thinks')
}

function takesTurns({ messages }: JsonObject, _at: string, faults: Faults): void {
  const [first] = listed(messages)
  if (first !== undefined && first.role !== 'user')
    fault(faults, 'messages[0]', "must be the user's")
}

/** Results stand at the head of the message behind the calls, one for each. */
function resultsFollowCalls({ messages, tools }: JsonObject, _at: string, faults: Faults): void {
  let open = new Set<unknown>()
  let calls = false
  for (const [index, { content }] of listed(messages).entries()) {
    const at = `messages[${index}]`
    const blocks = listed(content)
    const results = blocks.filter(({ type }) => type === 'tool_result')
    if (results.some((one) => blocks.indexOf(one) >= results.length)) {
      fault(faults, at, 'has something before its tool_result blocks')
    }
    for (const { tool_use_id } of results) {
      if (!open.delete(tool_use_id)) fault(faults, at, `answers no tool_use before: ${tool_use_id}`)
    }
    if (open.size > 0)
      fault(faults, at, `leaves tool_use without tool_result: ${[...open].join(', ')}`)
    open = new Set(blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => id))
    calls ||= open.size > 0 || results.length > 0
  }
  if (open.size > 0) fault(faults, 'messages', 'end with tool_use without tool_result')
  if (calls && listed(tools).length === 0)
    fault(faults, 'tools', 'is required where tools were used')
}

function listed(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}
