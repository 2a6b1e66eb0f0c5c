/** A responses request as documented (API reference and the types of the `openai` package 6.49, November 2026). */
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { efforts, strictly } from './chat.js'
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
  record,
  some,
  tagged,
  text,
  textOr,
  words,
} from './engine.js'

const toolName = matching(/^[a-zA-Z0-9_-]{1,128}$/)
const mark = { prompt_cache_breakpoint: object }

const inputParts = {
  input_text: record({ type: text, text }, mark),
  input_image: record(
    { type: text },
    {
      ...mark,
      detail: words('low', 'high', 'auto', 'original'),
      file_id: orNull(some),
      image_url: orNull(some),
    },
  ),
  input_file: record(
    { type: text },
    {
      ...mark,
      detail: words('auto', 'low', 'high'),
      file_data: some,
      file_id: orNull(some),
      file_url: some,
      filename: some,
    },
    needs('filename', ['file_data']),
  ),
  input_audio: record({
    type: text,
    input_audio: record({ data: some, format: words('wav', 'mp3') }),
  }),
}

const outputParts = {
  output_text: record({ type: text, text }, { annotations: list(object), logprobs: list(object) }),
  refusal: record({ type: text, refusal: text }),
}

const status = orNull(words('in_progress', 'completed', 'incomplete'))
const head = { id: orNull(some), status, type: text }

const message = tagged('role', {
  user: record({ role: text, content: textOr(list(tagged('type', inputParts))) }, head),
  system: record({ role: text, content: textOr(list(tagged('type', inputParts))) }, head),
  developer: record({ role: text, content: textOr(list(tagged('type', inputParts))) }, head),
  assistant: record(
    { role: text, content: textOr(list(tagged('type', { ...outputParts, ...inputParts }))) },
    { ...head, phase: orNull(words('commentary', 'final_answer')) },
  ),
})

const summary = list(record({ type: words('summary_text'), text }))

const item = tagged(
  'type',
  {
    message,
    function_call: record(
      { type: text, call_id: matching(/^.{1,64}$/s), name: toolName, arguments: text },
      { id: orNull(some), status, caller: orNull(object), namespace: text },
    ),
    function_call_output: record(
      {
        type: text,
        call_id: matching(/^.{1,64}$/s),
        output: textOr(list(tagged('type', inputParts))),
      },
      { id: orNull(some), status, caller: orNull(object) },
    ),
    reasoning: record(
      { type: text, summary },
      {
        id: orNull(some),
        status,
        content: orNull(list(record({ type: words('reasoning_text'), text }))),
        encrypted_content: orNull(text),
      },
    ),
    custom_tool_call: record(
      { type: text, call_id: some, name: toolName, input: text },
      { id: orNull(some), status, namespace: text, caller: orNull(object) },
    ),
    custom_tool_call_output: record(
      { type: text, call_id: some, output: textOr(list(object)) },
      { id: orNull(some), status, caller: orNull(object) },
    ),
    item_reference: record({ id: some }, { type: text }),
    // Items of tools the service runs itself are its own affair.
    ...Object.fromEntries(
      [
        'web_search_call',
        'file_search_call',
        'computer_call',
        'computer_call_output',
        'code_interpreter_call',
        'image_generation_call',
        'local_shell_call',
        'local_shell_call_output',
        'shell_call',
        'shell_call_output',
        'apply_patch_call',
        'apply_patch_call_output',
        'mcp_list_tools',
        'mcp_approval_request',
        'mcp_approval_response',
        'mcp_call',
        'tool_search_call',
        'tool_search_output',
        'additional_tools',
        'compaction',
        'compaction_trigger',
        'program',
        'program_output',
      ].map((name) => [name, object]),
    ),
  },
  'message',
)

const callers = {
  allowed_callers: orNull(list(words('direct', 'programmatic'))),
  defer_loading: flag,
}

/** The reference asks for parameters and strict; the service takes tools without them. */
const functionTool = record(
  { type: text, name: toolName },
  {
    ...callers,
    parameters: orNull(object),
    strict: orNull(flag),
    description: orNull(text),
    output_schema: orNull(object),
  },
  strictly('parameters'),
)

const hosted = [
  'file_search',
  'computer',
  'computer_use_preview',
  'web_search',
  'web_search_2025_08_26',
  'web_search_preview',
  'web_search_preview_2025_03_11',
  'mcp',
  'code_interpreter',
  'programmatic_tool_calling',
  'image_generation',
  'local_shell',
  'shell',
  'tool_search',
  'apply_patch',
]

