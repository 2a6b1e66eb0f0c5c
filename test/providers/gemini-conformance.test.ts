/** The Gemini provider under the conformance kit: chat in its own format, the other operations in a form of its own. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import type { JsonObject } from '../../kernel/contract/json.js'
import type { OperationName } from '../../kernel/contract/names.js'
import generative from '../../plugins/formats/generative/index.js'
import create from '../../providers/gemini/index.js'
import { conformingProvider } from '../conformance/provider.js'
import { stream } from '../plugins/formats/generative/recorded.js'
import { inquiriesOf } from './upstream-query-cases.js'

const recorded = (name: string): JsonObject =>
  JSON.parse(
    readFileSync(new URL(`../fixtures/gemini/${name}.json`, import.meta.url)).toString('utf8'),
  )

const least: JsonObject = { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] }
const texts: JsonObject = { model: 'gemini-embedding-001', input: ['one', 'two'], dimensions: 2 }
const one: JsonObject = { model: 'gemini-embedding-001', input: 'one' }
const imagen: JsonObject = { model: 'imagen-4.0-generate-001', prompt: 'A house', n: 2 }
const drawn: JsonObject = { model: 'gemini-3-pro-image', prompt: 'A house', size: '1536x1024' }
const spoken: JsonObject = { model: 'gemini-2.5-flash-preview-tts', input: 'Hi', voice: 'kore' }
const edited = {
  kind: 'form',
  fields: { model: 'gemini-3-pro-image', prompt: 'Red', n: '1' },
  files: [
    { field: 'image', filename: 'a.png', mime: 'image/png', bytes: Buffer.from('image') },
    { field: 'image[]', filename: 'b.webp', mime: 'image/webp', bytes: Buffer.from('other') },
  ],
} as const

const recording = {
  kind: 'form',
  fields: { model: 'gemini-3-flash', language: 'en' },
  files: [{ field: 'file', filename: 'a.wav', mime: 'audio/wav', bytes: Buffer.from('RIFF') }],
} as const

const usage = {
  input_tokens: 12,
  input_tokens_details: { text_tokens: 12, image_tokens: 0 },
  output_tokens: 1324,
  output_tokens_details: { text_tokens: 34, image_tokens: 1290 },
  total_tokens: 1336,
}

conformingProvider((title, run) => t.test(title, async () => run()), {
  manifest: readFileSync(new URL('../../providers/gemini/manifest.json', import.meta.url), 'utf8'),
  create,
  formats: () => generative(),
  calls: [
    { operation: 'chat', wire: least, model: 'gemini-3-flash' },
    { operation: 'chat', wire: { ...least, stream: true }, model: 'models/gemini-2.5-pro' },
    { operation: 'chat', wire: least, model: 'gemini-2.5-flash-thinking-2048' },
    { operation: 'embeddings', wire: texts },
    { operation: 'embeddings', wire: one },
    { operation: 'images', wire: imagen },
    { operation: 'images', wire: drawn },
    { operation: 'edits', wire: edited, model: 'gemini-3-pro-image' },
    { operation: 'speech', wire: spoken },
    { operation: 'realtime', wire: { kind: 'none' }, model: 'gemini-3.1-flash-live-preview' },
    { operation: 'count', format: 'generative', wire: least, model: 'gemini-3-flash' },
    { operation: 'transcriptions', wire: recording, model: 'gemini-3-flash' },
  ],
  inquiries: inquiriesOf('gemini'),
  streams: ['text', 'thinking', 'tools', 'search', 'image'].map((name) => ({
    name,
    operation: 'chat',
    bytes: stream(name),
  })),
  answers: [
    {
      name: 'one vector',
      operation: 'embeddings',
      request: one,
      body: recorded('embedding'),
      json: {
        object: 'list',
        data: [{ object: 'embedding', index: 0, embedding: [0.5, -0.25, 1] }],
        model: 'gemini-embedding-001',
      },
    },
    {
      name: 'vectors in base64',
      operation: 'embeddings',
      request: { ...texts, encoding_format: 'base64' },
      body: recorded('embeddings'),
      json: {
        object: 'list',
        data: [
          { object: 'embedding', index: 0, embedding: 'AAAAPwAAgL4=' },
          { object: 'embedding', index: 1, embedding: 'AAAAAAAAgD8=' },
        ],
        model: 'gemini-embedding-001',
        usage: { prompt_tokens: 7, total_tokens: 7 },
      },
    },
    { name: 'no vector', operation: 'embeddings', request: one, body: { embedding: {} } },
    {
      name: 'predicted images',
      operation: 'images',
      request: imagen,
      body: recorded('predictions'),
      headers: { date: 'Sat, 21 Nov 2026 20:00:00 GMT' },
      json: {
        created: 1_795_291_200,
        data: [
          { b64_json: 'iVBORw0KGgo=', revised_prompt: 'A small red house' },
          { b64_json: 'iVBORw0KGgp=' },
        ],
      },
    },
    {
      name: 'a drawn image',
      operation: 'images',
      request: drawn,
      body: recorded('image'),
      json: { data: [{ b64_json: 'iVBORw0KGgo=' }], usage },
    },
    {
      name: 'an image by address',
      operation: 'images',
      request: { ...drawn, response_format: 'url' },
      body: recorded('image'),
      json: { data: [{ url: 'data:image/png;base64,iVBORw0KGgo=' }], usage },
    },
    {
      name: 'images held back',
      operation: 'images',
      request: imagen,
      body: recorded('predictions-filtered'),
    },
    {
      name: 'an image not drawn',
      operation: 'images',
      request: drawn,
      body: recorded('image-safety'),
    },
    {
      name: 'a changed image',
      operation: 'edits',
      request: edited,
      body: recorded('image'),
      json: { data: [{ b64_json: 'iVBORw0KGgo=' }], usage },
    },
    {
      name: 'a blocked prompt',
      operation: 'edits',
      request: edited,
      body: recorded('blocked'),
    },
    {
      name: 'speech',
      operation: 'speech',
      request: spoken,
      body: recorded('speech'),
      type: 'audio/wav',
    },
    {
      name: 'bare samples',
      operation: 'speech',
      request: { ...spoken, response_format: 'pcm' },
      body: recorded('speech'),
      type: 'audio/pcm',
    },
    {
      name: 'a transcript',
      operation: 'transcriptions',
      request: recording,
      body: recorded('transcript'),
      json: {
        text: 'How old is the Brooklyn Bridge?',
        usage: {
          type: 'tokens',
          input_tokens: 101,
          input_token_details: { text_tokens: 41, audio_tokens: 60 },
          output_tokens: 29,
          total_tokens: 130,
        },
      },
    },
    {
      name: 'a transcript as text',
      operation: 'transcriptions',
      request: { ...recording, fields: { ...recording.fields, response_format: 'text' } },
      body: recorded('transcript'),
      type: 'text/plain; charset=utf-8',
    },
    {
      name: 'a recording that is not written down',
      operation: 'transcriptions',
      request: recording,
      body: recorded('blocked'),
    },
    { name: 'garbage', operation: 'speech', request: spoken, body: Buffer.from('<html>') },
  ],
  refusals: (['chat', 'embeddings', 'images', 'speech', 'transcriptions'] as const).flatMap(
    refusals,
  ),
})

function refusals(operation: OperationName) {
  const word = (status: string) => ({ error: { code: 0, message: 'No.', status } })
  return [
    { operation, status: 400, body: recorded('bad-key'), blame: 'channel' as const },
    { operation, status: 400, body: recorded('bad-field'), blame: 'client' as const },
    { operation, status: 400, body: word('FAILED_PRECONDITION'), blame: 'channel' as const },
    { operation, status: 403, body: word('PERMISSION_DENIED'), blame: 'channel' as const },
    { operation, status: 429, body: recorded('exhausted'), blame: 'channel' as const },
    { operation, status: 503, body: word('UNAVAILABLE'), blame: 'upstream' as const },
  ]
}
