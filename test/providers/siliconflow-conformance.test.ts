/** The SiliconFlow provider under the conformance kit. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import chat from '../../plugins/formats/chat/index.js'
import messages from '../../plugins/formats/messages/index.js'
import create from '../../providers/siliconflow/index.js'
import { conformingProvider } from '../conformance/provider.js'
import { exchangesIn } from '../conformance/vendor-exchanges.js'
import { inquiriesOf } from './upstream-query-cases.js'
import { callsOf } from './wires.js'

const read = (path: string) => readFileSync(new URL(path, import.meta.url))
const fixture = (name: string) => read(`../fixtures/siliconflow/${name}`)
const hello = [{ role: 'user', content: 'Hello' }]
const images = { model: 'Kwai-Kolors/Kolors', prompt: 'A house', n: 2, size: '1024x1024' }

conformingProvider((title, run) => t.test(title, async () => run()), {
  manifest: read('../../providers/siliconflow/manifest.json').toString('utf8'),
  create,
  formats: (name) => (name === 'messages' ? messages() : chat()),
  calls: [
    { operation: 'chat', wire: { model: 'Qwen/Qwen3-8B', messages: hello, stream: true } },
    {
      operation: 'chat',
      format: 'messages',
      wire: { model: 'zai-org/GLM-4.6', max_tokens: 10, messages: hello },
    },
    { operation: 'images', wire: images },
    ...callsOf(['embeddings', 'rerank', 'speech', 'transcriptions']),
  ],
  inquiries: inquiriesOf('siliconflow'),
  streams: [{ name: 'text', operation: 'chat', bytes: fixture('text.sse') }],
  answers: [
    {
      name: 'images',
      operation: 'images',
      request: images,
      body: fixture('images.json'),
      json: {
        created: 1763600000,
        data: [
          { url: 'https://bizyair-prod.oss.example/a.png' },
          { url: 'https://bizyair-prod.oss.example/b.png' },
        ],
      },
    },
    {
      name: 'pictures under the usual name too',
      operation: 'images',
      request: images,
      headers: { date: 'Sat, 21 Nov 2026 00:00:00 GMT' },
      body: { data: [{ url: 'https://a.example/1.png' }] },
      json: { created: 1795219200, data: [{ url: 'https://a.example/1.png' }] },
    },
    { name: 'nothing', operation: 'images', request: images, body: { images: [] } },
    { name: 'an error', operation: 'images', request: images, body: fixture('no-model.json') },
  ],
  exchanges: exchangesIn(new URL('../fixtures/siliconflow/', import.meta.url)),
  refusals: [
    refusal(400, 20012, 'Model does not exist. Please check it carefully.', 'channel'),
    refusal(400, 20015, 'length of prompt_tokens must be less than max_seq_len', 'client'),
    refusal(403, 30001, 'Sorry, your account balance is insufficient', 'channel'),
    refusal(403, 30003, 'Model disabled.', 'channel'),
    refusal(429, 50604, 'Request was rejected due to rate limiting. TPM', 'channel'),
    refusal(503, 50505, 'Model service overloaded. Please try again later.', 'upstream'),
  ],
})

function refusal(
  status: number,
  code: number,
  message: string,
  blame: 'client' | 'channel' | 'upstream',
) {
  return { operation: 'chat' as const, status, body: { code, message, data: null }, blame }
}
