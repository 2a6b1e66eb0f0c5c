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

const speech = { model: 'glm-tts', input: 'Hello', voice: 'tongtong' }
const wav = Buffer.from('RIFF....WAVE')

function spoken(name: string, contentType: string, body: Buffer) {
  const headers = { 'content-type': contentType }
  return { name, operation: 'speech' as const, request: speech, headers, body }
}

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
    ...callsOf(['embeddings', 'images', 'rerank', 'transcriptions']),
    { operation: 'speech', wire: speech },
  ],
  answers: [
    { ...spoken('a file', 'audio/wav', wav), type: 'audio/wav' },
    { ...spoken('a file of no stated kind', 'application/octet-stream', wav), type: 'audio/wav' },
    spoken('an error in a 200', 'application/json', Buffer.from('{"error":{"code":"1234"}}')),
    spoken('a page', 'text/html', Buffer.from('<html>')),
    spoken('nothing', 'audio/wav', Buffer.alloc(0)),
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
