/** MiniMax: speech in its own words and back, whose fault a numbered error is. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import type { JsonObject } from '../../kernel/contract/json.js'
import create from '../../providers/minimax/index.js'
import { adapterOf } from '../conformance/provider.js'

const provider = create()
const speech = adapterOf(provider, 'speech')
const images = adapterOf(provider, 'images')
const channel = { id: 1, type: 35, baseUrl: 'https://api.minimaxi.com', settings: {} }
const context = { now: 0, forwarded: { headers: {} }, model: 'm', stream: true }
const fixture = (name: string) =>
  readFileSync(new URL(`../fixtures/minimax/${name}`, import.meta.url))

function shaped(fields: JsonObject): JsonObject {
  const body = speech.shape!({ kind: 'json', value: fields }, channel, 'm')
  return body.kind === 'json' ? body.value : {}
}

t.test('text, voice and format are stated in the words of this service', async (t) => {
  t.strictSame(
    shaped({ model: 'm', input: 'Hi', voice: 'v', speed: 0.5, response_format: 'flac' }),
    {
      model: 'm',
      text: 'Hi',
      stream: false,
      output_format: 'hex',
      voice_setting: { voice_id: 'v', speed: 0.5 },
      audio_setting: { format: 'flac' },
    },
  )
  const least = shaped({ model: 'm', input: 'Hi', voice: { id: 'v' } })
  t.strictSame(least.voice_setting, { voice_id: 'v' })
  t.strictSame(least.audio_setting, {})
})

t.test('fields in the words of this service pass, and win', async (t) => {
  const value = shaped({
    model: 'm',
    input: 'Hi',
    voice: 'v',
    voice_setting: { vol: 0, emotion: '' },
    audio_setting: { channel: 2 },
    language_boost: 'auto',
  })
  t.match(value, {
    voice_setting: { voice_id: 'v', vol: 0, emotion: '' },
    audio_setting: { channel: 2 },
    language_boost: 'auto',
  })
})

t.test('what cannot be stated is refused by name', async (t) => {
  for (const [field, value] of [
    ['response_format', 'opus'],
    ['instructions', 'Whisper'],
    ['stream_format', 'sse'],
  ] as const) {
    t.throws(() => shaped({ input: 'Hi', [field]: value }), { code: 'not_expressible' })
  }
  t.doesNotThrow(() => shaped({ input: 'Hi', instructions: '', stream_format: 'audio' }))
})

t.test('the audio comes back as bytes, paid by the characters', async (t) => {
  const whole = { status: 200, headers: {}, body: fixture('speech.json') }
  const answer = speech.answer!(whole, { kind: 'json', value: {} }, 'm')
  t.strictSame(answer, {
    bytes: Buffer.from([0x49, 0x44, 0x33, 3, 0, 0, 0, 0x0a]),
    type: 'audio/mpeg',
    usage: { input: 26, output: 0 },
  })
})

t.test('an error inside a 200 is the failure its number stands for', async (t) => {
  const failure = (number: number) => {
    const body = { base_resp: { status_code: number, status_msg: 'no' } }
    const whole = { status: 200, headers: {}, body: Buffer.from(JSON.stringify(body)) }
    const answer = speech.answer!(whole, { kind: 'json', value: {} }, 'm')
    return 'failure' in answer ? `${answer.failure.status} ${answer.failure.blame}` : ''
  }
  t.equal(failure(1008), '402 channel')
  t.equal(failure(1002), '429 channel')
  t.equal(failure(2049), '401 channel')
  t.equal(failure(1026), '400 client')
  t.equal(failure(2013), '400 client')
  t.equal(failure(1001), '504 upstream')
  t.equal(failure(2064), '529 upstream')
  t.equal(failure(9999), '502 upstream')
})

t.test('speech is one JSON answer; the group of an older key is in the address', async (t) => {
  const call = (settings: JsonObject) =>
    speech.address({ kind: 'none' }, { ...channel, settings }, { key: 'k' }, context)
  t.equal(call({}).url, 'https://api.minimaxi.com/v1/t2a_v2')
  t.equal(call({}).headers.accept, 'application/json')
  t.equal(call({ group_id: ' 1&2 ' }).url, 'https://api.minimaxi.com/v1/t2a_v2?GroupId=1%262')
})

function pictured(fields: JsonObject): JsonObject {
  const body = images.shape!({ kind: 'json', value: fields }, channel, 'image-01')
  return body.kind === 'json' ? body.value : {}
}

t.test('a picture’s size becomes its sides, and base64 has the name of this service', async (t) => {
  const asked = { model: 'image-01', prompt: 'A house', n: 2 }
  t.strictSame(
    pictured({
      ...asked,
      size: '1536x1024',
      response_format: 'b64_json',
    }),
    { ...asked, width: 1536, height: 1024, response_format: 'base64' },
  )
  const wire = pictured({ ...asked, quality: 'hd', background: 'auto', user: 'u' })
  t.strictSame(wire, { ...asked, quality: 'hd', user: 'u' })
  t.strictSame(images.refuses!(wire, channel, 'image-01'), ['quality', 'user'], 'it is reported')
  t.strictSame(pictured({ ...asked, size: 'auto', response_format: 'url', seed: 0 }), {
    ...asked,
    response_format: 'url',
    seed: 0,
  })
  const ratio = { ...asked, aspect_ratio: '16:9', prompt_optimizer: false }
  t.strictSame(pictured({ ...ratio, size: '1024x1024' }), ratio, 'the words of the service win')
})

t.test('a size that the service does not make, and a stream, are refused by name', async (t) => {
  for (const size of ['256x256', '1000x1001', '4096x1024', 'large']) {
    t.throws(() => pictured({ prompt: 'p', size }), { code: 'not_expressible' }, size)
  }
  t.throws(() => pictured({ prompt: 'p', stream: true }), { code: 'not_expressible' })
})
