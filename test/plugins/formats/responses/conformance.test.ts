/** The responses format under the conformance kit. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import type { Call, Part } from '../../../../kernel/contract/call.js'
import type { JsonObject } from '../../../../kernel/contract/json.js'
import create from '../../../../plugins/formats/responses/index.js'
import { unsupported } from '../../../../plugins/formats/responses/unsupported-fields.js'
import { conformingFormat, type LossCase, type RequestCase } from '../../../conformance/format.js'
import { body, results, stream } from './recorded.js'

const least: JsonObject = { model: 'gpt-5.1', input: 'Hello' }

function items(...input: JsonObject[]): JsonObject {
  return { model: 'gpt-5.1', input }
}

function eventOf(role: string, content: string | readonly JsonObject[]): JsonObject {
  return { type: 'message', role, content }
}

const hello = eventOf('user', 'Hello')

/** What an answer was made of, as a client sends it back. */
const answer: readonly JsonObject[] = [
  {
    id: 'rs_1',
    type: 'reasoning',
    summary: [{ type: 'summary_text', text: 'Let me see.' }],
    encrypted_content: 'gAAAAABone==',
  },
  {
    id: 'msg_1',
    type: 'message',
    status: 'completed',
    phase: 'commentary',
    role: 'assistant',
    content: [
      {
        type: 'output_text',
        text: 'I will look.',
        annotations: [
          {
            type: 'url_citation',
            start_index: 0,
            end_index: 3,
            url: 'https://a.example',
            title: '',
          },
          { type: 'file_citation', file_id: 'file_1', filename: 'a.pdf', index: 3 },
        ],
        logprobs: [{ token: 'I', bytes: [73], logprob: -0.1, top_logprobs: [] }],
      },
      { type: 'refusal', refusal: 'But not there.' },
    ],
  },
  {
    id: 'fc_1',
    type: 'function_call',
    status: 'completed',
    call_id: 'call_1',
    name: 'look',
    arguments: '{"deep": true}',
  },
  { type: 'function_call', call_id: 'call_2', name: 'look', arguments: '' },
]

