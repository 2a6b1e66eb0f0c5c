/** The messages format on the bench of the conformance kit. */
import { readFileSync } from 'node:fs'
import type { Call, Part } from '../../../../kernel/contract/call.js'
import type { JsonObject } from '../../../../kernel/contract/json.js'
import create from '../../../../plugins/formats/messages/index.js'
import { unsupported } from '../../../../plugins/formats/messages/unsupported-fields.js'
import type { FormatSubject, LossCase } from '../../../conformance/format.js'
import { body, stream } from './recorded.js'

const least: JsonObject = {
  model: 'claude-sonnet-4-5',
  max_tokens: 1024,
  messages: [{ role: 'user', content: 'Hello' }],
}

const everything: JsonObject = {
  ...least,
  system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral', ttl: '1h' } }],
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is this?' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } },
        { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
        {
          type: 'document',
          source: { type: 'base64', media_type: 'application/pdf', data: 'aGk=' },
          title: 'a.pdf',
          citations: { enabled: true },
          cache_control: { type: 'ephemeral' },
        },
        {
          type: 'document',
          source: { type: 'text', media_type: 'text/plain', data: 'Grüße' },
        },
        { type: 'document', source: { type: 'file', file_id: 'file_1' } },
        { type: 'search_result', source: 's', title: 't', content: [] },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Let me see.', signature: 'sig' },
        { type: 'thinking', thinking: '', signature: 'sig2' },
        { type: 'redacted_thinking', data: 'data' },
        { type: 'text', text: 'I will look.' },
        { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'x' } },
        { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] },
        { type: 'tool_use', id: 'toolu_1', name: 'look', input: { deep: true } },
        { type: 'tool_use', id: 'toolu_2', name: 'look', input: {}, caller: { type: 'direct' } },
      ],
    },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'toolu_1',
          content: [
            { type: 'text', text: 'Seen.' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } },
          ],
          is_error: false,
        },
        { type: 'tool_result', tool_use_id: 'toolu_2', content: 'No.', is_error: true },
        { type: 'text', text: 'And now?' },
      ],
    },
    { role: 'system', content: 'The user is in a hurry.' },
  ],
  tools: [
    {
      name: 'look',
      description: 'Looks.',
      input_schema: {
        type: 'object',
        properties: { deep: { type: 'boolean' } },
        additionalProperties: false,
      },
      strict: true,
      cache_control: { type: 'ephemeral' },
      defer_loading: false,
    },
    { type: 'web_search_20250305', name: 'web_search', max_uses: 3 },
  ],
  tool_choice: { type: 'auto', disable_parallel_tool_use: true },
  temperature: 0,
  top_p: 0.5,
  top_k: 0,
  stop_sequences: ['END'],
  stream: true,
  metadata: { user_id: 'u-1', trace: 't-1' },
  service_tier: 'auto',
  context_management: { edits: [] },
}

const requests = [
  { name: 'least', body: least },
  { name: 'everything', body: everything },
  {
    name: 'thinking with a budget',
    body: { ...least, max_tokens: 4096, thinking: { type: 'enabled', budget_tokens: 2000 } },
  },
  { name: 'thinking off', body: { ...least, thinking: { type: 'disabled' } } },
  {
    name: 'adaptive thinking with an effort',
    body: {
      ...least,
      thinking: { type: 'adaptive', display: 'omitted' },
      output_config: { effort: 'xhigh' },
    },
  },
  {
    name: 'effort and budget',
    body: {
      ...least,
      max_tokens: 4096,
      thinking: { type: 'enabled', budget_tokens: 1024 },
      output_config: { effort: 'low' },
    },
  },
  {
    name: 'structured output',
    body: {
      ...least,
      output_config: {
        format: { type: 'json_schema', schema: { type: 'object', additionalProperties: false } },
      },
    },
  },
  {
    name: 'structured output with an effort',
    body: {
      ...least,
      output_config: { effort: 'low', format: { type: 'json_schema', schema: {} } },
    },
  },
  {
    name: 'a forced tool',
    body: {
      ...least,
      tools: [{ name: 'a', input_schema: { type: 'object' } }],
      tool_choice: { type: 'tool', name: 'a' },
    },
  },
  {
    name: 'any tool, one at a time',
    body: {
      ...least,
      tools: [{ name: 'a', input_schema: { type: 'object' } }],
      tool_choice: { type: 'any', disable_parallel_tool_use: false },
    },
  },
  {
    name: 'a begun answer',
    body: {
      ...least,
      messages: [
        { role: 'user', content: 'Sing.' },
        { role: 'assistant', content: 'La' },
      ],
    },
  },
]

