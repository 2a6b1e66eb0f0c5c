/** The DeepSeek provider under the conformance kit: three chat formats and completions. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import chat from '../../plugins/formats/chat/index.js'
import messages from '../../plugins/formats/messages/index.js'
import responses from '../../plugins/formats/responses/index.js'
import create from '../../providers/deepseek/index.js'
import { conformingProvider } from '../conformance/provider.js'
import { exchangesIn } from '../conformance/vendor-exchanges.js'
import { inquiriesOf } from './upstream-query-cases.js'

const read = (path: string) => readFileSync(new URL(path, import.meta.url))
const formats = { chat, messages, responses }
const hello = [{ role: 'user', content: 'Hello' }]
const history = [
  ...hello,
  { role: 'assistant', content: null, tool_calls: [{ id: 'a', type: 'function' }] },
  { role: 'tool', tool_call_id: 'a', content: 'rain' },
]

conformingProvider((title, run) => t.test(title, async () => run()), {
  manifest: read('../../providers/deepseek/manifest.json').toString('utf8'),
  create,
  formats: (name) => formats[name as keyof typeof formats](),
  calls: [
    { operation: 'chat', wire: { model: 'deepseek-flash', messages: hello, stream: true } },
    { operation: 'chat', wire: { model: 'deepseek-flash', messages: history } },
    {
      operation: 'chat',
      wire: { model: 'deepseek-flash', messages: hello, reasoning_effort: 'none' },
    },
    {
      operation: 'chat',
      format: 'messages',
      wire: { model: 'deepseek-flash', max_tokens: 10, messages: hello },
    },
    {
      operation: 'chat',
      format: 'responses',
      wire: { model: 'deepseek-flash', input: 'Hello', stream: true },
    },
    { operation: 'completions', wire: { model: 'deepseek-flash', prompt: 'def', suffix: '' } },
  ],
  inquiries: inquiriesOf('deepseek'),
  streams: [
    {
      name: 'thinking-tool',
      operation: 'chat',
      bytes: read('../fixtures/deepseek/thinking-tool.sse'),
    },
  ],
  exchanges: exchangesIn(new URL('../fixtures/deepseek/', import.meta.url)),
  quirks: ['chat', 'messages'].map((format) => ({
    rule: `a tool that must be called and thinking exclude each other (${format})`,
    source: 'github.com/deepseek-ai/DeepSeek-V3/issues/1376',
    read: '2026-11-27',
    format: format as 'chat' | 'messages',
    wire: {
      ...{ model: 'deepseek-v4-flash', max_tokens: 10, messages: hello },
      tool_choice: format === 'chat' ? 'required' : { type: 'any' },
    },
    broken: ({ tool_choice: choice, thinking }) =>
      choice !== undefined && (thinking as { type?: string } | undefined)?.type !== 'disabled',
    lost: ['thinking'],
  })),
  refusals: [
    refusal(400, 'Content Exists Risk', 'client'),
    refusal(400, 'Model Not Exist', 'channel'),
    refusal(401, 'Authentication Fails, Your api key is invalid', 'channel'),
    refusal(402, 'Insufficient Balance', 'channel'),
    refusal(422, 'Invalid max_tokens value', 'client'),
    refusal(429, 'Rate limit reached', 'channel'),
    refusal(503, 'Server overloaded', 'upstream'),
  ],
})

function refusal(status: number, message: string, blame: 'client' | 'channel' | 'upstream') {
  const error = { message, type: 'invalid_request_error', param: null, code: 'invalid_request' }
  return { operation: 'chat' as const, status, body: { error }, blame }
}
