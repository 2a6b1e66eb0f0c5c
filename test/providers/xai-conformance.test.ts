/** The xAI provider under the conformance kit. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import chat from '../../plugins/formats/chat/index.js'
import responses from '../../plugins/formats/responses/index.js'
import create from '../../providers/xai/index.js'
import { conformingProvider } from '../conformance/provider.js'
import { callsOf, wires } from './wires.js'

const read = (path: string) => readFileSync(new URL(path, import.meta.url))
const fixture = (name: string) => read(`../fixtures/xai/${name}`)
const hello = [{ role: 'user', content: 'Hello' }]

conformingProvider((title, run) => t.test(title, async () => run()), {
  manifest: read('../../providers/xai/manifest.json').toString('utf8'),
  create,
  formats: (name) => (name === 'responses' ? responses() : chat()),
  calls: [
    { operation: 'chat', wire: { model: 'grok-4', messages: hello, stream: true } },
    { operation: 'chat', format: 'responses', wire: { model: 'grok-4', input: 'Hello' } },
    { operation: 'images', wire: { model: 'grok-imagine-image', prompt: 'A house', n: 2 } },
    { operation: 'images', wire: { model: 'grok-imagine-image', size: '1792x1024' } },
    { operation: 'images', wire: { model: 'grok-imagine-image', size: '1024x100' } },
    ...callsOf(['edits', 'speech', 'transcriptions', 'realtime']),
  ],
  answers: [
    {
      name: 'an edit',
      operation: 'edits',
      request: wires.edits,
      body: { data: [{ b64_json: 'data:image/jpeg;base64,/9j/' }, { url: 'https://x.example/a' }] },
      json: { data: [{ b64_json: '/9j/' }, { url: 'https://x.example/a' }] },
    },
    {
      name: 'speech',
      operation: 'speech',
      request: wires.speech,
      headers: { 'content-type': 'audio/mpeg' },
      body: Buffer.from('ID3'),
      type: 'audio/mpeg',
    },
    {
      name: 'an error in the place of speech',
      operation: 'speech',
      request: wires.speech,
      headers: { 'content-type': 'application/json' },
      body: { error: 'no' },
    },
    {
      name: 'a transcript',
      operation: 'transcriptions',
      request: wires.transcriptions,
      body: fixture('transcript.json'),
      json: {
        text: 'How old is the Brooklyn Bridge?',
        usage: { type: 'duration', seconds: 1.85 },
      },
    },
    {
      name: 'a transcript with words',
      operation: 'transcriptions',
      request: {
        response_format: 'verbose_json',
        language: 'en',
        'timestamp_granularities[]': 'word',
      },
      body: fixture('transcript.json'),
      json: {
        ...{ task: 'transcribe', language: 'en', duration: 1.85 },
        text: 'How old is the Brooklyn Bridge?',
        words: [
          { word: 'How', start: 0.14, end: 0.28 },
          { word: 'old', start: 0.4, end: 0.6 },
        ],
        usage: { type: 'duration', seconds: 1.85 },
      },
    },
    {
      name: 'a transcript as text',
      operation: 'transcriptions',
      request: { response_format: 'text' },
      body: fixture('transcript.json'),
      type: 'text/plain; charset=utf-8',
    },
  ],
  streams: [{ name: 'reasoning', operation: 'chat', bytes: fixture('reasoning.sse') }],
  refusals: [
    refusal(400, 'bad-key.json', 'channel'),
    refusal(403, 'no-credit.json', 'channel'),
    refusal(403, 'guidelines.json', 'client'),
    {
      operation: 'chat',
      status: 400,
      body: { code: 'invalid-argument', error: 'Argument not supported: stop' },
      blame: 'client',
    },
    {
      operation: 'chat',
      status: 429,
      body: { code: 'Some resource has been exhausted', error: 'Your team has used all credits' },
      blame: 'channel',
    },
  ],
})

function refusal(status: number, name: string, blame: 'client' | 'channel') {
  const body = JSON.parse(fixture(name).toString('utf8'))
  return { operation: 'chat' as const, status, body, blame }
}