const everything: JsonObject = {
  model: 'gpt-5.1',
  instructions: 'Be brief.',
  input: [
    eventOf('developer', 'Hurry.'),
    eventOf('user', [
      { type: 'input_text', text: 'What is this?' },
      { type: 'input_image', image_url: 'data:image/png;base64,aGk=', detail: 'low' },
      { type: 'input_image', image_url: 'https://example.com/a.png' },
      { type: 'input_image', file_id: 'file_2', detail: 'auto' },
      { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,aGk=' },
      { type: 'input_file', file_url: 'https://example.com/b.pdf' },
      { type: 'input_file', file_id: 'file_3' },
      { type: 'input_audio', input_audio: { data: 'aGk=', format: 'wav' } },
      { type: 'input_text', text: 'x', prompt_cache_breakpoint: { mode: 'explicit' } },
      { type: 'input_novelty', x: 1 },
    ]),
    ...answer,
    {
      type: 'function_call_output',
      call_id: 'call_1',
      output: [
        { type: 'input_text', text: 'Seen.' },
        { type: 'input_image', image_url: 'data:image/png;base64,aGk=' },
      ],
      status: 'completed',
    },
    { type: 'function_call_output', call_id: 'call_2', output: 'No.' },
    eventOf('system', 'The user is in a hurry.'),
    eventOf('user', 'And now?'),
  ],
  tools: [
    {
      type: 'function',
      name: 'look',
      description: 'Looks.',
      parameters: { type: 'object', properties: { deep: { type: 'boolean' } } },
      strict: true,
      defer_loading: false,
    },
    { type: 'function', name: 'wait' },
    { type: 'web_search', search_context_size: 'low' },
    { type: 'custom', name: 'patch', format: { type: 'text' } },
    { type: 'mcp', server_label: 'docs', server_url: 'https://mcp.example.com' },
  ],
  tool_choice: { type: 'function', name: 'look' },
  parallel_tool_calls: false,
  max_output_tokens: 100,
  temperature: 0,
  top_p: 0,
  top_logprobs: 2,
  include: ['reasoning.encrypted_content', 'message.output_text.logprobs'],
  text: {
    format: {
      type: 'json_schema',
      name: 'answer',
      description: 'An answer.',
      schema: { type: 'object' },
      strict: true,
    },
    verbosity: 'low',
  },
  reasoning: { effort: 'low', summary: 'auto', context: 'auto' },
  metadata: { order: '1' },
  user: 'u-1',
  safety_identifier: 's-1',
  prompt_cache_key: 'p-1',
  store: false,
  truncation: 'auto',
  service_tier: 'flex',
  stream: true,
  stream_options: { include_obfuscation: false },
}

const requests: readonly RequestCase[] = [
  { name: 'least', body: least },
  { name: 'everything', body: everything },
  { name: 'instructions and a string', body: { ...least, instructions: '' } },
  {
    name: 'messages without a type, and a text in an array',
    body: items(
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'input_text', text: 'Hello' }] },
      { role: 'assistant', content: [{ type: 'output_text', text: 'Hi', annotations: [] }] },
    ),
    spelled: items(eventOf('system', 'Be brief.'), hello, eventOf('assistant', 'Hi')),
  },
  {
    name: 'a stored conversation goes on',
    body: { model: 'm', previous_response_id: 'resp_1' },
  },
  {
    name: 'a conversation, a template, in the background',
    body: {
      ...least,
      conversation: { id: 'conv_1' },
      prompt: { id: 'pmpt_1', variables: { city: 'Paris' } },
      background: true,
    },
  },
  {
    name: 'fields that say nothing',
    body: { ...least, background: false, previous_response_id: null, temperature: null },
    spelled: least,
  },
  {
    name: 'items that stand for earlier ones',
    body: items(hello, { type: 'item_reference', id: 'msg_1' }, eventOf('user', 'And now?')),
  },
  {
    name: 'calls of tools the upstream ran',
    body: items(
      hello,
      {
        id: 'ws_1',
        type: 'web_search_call',
        status: 'completed',
        action: { type: 'search', query: 'x' },
      },
      { id: 'mcpl_1', type: 'mcp_list_tools', server_label: 'docs', tools: [] },
      { id: 'ig_1', type: 'image_generation_call', status: 'completed', result: 'aGk=' },
      eventOf('assistant', 'Here.'),
    ),
  },
  {
    name: 'a custom tool and its output',
    body: items(
      hello,
      { type: 'custom_tool_call', id: 'ctc_1', call_id: 'c', name: 'patch', input: '***' },
      { type: 'custom_tool_call_output', call_id: 'c', output: 'done' },
    ),
  },
  {
    name: 'a screen and a shell',
    body: items(
      hello,
      {
        id: 'cu_1',
        type: 'computer_call',
        call_id: 'c',
        action: { type: 'wait' },
        status: 'completed',
      },
      { type: 'computer_call_output', call_id: 'c', output: { type: 'computer_screenshot' } },
      { id: 'cmp_1', type: 'compaction', encrypted_content: 'gAAA' },
    ),
  },
  {
    name: 'reasoning in every shape',
    body: items(
      hello,
      { type: 'reasoning', id: 'rs_1', summary: [] },
      { type: 'reasoning', summary: [], encrypted_content: 'gAAA' },
      {
        type: 'reasoning',
        id: 'rs_2',
        summary: [
          { type: 'summary_text', text: 'One.' },
          { type: 'summary_text', text: 'Two.' },
        ],
        content: [{ type: 'reasoning_text', text: 'First one, then two.' }],
        status: 'completed',
      },
      { type: 'reasoning', id: 'rs_3', summary: [{ type: 'summary_text', text: 'Three.' }] },
      eventOf('assistant', 'Hi'),
    ),
  },
  {
    name: 'two answers in a row, and words behind a call',
    body: items(
      hello,
      {
        ...eventOf('assistant', [{ type: 'output_text', text: 'One.', annotations: [] }]),
        id: 'msg_1',
      },
      { type: 'reasoning', summary: [], id: 'rs_1' },
      {
        ...eventOf('assistant', [{ type: 'output_text', text: 'Two.', annotations: [] }]),
        id: 'msg_2',
      },
      { type: 'function_call', call_id: 'a', name: 'look', arguments: '{}' },
      eventOf('assistant', 'Three.'),
      { type: 'function_call_output', call_id: 'a', output: 'seen' },
    ),
  },
  {
    name: 'a choice between hosted tools',
    body: {
      ...least,
      tools: [{ type: 'file_search', vector_store_ids: ['vs_1'] }],
      tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'file_search' }] },
      max_tool_calls: 3,
    },
  },
  { name: 'JSON of any shape', body: { ...least, text: { format: { type: 'json_object' } } } },
  {
    name: 'output by a grammar',
    body: { ...least, text: { format: { type: 'grammar', syntax: 'lark' } } },
  },
  { name: 'no reasoning', body: { ...least, reasoning: { effort: 'none' } } },
  {
    name: 'log-probabilities of what is chosen',
    body: { ...least, include: ['message.output_text.logprobs'] },
  },
  { name: 'log-probabilities nobody includes', body: { ...least, top_logprobs: 3 } },
]

