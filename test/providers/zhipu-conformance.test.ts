/** The Zhipu provider under the conformance kit. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import chat from '../../plugins/formats/chat/index.js'
import messages from '../../plugins/formats/messages/index.js'
import create from '../../providers/zhipu/index.js'
import { conformingProvider } from '../conformance/provider.js'
import { callsOf } from './wires.js'

const read = (path: string) => readFileSync(new URL(path, import.meta.url))
const hello = [{ role: 'user', content: 'Hello' }]

conformingProvider((title, run) => t.test(title, async () => run()), {
  manifest: read('../../providers/zhipu/manifest.json').toString('utf8'),
  create,
  formats: (name) => (name === 'messages' ? messages() : chat()),
  calls: [
    { operation: 'chat', wire: { model: 'glm-4.6', messages: hello, stream: true } },
    {
      operation: 'chat',
      format: 'messages',
      wire: { model: 'glm-4.6', max_tokens: 10, messages: hello },
    },
    ...callsOf(['embeddings', 'images', 'rerank']),
  ],
  streams: [
    { name: 'sensitive', operation: 'chat', bytes: read('../fixtures/zhipu/sensitive.sse') },
  ],
  refusals: [
    refusal(400, '1301', 'client'),
    refusal(400, '1214', 'client'),
    refusal(400, '1261', 'client'),
    refusal(400, '1211', 'channel'),
    refusal(401, '1000', 'channel'),
    refusal(429, '1113', 'channel'),
    refusal(429, '1302', 'channel'),
    refusal(429, '1305', 'upstream'),
    refusal(429, '1309', 'channel'),
    refusal(429, '1312', 'upstream'),
    refusal(500, '1200', 'upstream'),
    refusal(500, '1234', 'upstream'),
  ],
})

function refusal(status: number, code: string, blame: 'client' | 'channel' | 'upstream') {
  const error = { code, message: `说明 ${code}` }
  return { operation: 'chat' as const, status, body: { error }, blame }
}