const refused = [
  ['model', {}],
  ['model', { model: '' }],
  ['model', { model: 4 }],
  ['messages', { messages: [] }],
  ['messages', { messages: 'Hello' }],
  ['messages.0', { messages: ['Hello'] }],
  ['messages.0.role', { messages: [{ role: 'tool', content: 'x' }] }],
  ['messages.0.content', { messages: [{ role: 'user' }] }],
  ['messages.0.content', { messages: [{ role: 'user', content: [{ text: 'no type' }] }] }],
  ['max_tokens', { max_tokens: 0 }],
  ['max_tokens', { max_tokens: 1.5 }],
  ['max_tokens', { max_tokens: '1' }],
  ['max_tokens', { max_tokens: null }],
  ['system', { system: 1 }],
  ['system', { system: ['x'] }],
  ['temperature', { temperature: 1.01 }],
  ['temperature', { temperature: -0.1 }],
  ['temperature', { temperature: '1' }],
  ['top_p', { top_p: '1' }],
  ['top_k', { top_k: 1.5 }],
  ['stream', { stream: 'true' }],
  ['stop_sequences', { stop_sequences: 'END' }],
  ['stop_sequences', { stop_sequences: [1] }],
] as const

const plain: Call = {
  model: 'm',
  turns: [{ role: 'user', parts: [{ kind: 'text', text: 'Hello' }] }],
  tools: [],
  stream: false,
  wantsUsage: false,
  sampling: {},
}

function contentOf(part: Part): Partial<Call> {
  return { turns: [{ role: 'user', parts: [part] }] }
}

const text = { kind: 'text', text: 'x' } as const
const high = { reasoning: { effort: 'high' } } as const

const webSearch = { kind: 'server', name: 'web_search', only: { responses: {} } } as const