const refused = [
  ['model', { model: '' }],
  ['model', { model: 4 }],
  ['model', { model: 'a/../b' }],
  ['model', { model: 'm'.repeat(257) }],
  ['input', { input: null }],
  ['input', { input: 4 }],
  ['input', { input: {}, previous_response_id: 'resp_1' }],
  ['input[0]', { input: ['Hello'] }],
  ['input[0].id', { input: [{}] }],
  ['input[0].type', { input: [{ type: 4 }] }],
  ['input[0].role', { input: [{ role: 'tool', content: 'x' }] }],
  ['input[0].content', { input: [{ role: 'user' }] }],
  ['input[0].content[0]', { input: [{ role: 'user', content: ['x'] }] }],
  ['input[0].content[0].text', { input: [{ role: 'user', content: [{ type: 'input_text' }] }] }],
  [
    'input[0].content[0].image_url',
    { input: [{ role: 'user', content: [{ type: 'input_image', image_url: { url: 'x' } }] }] },
  ],
  ['input[0].call_id', { input: [{ type: 'function_call', name: 'a', arguments: '' }] }],
  [
    'input[0].arguments',
    { input: [{ type: 'function_call', call_id: 'a', name: 'a', arguments: {} }] },
  ],
  ['input[0].output', { input: [{ type: 'function_call_output', call_id: 'a' }] }],
  ['input[0].summary', { input: [{ type: 'reasoning' }] }],
  ['instructions', { instructions: ['x'] }],
  ['temperature', { temperature: 2.1 }],
  ['top_p', { top_p: 1.1 }],
  ['top_logprobs', { top_logprobs: 21 }],
  ['max_output_tokens', { max_output_tokens: -1 }],
  ['max_output_tokens', { max_output_tokens: 1.5 }],
  ['tools', { tools: {} }],
  ['tools', { tools: [{ type: 'function' }] }],
  ['tool_choice', { tool_choice: 1 }],
  ['parallel_tool_calls', { parallel_tool_calls: 'no' }],
  ['stream', { stream: 'true' }],
  ['store', { store: 1 }],
  ['include', { include: 'x' }],
  ['reasoning', { reasoning: 'low' }],
  ['reasoning.effort', { reasoning: { effort: 'some' } }],
  ['text', { text: 'json' }],
  ['text.format', { text: { format: 'json' } }],
  ['text.format.schema', { text: { format: { type: 'json_schema', name: 'a' } } }],
  ['metadata', { metadata: [] }],
  ['previous_response_id', { previous_response_id: 1 }],
] as const

const plain: Call = {
  model: 'm',
  turns: [{ role: 'user', parts: [{ kind: 'text', text: 'Hello' }] }],
  tools: [],
  stream: false,
  wantsUsage: false,
  sampling: {},
}

const text = { kind: 'text', text: 'x' } as const

function contentOf(...parts: Part[]): Partial<Call> {
  return { turns: [{ role: 'user', parts }] }
}

function answered(...parts: Part[]): Partial<Call> {
  return { turns: [{ role: 'assistant', parts }] }
}

function refuse(field: string, call: Partial<Call>): LossCase {
  return { field, kind: 'refuse', call }
}

function report(field: string, call: Partial<Call>): LossCase {
  return { field, kind: 'report', call }
}

const wav = { base64: '', mime: 'audio/wav' }
const spoken: Part = { kind: 'media', type: 'audio', source: wav }
const foreignId = { id: 'file-1', of: 'chat' } as const

const webSearch = { kind: 'server', name: 'web_search', only: { messages: {} } } as const