const custom = record(
  { type: text, name: toolName },
  { ...callers, description: text, format: object },
)

const tool = tagged('type', {
  function: functionTool,
  custom,
  namespace: record({
    type: text,
    name: some,
    description: text,
    tools: list(tagged('type', { function: functionTool, custom })),
  }),
  ...Object.fromEntries(hosted.map((name) => [name, object])),
})

const choice = textOr(
  tagged('type', {
    function: record({ type: text, name: toolName }),
    custom: record({ type: text, name: toolName }),
    allowed_tools: record({ type: text, mode: words('auto', 'required'), tools: list(object, 1) }),
    mcp: record({ type: text, server_label: text }, { name: orNull(text) }),
    ...Object.fromEntries(hosted.map((name) => [name, record({ type: text })])),
  }),
  words('none', 'auto', 'required'),
)

const included = words(
  'file_search_call.results',
  'web_search_call.results',
  'web_search_call.action.sources',
  'message.input_image.image_url',
  'computer_call_output.output.image_url',
  'code_interpreter_call.outputs',
  'reasoning.encrypted_content',
  'message.output_text.logprobs',
)

const summaries = orNull(words('auto', 'concise', 'detailed'))

export const responses: Check = record(
  {},
  {
    model: some,
    background: orNull(flag),
    context_management: orNull(list(object)),
    conversation: orNull(textOr(object)),
    include: orNull(list(included)),
    input: textOr(list(item)),
    instructions: orNull(text),
    max_output_tokens: orNull(integer(16)),
    max_tool_calls: orNull(integer(1)),
    metadata: orNull(mapOf(text)),
    moderation: orNull(object),
    parallel_tool_calls: orNull(flag),
    previous_response_id: orNull(some),
    prompt: orNull(object),
    prompt_cache_key: orNull(text),
    prompt_cache_options: object,
    prompt_cache_retention: orNull(words('in_memory', '24h')),
    reasoning: orNull(
      record(
        {},
        {
          effort: orNull(efforts),
          summary: summaries,
          generate_summary: summaries,
          context: orNull(words('auto', 'current_turn', 'all_turns')),
          mode: text,
        },
      ),
    ),
    safety_identifier: orNull(text),
    service_tier: orNull(words('auto', 'default', 'flex', 'scale', 'priority')),
    store: orNull(flag),
    stream: orNull(flag),
    stream_options: orNull(record({}, { include_obfuscation: flag })),
    temperature: orNull(number(0, 2)),
    text: record(
      {},
      {
        verbosity: orNull(words('low', 'medium', 'high')),
        format: tagged('type', {
          text: record({ type: text }),
          json_object: record({ type: text }),
          json_schema: record(
            { type: text, name: matching(/^[a-zA-Z0-9_-]{1,64}$/), schema: object },
            { description: text, strict: orNull(flag) },
            strictly('schema'),
          ),
        }),
      },
    ),
    tool_choice: choice,
    tools: list(tool),
    top_logprobs: orNull(integer(0, 20)),
    top_p: orNull(number(0, 1)),
    truncation: orNull(words('auto', 'disabled')),
    user: text,
    client_metadata: anything,
  },
  all(needs('stream', ['stream_options']), choosesOfTools, outputsFollowCalls),
)

/** Tools may be declared in the conversation too. */
function choosesOfTools(body: JsonObject, at: string, faults: Faults): void {
  const { input } = body
  const items = Array.isArray(input) ? input.filter(isObject) : []
  const declares = items.some(({ type }) => type === 'additional_tools')
  if (!declares) needs('tools', ['tool_choice'])(body, at, faults)
}

/** Every call has its output and every output its call, unless they are kept at the service. */
function outputsFollowCalls(body: JsonObject, _at: string, faults: Faults): void {
  const { input, previous_response_id, conversation } = body
  if (previous_response_id !== undefined || conversation !== undefined) return
  const items = Array.isArray(input) ? input.filter(isObject) : []
  if (items.some(({ type }) => type === 'item_reference')) return
  const ids = (type: string): Set<Json | undefined> =>
    new Set(items.filter((one) => one.type === type).map(({ call_id }) => call_id))
  const calls = ids('function_call')
  const outputs = ids('function_call_output')
  for (const id of calls)
    if (!outputs.has(id)) fault(faults, 'input', `has no output for call ${id}`)
  for (const id of outputs)
    if (!calls.has(id)) fault(faults, 'input', `has no call for output ${id}`)
}
