/** The Vertex provider under the conformance kit. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import type { JsonObject } from '../../kernel/contract/json.js'
import chat from '../../plugins/formats/chat/index.js'
import generative from '../../plugins/formats/generative/index.js'
import messages from '../../plugins/formats/messages/index.js'
import create from '../../providers/vertex/index.js'
import { conformingProvider } from '../conformance/provider.js'
import { inquiriesOf } from './upstream-query-cases.js'
import { key } from './vertex-account.js'

const recorded = (path: string) => readFileSync(new URL(`../fixtures/${path}`, import.meta.url))

const fixture = (name: string): JsonObject => JSON.parse(recorded(`vertex/${name}.json`).toString())

const spoken = { model: 'gemini-2.5-flash-tts', input: 'Hi', voice: 'alloy' }
const edited = {
  kind: 'form',
  fields: { model: 'gemini-2.5-flash-image', prompt: 'Red', n: '1', output_format: 'jpeg' },
  files: [{ field: 'image', filename: 'a.png', mime: 'image/png', bytes: Buffer.from('image') }],
} as const
const recording = {
  kind: 'form',
  fields: { model: 'gemini-2.5-flash', language: 'en' },
  files: [{ field: 'file', filename: 'a.wav', mime: 'audio/wav', bytes: Buffer.from('RIFF') }],
} as const

const formats = { chat: chat(), generative: generative(), messages: messages() }

const contents = [{ parts: [{ text: 'Hello' }] }]
const turns = [{ role: 'user', content: 'Hello' }]
const claude = { model: 'claude-sonnet-4-5@20250929', max_tokens: 64, messages: turns }

conformingProvider((title, run) => t.test(title, async () => run()), {
  manifest: readFileSync(new URL('../../providers/vertex/manifest.json', import.meta.url), 'utf8'),
  create,
  formats: (name) => formats[name as keyof typeof formats],
  credentials: { key, token: 'ya29.conformance-token-Zq81mVb07RtYxw5NcE3k' },
  calls: [
    { operation: 'chat', format: 'generative', wire: { contents }, model: 'gemini-2.5-pro' },
    { operation: 'chat', format: 'messages', wire: claude },
    { operation: 'chat', format: 'messages', wire: { ...claude, stream: true } },
    {
      operation: 'chat',
      format: 'chat',
      wire: { model: 'meta/llama-4-maverick-17b-128e-instruct-maas', messages: turns },
    },
    { operation: 'embeddings', wire: { model: 'text-embedding-005', input: ['a', 'b'] } },
    { operation: 'images', wire: { model: 'imagen-4.0-generate-001', prompt: 'A cat', n: 2 } },
    { operation: 'edits', wire: edited, model: 'gemini-2.5-flash-image' },
    { operation: 'speech', wire: spoken },
    { operation: 'transcriptions', wire: recording, model: 'gemini-2.5-flash' },
    { operation: 'count', format: 'messages', wire: claude },
    { operation: 'count', format: 'generative', wire: { contents }, model: 'gemini-2.5-pro' },
  ],
  inquiries: inquiriesOf('vertex'),
  streams: [
    ...['text', 'tools', 'thinking'].map((name) => ({
      name: `gemini ${name}`,
      operation: 'chat' as const,
      format: 'generative' as const,
      bytes: recorded(`generative/${name}.sse`),
    })),
    ...['text', 'tools', 'thinking'].map((name) => ({
      name: `claude ${name}`,
      operation: 'chat' as const,
      format: 'messages' as const,
      bytes: recorded(`messages/${name}.sse`),
    })),
    {
      name: 'open model',
      operation: 'chat',
      format: 'chat',
      bytes: recorded('chat/openai-text.sse'),
    },
  ],
  answers: [
    {
      name: 'embeddings',
      operation: 'embeddings',
      request: { model: 'text-embedding-005', input: ['a', 'b'] },
      body: fixture('embeddings'),
      json: {
        object: 'list',
        data: [
          { object: 'embedding', index: 0, embedding: [0.5, -0.25, 1] },
          { object: 'embedding', index: 1, embedding: [0, 0.125, -1] },
        ],
        model: 'text-embedding-005',
        usage: { prompt_tokens: 11, total_tokens: 11 },
      },
    },
    {
      name: 'imagen',
      operation: 'images',
      request: { model: 'imagen-4.0-generate-001', prompt: 'A cat' },
      headers: { date: 'Sat, 21 Nov 2026 20:00:00 GMT' },
      body: fixture('imagen'),
      json: {
        created: 1_795_291_200,
        data: [{ b64_json: 'iVBORw0KGgo=', revised_prompt: 'A rewritten prompt' }],
      },
    },
    {
      name: 'imagen, all withheld',
      operation: 'images',
      request: { model: 'imagen-4.0-generate-001', prompt: 'A cat' },
      body: fixture('imagen-filtered'),
    },
    {
      name: 'a changed image',
      operation: 'edits',
      request: edited,
      body: recorded('gemini/image.json'),
      json: {
        data: [{ b64_json: 'iVBORw0KGgo=' }],
        usage: {
          input_tokens: 12,
          input_tokens_details: { text_tokens: 12, image_tokens: 0 },
          output_tokens: 1324,
          output_tokens_details: { text_tokens: 34, image_tokens: 1290 },
          total_tokens: 1336,
        },
      },
    },
    {
      name: 'an image not drawn',
      operation: 'edits',
      request: edited,
      body: recorded('gemini/image-safety.json'),
    },
    {
      name: 'speech',
      operation: 'speech',
      request: spoken,
      body: recorded('gemini/speech.json'),
      type: 'audio/wav',
    },
    {
      name: 'speech, blocked',
      operation: 'speech',
      request: spoken,
      body: recorded('gemini/blocked.json'),
    },
    {
      name: 'a transcript',
      operation: 'transcriptions',
      request: recording,
      body: recorded('gemini/transcript.json'),
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
      name: 'no embeddings',
      operation: 'embeddings',
      request: { model: 'text-embedding-005', input: 'a' },
      body: Buffer.from('<html>'),
    },
  ],
  refusals: [
    refusal(400, 'INVALID_ARGUMENT', 'Request contains an invalid argument.', 'client'),
    refusal(
      400,
      'FAILED_PRECONDITION',
      'Project 7 is not allowed to use Publisher Model',
      'channel',
    ),
    refusal(403, 'PERMISSION_DENIED', 'Permission denied on resource', 'channel'),
    refusal(404, 'NOT_FOUND', 'Publisher Model was not found', 'channel'),
    refusal(429, 'RESOURCE_EXHAUSTED', 'Resource exhausted', 'channel'),
    refusal(503, 'UNAVAILABLE', 'The service is currently unavailable.', 'upstream'),
  ],
})

function refusal(
  status: number,
  word: string,
  message: string,
  blame: 'client' | 'channel' | 'upstream',
) {
  const body = { error: { code: status, message, status: word } }
  return { operation: 'chat' as const, status, body, blame }
}