const lossCases: readonly LossCase[] = [
  refuse('sampling.choices', { sampling: { choices: 2 } }),
  refuse('sampling.stop', { sampling: { stop: ['END'] } }),
  refuse('sampling.logitBias', { sampling: { logitBias: { 50256: -100 } } }),
  refuse('modalities', { modalities: ['text', 'audio'] }),
  refuse('audio', { audio: { voice: 'alloy', format: 'wav' } }),
  report('tools.web_search', { tools: [webSearch] }),
  refuse('tools.web_search', {
    tools: [webSearch],
    toolChoice: { kind: 'named', name: 'web_search' },
  }),
  refuse('tools.web_search', { tools: [webSearch], toolChoice: { kind: 'required' } }),
  refuse('tools.bash', {
    tools: [{ kind: 'server', name: 'bash', only: { messages: { type: 'bash_20250124' } } }],
  }),
  refuse('media.image', contentOf({ kind: 'media', type: 'image', source: foreignId })),
  refuse('media.file', contentOf({ kind: 'media', type: 'file', source: foreignId })),
  refuse(
    'media.video',
    contentOf({ kind: 'media', type: 'video', source: { url: 'https://a.example' } }),
  ),
  refuse(
    'media.audio',
    contentOf({ kind: 'media', type: 'audio', source: { url: 'https://a.example' } }),
  ),
  refuse('media.audio', contentOf({ kind: 'toolResult', callId: 'a', parts: [spoken] })),
  report('serverTool', answered({ kind: 'serverTool', id: 'a', name: 'a', of: 'messages' })),
  refuse(
    'opaque',
    contentOf({
      kind: 'toolResult',
      callId: 'a',
      parts: [{ kind: 'opaque', of: 'generative', value: {} }],
    }),
  ),
  report('opaque', answered(text, { kind: 'opaque', of: 'messages', value: {} })),
  report('sampling.topK', { sampling: { topK: 0 } }),
  report('sampling.seed', { sampling: { seed: 0 } }),
  report('sampling.presencePenalty', { sampling: { presencePenalty: 0.5 } }),
  report('sampling.frequencyPenalty', { sampling: { frequencyPenalty: -1 } }),
  report('reasoning.budget', { reasoning: { budget: 2000 } }),
  report('reasoning.off', { reasoning: { off: true } }),
  report('reasoning.history', answered(text, { kind: 'reasoning', text: 'unsealed' })),
  report(
    'reasoning.history',
    answered({ kind: 'reasoning', text: 'x', seal: { by: 'messages', value: 's' } }),
  ),
  report('turns.name', { turns: [{ role: 'user', name: 'ann', parts: [text] }] }),
  report(
    'media',
    answered(text, { kind: 'media', type: 'image', source: { base64: '', mime: 'image/png' } }),
  ),
  report(
    'toolResult.failed',
    contentOf({ kind: 'toolResult', callId: 'a', parts: [text], failed: true }),
  ),
  report('citations', answered({ ...text, citations: [{ type: 'char_location' }] })),
  report('cache', contentOf({ ...text, cache: {} })),
  report('cache', { tools: [{ kind: 'function', name: 'a', cache: { ttl: '1h' } }] }),
  ...(
    [
      ['chat', 'web_search_options'],
      ['chat', 'tool_choice'],
      ['chat', 'response_format'],
      ['chat', 'functions'],
      ['chat', 'function_call'],
      ['messages', 'container'],
      ['messages', 'mcp_servers'],
      ['messages', 'thread'],
      ['generative', 'cachedContent'],
    ] as const
  ).map(([format, field]) => refuse(field, { only: { [format]: { [field]: 'x' } } })),
  report('limit', { limit: { tokens: 1, field: 'max_tokens' } }),
  report('reasoning.effort', { reasoning: { effort: 'max' } }),
  report('prediction', { only: { chat: { prediction: {} } } }),
  report('turns.audio', {
    turns: [{ role: 'user', parts: [text], only: { chat: { audio: {} } } }],
  }),
  report('parts.x', contentOf({ ...text, only: { messages: { x: 1 } } })),
  report('tools.x', { tools: [{ kind: 'function', name: 'a', only: { chat: { x: 1 } } }] }),
]

conformingFormat((title, run) => t.test(title, async () => run()), {
  manifest: readFileSync(
    new URL('../../../../plugins/formats/responses/manifest.json', import.meta.url),
    'utf8',
  ),
  create,
  requests,
  explicit: [
    ['temperature', 0],
    ['top_p', 0],
    ['max_output_tokens', 0],
    ['user', ''],
    ['instructions', ''],
    ['store', false],
    ['parallel_tool_calls', false],
    ['x_switch', false],
  ],
  refused: [
    { param: 'model', body: { input: 'Hello' } },
    { param: 'input', body: { model: 'm' } },
    ...refused.map(([param, change]) => ({ param, body: { ...least, ...change } })),
  ],
  replies: results.map((name) => ({ name, body: body(name), stream: stream(name) })),
  plain,
  losses: lossCases,
  lossTable: unsupported,
})
