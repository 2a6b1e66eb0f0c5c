/** The Xinference provider under the conformance kit. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import chat from '../../plugins/formats/chat/index.js'
import messages from '../../plugins/formats/messages/index.js'
import create from '../../providers/xinference/index.js'
import { conformingProvider } from '../conformance/provider.js'

const beside = (path: string) => readFileSync(new URL(path, import.meta.url))
const least = { model: 'qwen3', messages: [{ role: 'user', content: 'Hello' }] }
const ranking = { model: 'bge-reranker-v2-m3', query: 'A man is eating.', documents: ['a', 'b'] }
const audio = { field: 'file', filename: 'a.wav', mime: 'audio/wav', bytes: Buffer.from('RIFF') }
const form = { kind: 'form' as const, fields: { model: 'whisper' }, files: [audio] }

conformingProvider((title, run) => t.test(title, async () => run()), {
  manifest: beside('../../providers/xinference/manifest.json').toString(),
  create,
  formats: (name) => (name === 'messages' ? messages() : chat()),
  baseUrl: 'http://inference.example:9997',
  calls: [
    { operation: 'chat', wire: least },
    { operation: 'chat', wire: { ...least, stream: true } },
    { operation: 'chat', format: 'messages', wire: { ...least, max_tokens: 9, stream: true } },
    { operation: 'completions', wire: { model: 'qwen3', prompt: 'Once' } },
    { operation: 'embeddings', wire: { model: 'bge-m3', input: 'a' } },
    { operation: 'rerank', wire: { ...ranking, max_chunk_per_doc: 2, overlap_tokens: 1 } },
    { operation: 'images', wire: { model: 'sd3', prompt: 'A robot' } },
    { operation: 'speech', wire: { model: 'cosyvoice', input: 'Hi', voice: 'a' } },
    { operation: 'transcriptions', wire: form },
    { operation: 'translations', wire: form },
  ],
  streams: [],
  answers: [
    {
      name: 'rerank',
      operation: 'rerank',
      request: ranking,
      body: beside('../fixtures/xinference/rerank.json'),
      json: {
        id: '480dca92-8910-11ee-b76a-c2c8e4cad3f5',
        results: [
          { index: 0, relevance_score: 0.99, document: { text: 'A man is eating food.' } },
          { index: 2, relevance_score: 0.25, document: { text: 'A man rides.' } },
          { index: 1, relevance_score: 0.01 },
        ],
        meta: {
          api_version: null,
          billed_units: null,
          tokens: { input_tokens: 31, output_tokens: 31 },
          warnings: null,
        },
      },
    },
    { name: 'a page', operation: 'rerank', request: ranking, body: Buffer.from('<html>') },
  ],
  refusals: [
    refusal('[address=10.0.0.7:41, pid=9] Model not found in the model list, uid: x', 'channel'),
    refusal('Invalid input. Please specify the prompt.', 'client'),
  ],
})

function refusal(detail: string, blame: 'client' | 'channel') {
  return { operation: 'chat' as const, status: 400, body: { detail }, blame }
}
