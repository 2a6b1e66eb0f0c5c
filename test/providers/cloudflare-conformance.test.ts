/** The Cloudflare provider under the conformance kit. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import type { Body } from '../../kernel/contract/body.js'
import type { JsonObject } from '../../kernel/contract/json.js'
import chat from '../../plugins/formats/chat/index.js'
import create from '../../providers/cloudflare/index.js'
import { conformingProvider } from '../conformance/provider.js'
import { inquiriesOf } from './upstream-query-cases.js'
import { wires } from './wires.js'

const beside = (path: string) => readFileSync(new URL(path, import.meta.url))
const model = '@cf/meta/llama-3.3-70b-instruct-fp8-fast'
const picture = {
  model: '@cf/black-forest-labs/flux-1-schnell',
  prompt: 'A house',
  size: '1024x1024',
}
const whisper = '@cf/openai/whisper-large-v3-turbo'
const ranking = {
  model: '@cf/baai/bge-reranker-base',
  query: 'Which is a cat?',
  documents: ['A lizard', { text: 'A cat' }],
  top_n: 2,
}
const transcript = beside('../fixtures/cloudflare/transcript.json')
const least = { model, messages: [{ role: 'user', content: 'Hello' }] }

conformingProvider((title, run) => t.test(title, async () => run()), {
  manifest: beside('../../providers/cloudflare/manifest.json').toString(),
  create,
  formats: () => chat(),
  settings: { account: '023e105f4ecef8ad9ca31a8372d0c353' },
  calls: [
    { operation: 'chat', wire: least },
    { operation: 'chat', wire: { ...least, stream: true } },
    { operation: 'embeddings', wire: { model: '@cf/baai/bge-m3', input: ['a', 'b'] } },
    { operation: 'images', wire: picture },
    { operation: 'images', wire: { ...picture, model: '@cf/black-forest-labs/flux-2-dev' } },
    { operation: 'rerank', wire: ranking },
    { operation: 'transcriptions', wire: wires.transcriptions, model: whisper },
    { operation: 'translations', wire: wires.translations, model: whisper },
  ],
  answers: [
    {
      name: 'a picture in JSON',
      operation: 'images',
      request: picture,
      body: { success: true, result: { image: '/9j/' }, errors: [] },
      json: { data: [{ b64_json: '/9j/' }] },
    },
    {
      name: 'a picture as it is',
      operation: 'images',
      request: { ...picture, response_format: 'url' },
      headers: { 'content-type': 'image/png' },
      body: Buffer.from([0xff, 0xd8, 0xff]),
      json: { data: [{ url: 'data:image/jpeg;base64,/9j/' }] },
    },
    { name: 'no picture', operation: 'images', request: picture, body: { result: {} } },
    {
      name: 'a ranking',
      operation: 'rerank',
      request: ranking,
      body: beside('../fixtures/cloudflare/rerank.json'),
      json: {
        model: ranking.model,
        results: [
          { index: 1, relevance_score: 0.97 },
          { index: 0, relevance_score: 0.02 },
        ],
        usage: { prompt_tokens: 40, completion_tokens: 0, total_tokens: 40 },
      },
    },
    {
      name: 'a ranking with its texts, not counted',
      operation: 'rerank',
      request: { ...ranking, return_documents: true },
      body: { success: true, result: { response: [{ id: 1, score: 0.97 }] } },
      json: {
        model: ranking.model,
        results: [{ index: 1, relevance_score: 0.97, document: { text: 'A cat' } }],
      },
    },
    { name: 'no ranking', operation: 'rerank', request: ranking, body: { result: {} } },
    {
      name: 'a transcript',
      operation: 'transcriptions',
      request: wires.transcriptions,
      body: transcript,
      json: { text: ' Hello there.', usage: { type: 'duration', seconds: 12.5 } },
    },
    {
      name: 'a transcript as text',
      operation: 'transcriptions',
      request: recorded({ response_format: 'text' }),
      body: transcript,
      type: 'text/plain; charset=utf-8',
    },
    {
      name: 'a transcript as captions',
      operation: 'transcriptions',
      request: recorded({ response_format: 'vtt' }),
      body: transcript,
      type: 'text/vtt; charset=utf-8',
    },
    {
      name: 'a translation with its words',
      operation: 'translations',
      request: recorded({
        response_format: 'verbose_json',
        'timestamp_granularities[]': ['word'],
      }),
      body: transcript,
      json: {
        task: 'translate',
        language: 'en',
        duration: 12.5,
        text: ' Hello there.',
        words: [
          { word: ' Hello', start: 0, end: 0.7 },
          { word: ' there.', start: 0.7, end: 1.5 },
        ],
      },
    },
    {
      name: 'an error in a 200',
      operation: 'transcriptions',
      request: wires.transcriptions,
      body: { success: false, errors: [{ code: 3046, message: 'Request timeout' }], result: null },
    },
  ],
  inquiries: inquiriesOf('cloudflare'),
  streams: [{ name: 'text', operation: 'chat', bytes: beside('../fixtures/cloudflare/text.sse') }],
  refusals: [
    refusal(400, 5007, 'No such model @cf/x or task', 'channel'),
    refusal(
      400,
      7003,
      'Could not route to /accounts/x/ai, perhaps your identifier is invalid?',
      'channel',
    ),
    refusal(400, 6003, 'Invalid request headers', 'channel'),
    refusal(400, 5006, 'AiError: Bad input: messages is required', 'client'),
    refusal(401, 10000, 'Authentication error', 'channel'),
    refusal(403, 5016, 'User has not agreed to the model terms', 'channel'),
    refusal(413, 3006, 'Request is too large', 'client'),
    refusal(429, 3036, 'You have used up your daily free allocation', 'channel'),
  ],
})

function refusal(status: number, code: number, message: string, blame: 'client' | 'channel') {
  const body = { success: false, errors: [{ code, message }], messages: [], result: null }
  return { operation: 'chat' as const, status, body, blame }
}

function recorded(fields: JsonObject): Body {
  const form = wires.transcriptions as Extract<Body, { kind: 'form' }>
  return { ...form, fields: { ...form.fields, ...fields } }
}
