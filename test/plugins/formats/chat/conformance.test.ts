/** The chat format under the conformance kit. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import type { Call } from '../../../../kernel/contract/call.js'
import type { JsonObject } from '../../../../kernel/contract/json.js'
import create from '../../../../plugins/formats/chat/index.js'
import { conformingFormat } from '../../../conformance/format.js'

const least: JsonObject = { model: 'gpt-4o', messages: [{ role: 'user', content: 'Hello' }] }

const everything: JsonObject = {
  ...least,
  messages: [
    { role: 'system', content: 'Be brief.' },
    {
      role: 'user',
      name: 'ann',
      content: [
        { type: 'text', text: 'What is this?' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=', detail: 'low' } },
        { type: 'input_audio', input_audio: { data: 'aGk=', format: 'wav' } },
        { type: 'file', file: { file_id: 'file-1' } },
      ],
    },
    {
      role: 'assistant',
      content: 'I will look.',
      tool_calls: [
        { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"a": 1}' } },
        { id: 'call_2', type: 'function', function: { name: 'look', arguments: '' } },
      ],
    },
    { role: 'tool', tool_call_id: 'call_1', content: 'one' },
    { role: 'tool', tool_call_id: 'call_2', content: 'two' },
    { role: 'developer', content: 'Hurry.' },
  ],
  tools: [
    { type: 'function', function: { name: 'look', parameters: { type: 'object' }, strict: true } },
  ],
  tool_choice: { type: 'function', function: { name: 'look' } },
  parallel_tool_calls: false,
  max_completion_tokens: 100,
  stream: true,
  stream_options: { include_usage: true },
  temperature: 0,
  top_p: 0,
  n: 2,
  seed: 0,
  presence_penalty: 0,
  frequency_penalty: -2,
  logit_bias: { 50256: -100 },
  stop: ['END'],
  logprobs: true,
  top_logprobs: 2,
  response_format: {
    type: 'json_schema',
    json_schema: { name: 'answer', schema: { type: 'object' }, strict: true },
  },
  reasoning_effort: 'low',
  modalities: ['text', 'audio'],
  audio: { voice: 'alloy', format: 'wav' },
  user: '',
  metadata: { order: '1' },
  service_tier: 'flex',
  verbosity: 'low',
}

const refused = [
  ['model', { model: 4 }],
  ['messages', { messages: 'Hello' }],
  ['temperature', { temperature: 2.1 }],
  ['top_p', { top_p: 1.1 }],
  ['n', { n: 0 }],
  ['stream', { stream: 'yes' }],
  ['presence_penalty', { presence_penalty: 2.5 }],
  ['frequency_penalty', { frequency_penalty: -2.5 }],
  ['reasoning_effort', { reasoning_effort: 'some' }],
] as const

const folder = new URL('../../../fixtures/chat/', import.meta.url)
const recorded = (name: string) => readFileSync(new URL(name, folder))

const results = [
  'openai-text',
  'openai-parallel-tools',
  'deepseek-reasoning',
  'moonshot-usage-in-choice',
  'two-answers-crlf',
]

const plain: Call = {
  model: 'm',
  turns: [{ role: 'user', parts: [{ kind: 'text', text: 'Hello' }] }],
  tools: [],
  stream: false,
  wantsUsage: false,
  sampling: {},
}

const webSearch = { kind: 'server', name: 'web_search', only: { messages: {} } } as const

conformingFormat((title, run) => t.test(title, async () => run()), {
  manifest: readFileSync(
    new URL('../../../../plugins/formats/chat/manifest.json', import.meta.url),
    'utf8',
  ),
  create,
  requests: [
    { name: 'least', body: least },
    { name: 'everything', body: everything },
  ],
  explicit: [
    ['temperature', 0],
    ['top_p', 0],
    ['seed', 0],
    ['presence_penalty', 0],
    ['max_tokens', 0],
    ['user', ''],
    ['x_switch', false],
  ],
  refused: refused.map(([param, change]) => ({ param, body: { ...least, ...change } })),
  replies: results.map((name) => ({
    name,
    body: JSON.parse(recorded(`${name}.json`).toString('utf8')),
    stream: recorded(`${name}.sse`),
  })),
  plain,
  losses: [
    { field: 'sampling.topK', kind: 'report', call: { sampling: { topK: 0 } } },
    { field: 'reasoning.summary', kind: 'report', call: { reasoning: { summary: 'auto' } } },
    {
      field: 'previous_response_id',
      kind: 'refuse',
      call: { only: { responses: { previous_response_id: 'r' } } },
    },
    { field: 'container', kind: 'refuse', call: { only: { messages: { container: 'c' } } } },
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
      field: 'serverTool',
      kind: 'report',
      call: {
        turns: [
          {
            role: 'assistant',
            parts: [{ kind: 'serverTool', id: 'a', name: 'b', of: 'messages' }],
          },
        ],
      },
    },
  ],
})
