/** The MiniMax provider under the conformance kit: three chat formats, and speech in its own form. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import type { OperationName } from '../../kernel/contract/names.js'
import chat from '../../plugins/formats/chat/index.js'
import messages from '../../plugins/formats/messages/index.js'
import responses from '../../plugins/formats/responses/index.js'
import create from '../../providers/minimax/index.js'
import { conformingProvider } from '../conformance/provider.js'

const read = (path: string) => readFileSync(new URL(path, import.meta.url))
const fixture = (name: string) => read(`../fixtures/minimax/${name}`)
const formats = { chat, messages, responses }
const hello = [{ role: 'user', content: 'Hello' }]
const images = { model: 'image-01', prompt: 'A house', n: 2, size: '1024x768' }
const speech = { model: 'speech-2.8-hd', input: 'Hello', voice: 'male-qn-qingse' }

conformingProvider((title, run) => t.test(title, async () => run()), {
  manifest: read('../../providers/minimax/manifest.json').toString('utf8'),
  create,
  formats: (name) => formats[name as keyof typeof formats](),
  settings: { group_id: '17' },
  calls: [
    { operation: 'chat', wire: { model: 'MiniMax-M2.7', messages: hello, stream: true } },
    {
      operation: 'chat',
      format: 'messages',
      wire: { model: 'MiniMax-M2.7', max_tokens: 10, messages: hello },
    },
    { operation: 'chat', format: 'responses', wire: { model: 'MiniMax-M3', input: 'Hello' } },
    { operation: 'speech', wire: speech },
    { operation: 'images', wire: images },
  ],
  streams: [{ name: 'think', operation: 'chat', bytes: fixture('think.sse') }],
  answers: [
    {
      name: 'speech',
      operation: 'speech',
      request: speech,
      body: fixture('speech.json'),
      type: 'audio/mpeg',
    },
    { name: 'no balance', operation: 'speech', request: speech, body: fixture('no-balance.json') },
    { name: 'a page', operation: 'speech', request: speech, body: Buffer.from('<html>') },
    {
      name: 'images by address',
      operation: 'images',
      request: images,
      headers: { date: 'Sat, 21 Nov 2026 00:00:00 GMT' },
      body: fixture('images.json'),
      json: {
        created: 1795219200,
        data: [{ url: 'https://img.example/1.jpeg' }, { url: 'https://img.example/2.jpeg' }],
      },
    },
    {
      name: 'images in base64',
      operation: 'images',
      request: { ...images, response_format: 'b64_json' },
      body: { data: { image_base64: ['/9j/'] }, base_resp: { status_code: 0 } },
      json: { data: [{ b64_json: '/9j/' }] },
    },
    { name: 'no images', operation: 'images', request: images, body: { data: {} } },
    { name: 'no funds', operation: 'images', request: images, body: fixture('no-balance.json') },
    { name: 'no audio', operation: 'speech', request: speech, body: { data: { audio: '4x' } } },
  ],
  refusals: [
    refusal('chat', 400, 'invalid params, invalid chat setting (2013)', 'client'),
    refusal('chat', 402, 'insufficient balance (1008)', 'channel'),
    refusal('chat', 500, 'insufficient balance (1008)', 'channel'),
    refusal('chat', 429, 'usage limit exceeded (2056)', 'channel'),
    refusal('chat', 500, 'input new_sensitive (1026)', 'client'),
    refusal('chat', 429, 'overloaded (2064)', 'upstream'),
    refusal('chat', 401, 'login fail: carry the API secret key (1004)', 'channel'),
    refusal('speech', 500, 'something new (9999)', 'upstream'),
  ],
})

function refusal(
  operation: OperationName,
  status: number,
  message: string,
  blame: 'client' | 'channel' | 'upstream',
) {
  const error = { type: 'api_error', message, http_code: String(status) }
  return { operation, status, body: { type: 'error', error, request_id: '0660' }, blame }
}