const lossCases: readonly LossCase[] = [
  { field: 'sampling.choices', kind: 'refuse', call: { sampling: { choices: 2 } } },
  { field: 'sampling.logprobs', kind: 'refuse', call: { sampling: { logprobs: 0 } } },
  {
    field: 'sampling.logitBias',
    kind: 'refuse',
    call: { sampling: { logitBias: { 50256: -100 } } },
  },
  { field: 'sampling.temperature', kind: 'refuse', call: { sampling: { temperature: 1.2 } } },
  { field: 'sampling.stop', kind: 'refuse', call: { sampling: { stop: ['END', '\n'] } } },
  { field: 'modalities', kind: 'refuse', call: { modalities: ['text', 'audio'] } },
  { field: 'audio', kind: 'refuse', call: { audio: { voice: 'alloy', format: 'wav' } } },
  { field: 'output', kind: 'report', call: { output: { kind: 'json' } } },
  { field: 'tools.web_search', kind: 'report', call: { tools: [webSearch] } },
  {
    field: 'tools.web_search',
    kind: 'refuse',
    call: { tools: [webSearch], toolChoice: { kind: 'named', name: 'web_search' } },
  },
  {
    field: 'tools.web_search',
    kind: 'refuse',
    call: { tools: [webSearch], toolChoice: { kind: 'required' } },
  },
  {
    field: 'media.audio',
    kind: 'refuse',
    call: contentOf({ kind: 'media', type: 'audio', source: { base64: '', mime: 'audio/wav' } }),
  },
  {
    field: 'media.video',
    kind: 'refuse',
    call: contentOf({ kind: 'media', type: 'video', source: { url: 'https://example.com/v' } }),
  },
  {
    field: 'media.file',
    kind: 'refuse',
    call: contentOf({ kind: 'media', type: 'file', source: { id: 'file-1', of: 'chat' } }),
  },
  {
    field: 'media.file',
    kind: 'refuse',
    call: contentOf({
      kind: 'media',
      type: 'file',
      source: { base64: '', mime: 'application/msword' },
    }),
  },
  {
    field: 'toolCall.input',
    kind: 'refuse',
    call: contentOf({ kind: 'toolCall', id: 'a', name: 'a', input: '{"torn' }),
  },
  {
    field: 'serverTool',
    kind: 'report',
    call: contentOf({ kind: 'serverTool', id: 'a', name: 'a', of: 'responses' }),
  },
  {
    field: 'opaque',
    kind: 'refuse',
    call: contentOf({
      kind: 'toolResult',
      callId: 'a',
      parts: [{ kind: 'opaque', of: 'generative', value: {} }],
    }),
  },
  {
    field: 'opaque',
    kind: 'report',
    call: {
      turns: [
        { role: 'user', parts: [text] },
        { role: 'assistant', parts: [text, { kind: 'opaque', of: 'responses', value: {} }] },
      ],
    },
  },
  {
    field: 'sampling.temperature',
    kind: 'report',
    call: { ...high, sampling: { temperature: 1.5 } },
  },
  { field: 'sampling.topP', kind: 'report', call: { ...high, sampling: { topP: 0.9 } } },
  { field: 'sampling.topK', kind: 'report', call: { ...high, sampling: { topK: 4 } } },
  { field: 'sampling.seed', kind: 'report', call: { sampling: { seed: 0 } } },
  {
    field: 'sampling.presencePenalty',
    kind: 'report',
    call: { sampling: { presencePenalty: 0.5 } },
  },
  {
    field: 'sampling.frequencyPenalty',
    kind: 'report',
    call: { sampling: { frequencyPenalty: -1 } },
  },
  { field: 'metadata', kind: 'report', call: { metadata: { order: '1' } } },
  {
    field: 'output.name',
    kind: 'report',
    call: { output: { kind: 'schema', name: 'answer', schema: {} } },
  },
  {
    field: 'reasoning',
    kind: 'report',
    call: {
      ...high,
      tools: [{ kind: 'function', name: 'a' }],
      toolChoice: { kind: 'required' },
    },
  },
  {
    field: 'output.schema',
    kind: 'report',
    call: { output: { kind: 'schema', schema: { type: 'object' } } },
  },
  {
    field: 'tools.schema',
    kind: 'report',
    call: { tools: [{ kind: 'function', name: 'a', strict: true, schema: { type: 'object' } }] },
  },
  {
    field: 'reasoning.budget',
    kind: 'report',
    call: { ...high, limit: { tokens: 4096, field: 'max_tokens' } },
  },
  { field: 'reasoning.summary', kind: 'report', call: { reasoning: { summary: 'auto' } } },
  {
    field: 'turns.system',
    kind: 'report',
    call: {
      turns: [
        { role: 'user', parts: [text] },
        { role: 'developer', parts: [text] },
      ],
    },
  },
  { field: 'turns.first', kind: 'report', call: { turns: [{ role: 'assistant', parts: [text] }] } },
  { field: 'turns.first', kind: 'report', call: { turns: [{ role: 'system', parts: [text] }] } },
  {
    field: 'turns.name',
    kind: 'report',
    call: { turns: [{ role: 'user', name: 'ann', parts: [text] }] },
  },
  {
    field: 'reasoning.history',
    kind: 'report',
    call: { turns: [{ role: 'user', parts: [text, { kind: 'reasoning', text: 'unsealed' }] }] },
  },
  { field: 'refusal', kind: 'report', call: contentOf({ kind: 'refusal', text: 'No.' }) },
  {
    field: 'media.detail',
    kind: 'report',
    call: contentOf({
      kind: 'media',
      type: 'image',
      source: { url: 'https://example.com/a.png' },
      detail: 'low',
    }),
  },
  {
    field: 'citations',
    kind: 'report',
    call: contentOf({ kind: 'text', text: 'x', citations: [{ type: 'url_citation' }] }),
  },
  {
    field: 'previous_response_id',
    kind: 'refuse',
    call: { only: { responses: { previous_response_id: 'r' } } },
  },
  {
    field: 'tool_choice',
    kind: 'refuse',
    call: { only: { chat: { tool_choice: { type: 'allowed_tools' } } } },
  },
  {
    field: 'reasoning',
    kind: 'report',
    call: {
      ...high,
      turns: [
        { role: 'user', parts: [text] },
        { role: 'assistant', parts: [text] },
      ],
    },
  },
  { field: 'service_tier', kind: 'report', call: { only: { chat: { service_tier: 'flex' } } } },
]

const results = ['text', 'tools', 'thinking', 'web-search', 'stop-sequence', 'refusal']

export const messagesSubject: FormatSubject = {
  manifest: readFileSync(
    new URL('../../../../plugins/formats/messages/manifest.json', import.meta.url),
    'utf8',
  ),
  create,
  requests,
  explicit: [
    ['temperature', 0],
    ['top_k', 0],
    ['top_p', 0],
    ['service_tier', ''],
    ['x_switch', false],
  ],
  refused: refused.map(([param, change]) => ({
    param,
    body: param === 'model' && !('model' in change) ? { max_tokens: 1 } : { ...least, ...change },
  })),
  replies: results.map((name) => ({ name, body: body(name), stream: stream(name) })),
  plain,
  losses: lossCases,
  lossTable: unsupported,
}
