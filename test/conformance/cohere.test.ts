/** The Cohere provider under the conformance kit. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import chat from '../../plugins/formats/chat/index.js'
import create from '../../providers/cohere/index.js'
import { recorded } from '../providers/cohere-recorded.js'
import { inquiriesOf } from './inquiry-cases.js'
import { conformingProvider } from './provider.js'

const least = { model: 'command-a-03-2025', messages: [{ role: 'user', content: 'Hello' }] }
const texts = { model: 'embed-v4.0', input: ['hello', 'goodbye'] }
const ranking = { model: 'rerank-v4.0', query: 'capital', documents: ['a', { text: 'b' }, 'c'] }
const usage = { prompt_tokens: 4, total_tokens: 4 }
const meta = {
  api_version: { version: '2', is_experimental: false },
  billed_units: { search_units: 1 },
}
const id = '07734bd2-2473-4f07-94e1-0d9f0e6843cf'

conformingProvider((title, run) => t.test(title, async () => run()), {
  manifest: readFileSync(new URL('../../providers/cohere/manifest.json', import.meta.url), 'utf8'),
  create,
  formats: () => chat(),
  calls: [
    { operation: 'chat', wire: least },
    { operation: 'chat', wire: { ...least, stream: true } },
    { operation: 'embeddings', wire: texts },
    {
      operation: 'embeddings',
      wire: { ...texts, input: [{ image: 'data:image/png;base64,AA==' }] },
    },
    { operation: 'rerank', wire: ranking },
  ],
  inquiries: inquiriesOf('cohere'),
  streams: ['text', 'tools', 'citations'].map((name) => ({
    name,
    operation: 'chat',
    bytes: recorded(`${name}.sse`),
  })),
  answers: [
    {
      name: 'embeddings',
      operation: 'embeddings',
      asked: texts,
      body: recorded('embed.json'),
      json: {
        object: 'list',
        data: [
          { object: 'embedding', index: 0, embedding: [0.5, -0.25] },
          { object: 'embedding', index: 1, embedding: [1, 0.125] },
        ],
        model: 'embed-v4.0',
        usage,
      },
    },
    {
      name: 'packed embeddings',
      operation: 'embeddings',
      asked: { ...texts, encoding_format: 'base64' },
      body: recorded('embed.json'),
      json: {
        object: 'list',
        data: [
          { object: 'embedding', index: 0, embedding: 'AAAAPwAAgL4=' },
          { object: 'embedding', index: 1, embedding: 'AACAPwAAAD4=' },
        ],
        model: 'embed-v4.0',
        usage,
      },
    },
    {
      name: 'rerank',
      operation: 'rerank',
      asked: ranking,
      body: recorded('rerank.json'),
      json: {
        id,
        results: [
          { index: 2, relevance_score: 0.99 },
          { index: 0, relevance_score: 0.78 },
        ],
        meta,
        model: 'rerank-v4.0',
      },
    },
    {
      name: 'rerank with documents',
      operation: 'rerank',
      asked: { ...ranking, return_documents: true },
      body: recorded('rerank.json'),
      json: {
        id,
        results: [
          { index: 2, relevance_score: 0.99, document: { text: 'c' } },
          { index: 0, relevance_score: 0.78, document: { text: 'a' } },
        ],
        meta,
        model: 'rerank-v4.0',
      },
    },
    { name: 'no vectors', operation: 'embeddings', asked: texts, body: { embeddings: {} } },
    { name: 'no ranking', operation: 'rerank', asked: ranking, body: Buffer.from('<html>') },
  ],
  refusals: [
    refusal(400, 'invalid request: list of documents must not be empty', 'client'),
    refusal(401, 'invalid api token', 'channel'),
    refusal(402, 'Please add or update your payment method', 'channel'),
    refusal(404, "model 'command-x' not found", 'channel'),
    refusal(422, 'messages must be at least 1', 'client'),
    refusal(
      429,
      'You are using a Trial key, which is limited to 40 API calls / minute.',
      'channel',
    ),
    refusal(498, 'blocked output: found a blocked term', 'client'),
    refusal(503, 'service unavailable', 'upstream'),
  ],
})

function refusal(status: number, message: string, blame: 'client' | 'channel' | 'upstream') {
  return { operation: 'chat' as const, status, body: { id: 'x', message }, blame }
}
