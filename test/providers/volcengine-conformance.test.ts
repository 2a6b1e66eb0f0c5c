/** The VolcEngine provider under the conformance kit. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import chat from '../../plugins/formats/chat/index.js'
import messages from '../../plugins/formats/messages/index.js'
import responses from '../../plugins/formats/responses/index.js'
import create from '../../providers/volcengine/index.js'
import { conformingProvider } from '../conformance/provider.js'
import { inquiriesOf } from './upstream-query-cases.js'
import { callsOf } from './wires.js'

const read = (path: string) => readFileSync(new URL(path, import.meta.url))
const fixture = (name: string) => read(`../fixtures/volcengine/${name}`)
const formats = { chat, messages, responses }
const hello = [{ role: 'user', content: 'Hello' }]

conformingProvider((title, run) => t.test(title, async () => run()), {
  manifest: read('../../providers/volcengine/manifest.json').toString('utf8'),
  create,
  formats: (name) => formats[name as keyof typeof formats](),
  calls: [
    { operation: 'chat', wire: { model: 'doubao-seed-2-0-lite', messages: hello, stream: true } },
    { operation: 'chat', wire: { model: 'bot-2026-x', messages: hello } },
    {
      operation: 'chat',
      format: 'messages',
      wire: { model: 'ark-code-latest', max_tokens: 10, messages: hello },
    },
    { operation: 'chat', format: 'responses', wire: { model: 'doubao-seed-2-0', input: 'Hello' } },
    {
      operation: 'embeddings',
      format: 'own',
      wire: { model: 'doubao-embedding-vision', input: ['one'] },
    },
    {
      operation: 'chat',
      format: 'messages',
      wire: { model: 'doubao-seed-2-0-lite', max_tokens: 10, messages: hello },
    },
    {
      operation: 'edits',
      wire: { model: 'doubao-seedream-4-5', prompt: 'Red', image: 'data:image/png;base64,AA==' },
    },
    ...callsOf(['embeddings', 'images']),
  ],
  inquiries: inquiriesOf('volcengine'),
  streams: [{ name: 'thinking', operation: 'chat', bytes: fixture('thinking.sse') }],
  refusals: [
    refusal(400, 'SensitiveContentDetected', 'client'),
    refusal(400, 'InputTextRiskDetection', 'client'),
    refusal(400, 'InvalidParameter', 'client'),
    refusal(400, 'InvalidEndpoint.ClosedEndpoint', 'channel'),
    refusal(401, 'AuthenticationError', 'channel'),
    refusal(403, 'AccountOverdueError', 'channel'),
    refusal(404, 'ModelNotOpen', 'channel'),
    refusal(429, 'QuotaExceeded', 'channel'),
    refusal(429, 'ServerOverloaded', 'upstream'),
    refusal(500, 'InternalServiceError', 'upstream'),
  ],
})

function refusal(status: number, code: string, blame: 'client' | 'channel' | 'upstream') {
  const error = { code, message: `It is ${code}. Request id: 0217`, param: '', type: 'BadRequest' }
  return { operation: 'chat' as const, status, body: { error }, blame }
}
