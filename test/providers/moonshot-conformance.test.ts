/** The Moonshot provider under the conformance kit, at the platform and under the coding plan. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import chat from '../../plugins/formats/chat/index.js'
import messages from '../../plugins/formats/messages/index.js'
import responses from '../../plugins/formats/responses/index.js'
import create from '../../providers/moonshot/index.js'
import { conformingProvider } from '../conformance/provider.js'
import { inquiriesOf } from './upstream-query-cases.js'

const read = (path: string) => readFileSync(new URL(path, import.meta.url))
const formats = { chat, messages, responses }
const hello = [{ role: 'user', content: 'Hello' }]
const history = [
  ...hello,
  { role: 'assistant', content: '', tool_calls: [{ id: 'a', type: 'function' }] },
  { role: 'tool', tool_call_id: 'a', content: 'rain' },
]

conformingProvider((title, run) => t.test(title, async () => run()), {
  manifest: read('../../providers/moonshot/manifest.json').toString('utf8'),
  create,
  formats: (name) => formats[name as keyof typeof formats](),
  calls: [
    { operation: 'chat', wire: { model: 'kimi-k2.6', messages: hello, stream: true } },
    { operation: 'chat', wire: { model: 'kimi-k2.6', messages: history } },
    {
      operation: 'chat',
      format: 'messages',
      wire: { model: 'kimi-k2.6', max_tokens: 10, messages: hello },
    },
    { operation: 'chat', format: 'responses', wire: { model: 'kimi-k3', input: 'Hello' } },
  ],
  inquiries: inquiriesOf('moonshot'),
  streams: [
    { name: 'thinking', operation: 'chat', bytes: read('../fixtures/moonshot/thinking.sse') },
  ],
  refusals: [
    refusal(400, 'content_filter', 'The request was rejected: high risk', 'client'),
    refusal(400, 'invalid_request_error', 'Input token length too long', 'client'),
    refusal(401, 'invalid_authentication_error', 'Invalid Authentication', 'channel'),
    refusal(404, 'resource_not_found_error', 'Not found the model', 'channel'),
    refusal(429, 'exceeded_current_quota_error', 'You exceeded your quota', 'channel'),
    refusal(429, 'rate_limit_reached_error', 'max RPM: 3', 'channel'),
    refusal(429, 'engine_overloaded_error', 'The engine is overloaded', 'upstream'),
  ],
})

function refusal(
  status: number,
  type: string,
  message: string,
  blame: 'client' | 'channel' | 'upstream',
) {
  return { operation: 'chat' as const, status, body: { error: { type, message } }, blame }
}
