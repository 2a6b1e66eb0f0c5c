/** The DashScope provider under the conformance kit. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import type { JsonObject } from '../../kernel/contract/json.js'
import type { OperationName } from '../../kernel/contract/names.js'
import chat from '../../plugins/formats/chat/index.js'
import messages from '../../plugins/formats/messages/index.js'
import responses from '../../plugins/formats/responses/index.js'
import create from '../../providers/dashscope/index.js'
import { conformingProvider } from '../conformance/provider.js'
import { callsOf, wires } from './wires.js'

const read = (path: string) => readFileSync(new URL(path, import.meta.url))
const fixture = (name: string) => read(`../fixtures/dashscope/${name}`)
const json = (name: string): JsonObject => JSON.parse(fixture(name).toString('utf8'))
const formats = { chat, messages, responses }
const hello = [{ role: 'user', content: 'Hello' }]
const picture = { model: 'qwen-image-2.0', prompt: 'A house', n: 2, size: '1024x1024' }
const spoken = { model: 'qwen3-tts-flash', input: 'Hello', voice: 'alloy' }
const rerank = { model: 'qwen3-rerank', query: 'one', documents: ['a', 'b'] }

conformingProvider((title, run) => t.test(title, async () => run()), {
  manifest: read('../../providers/dashscope/manifest.json').toString('utf8'),
  create,
  formats: (name) => formats[name as keyof typeof formats](),
  calls: [
    { operation: 'chat', wire: { model: 'qwen-plus', messages: hello, stream: true } },
    { operation: 'chat', wire: { model: 'qwen3-8b', messages: hello } },
    {
      operation: 'chat',
      format: 'messages',
      wire: { model: 'qwen-plus', max_tokens: 10, messages: hello },
    },
    { operation: 'chat', format: 'responses', wire: { model: 'qwen-plus', input: 'Hello' } },
    { operation: 'rerank', wire: rerank },
    { operation: 'images', wire: picture },
    { operation: 'edits', wire: wires.edits, model: 'qwen-image-edit' },
    { operation: 'speech', wire: spoken },
    { operation: 'transcriptions', wire: wires.transcriptions, model: 'qwen3-asr-flash' },
    ...callsOf(['embeddings']),
  ],
  streams: [{ name: 'thinking', operation: 'chat', bytes: fixture('thinking.sse') }],
  answers: [
    {
      name: 'rerank',
      operation: 'rerank',
      request: rerank,
      body: fixture('rerank.json'),
      json: {
        id: '4b0805c0-6b36',
        model: 'qwen3-rerank',
        results: [
          { document: { text: 'b' }, index: 1, relevance_score: 0.98 },
          { document: { text: 'a' }, index: 0, relevance_score: 0.02 },
        ],
        usage: { total_tokens: 79 },
      },
    },
    {
      name: 'an error',
      operation: 'rerank',
      request: rerank,
      body: { code: 'Arrearage', message: 'x' },
    },
    {
      name: 'a picture',
      operation: 'images',
      request: picture,
      headers: { date: 'Sat, 21 Nov 2026 00:00:00 GMT' },
      body: fixture('image.json'),
      json: { created: 1795219200, data: [{ url: 'https://result.example/1.png' }] },
    },
    { name: 'no picture', operation: 'images', request: picture, body: { output: {} } },
    {
      name: 'what was inspected',
      operation: 'images',
      request: picture,
      body: { code: 'DataInspectionFailed', message: 'x' },
    },
    { name: 'no sound', operation: 'speech', request: spoken, body: { output: {} } },
    {
      name: 'an empty account',
      operation: 'speech',
      request: spoken,
      body: { code: 'Arrearage', message: 'x' },
    },
    {
      name: 'a transcript',
      operation: 'transcriptions',
      request: wires.transcriptions,
      body: fixture('transcript.json'),
      json: { text: 'Hello there.', usage: { type: 'duration', seconds: 3 } },
    },
    {
      name: 'no transcript',
      operation: 'transcriptions',
      request: wires.transcriptions,
      body: { output: {} },
    },
    { name: 'a page', operation: 'rerank', request: rerank, body: Buffer.from('<html>') },
  ],
  refusals: [
    refusal('chat', 400, json('arrears.json'), 'channel'),
    refusal('rerank', 400, own('Arrearage'), 'channel'),
    refusal('chat', 400, nested('data_inspection_failed'), 'client'),
    refusal('rerank', 400, own('DataInspectionFailed'), 'client'),
    refusal('chat', 400, nested('invalid_parameter_error'), 'client'),
    refusal('chat', 401, nested('invalid_api_key'), 'channel'),
    refusal('chat', 403, nested('AllocationQuota.FreeTierOnly'), 'channel'),
    refusal('chat', 404, nested('model_not_found'), 'channel'),
    refusal('rerank', 429, own('Throttling.RateQuota'), 'channel'),
    refusal('rerank', 503, own('ModelServingError'), 'upstream'),
  ],
})

function nested(code: string): JsonObject {
  return { error: { code, message: `It is ${code}.`, type: code, param: null } }
}

function own(code: string): JsonObject {
  return { code, message: `It is ${code}.`, request_id: '4b08' }
}

function refusal(
  operation: OperationName,
  status: number,
  body: JsonObject,
  blame: 'client' | 'channel' | 'upstream',
) {
  return { operation, status, body, blame }
}
