/** xAI: sizes as shapes, thoughts counted beside the completion, and what edits and sounds become. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import type { Body } from '../../kernel/contract/body.js'
import type { Json, JsonObject } from '../../kernel/contract/json.js'
import type { OperationName } from '../../kernel/contract/names.js'
import chat from '../../plugins/formats/chat/index.js'
import create from '../../providers/xai/index.js'
import { usageOf } from '../conformance/events.js'
import { adapterOf } from '../conformance/provider.js'
import { json } from './provider-kit.js'

const channel = { id: 1, type: 48, baseUrl: 'https://api.x.ai', settings: {} }
const adjust = (wire: JsonObject) => adapterOf(create(), 'images').adjust!(wire, channel)

t.test('a size becomes the shape it comes to', async (t) => {
  const shapes = {
    '1024x1024': '1:1',
    '1536x1024': '3:2',
    '1024x1536': '2:3',
    '1792x1024': '16:9',
    '1024x1792': '9:16',
  }
  for (const [size, aspect_ratio] of Object.entries(shapes)) {
    t.strictSame(adjust({ prompt: 'p', size }), { prompt: 'p', aspect_ratio }, size)
  }
  t.strictSame(adjust({ size: '2048x2048' }), { aspect_ratio: '1:1', resolution: '2k' })
  t.strictSame(adjust({ size: '2048x2048', resolution: '1k' }), {
    aspect_ratio: '1:1',
    resolution: '1k',
  })
})

t.test('a shape the client names wins, and no size at all is left out', async (t) => {
  t.strictSame(adjust({ size: '1024x1024', aspect_ratio: '2:1' }), { aspect_ratio: '2:1' })
  t.strictSame(adjust({ size: 'auto', n: 0 }), { n: 0 })
})

t.test('what comes to no shape stays as the client wrote it', async (t) => {
  for (const wire of [{ size: '1024x100' }, { size: 'large' }, { size: '' }, { prompt: 'p' }]) {
    const frozen = Object.freeze(wire)
    t.equal(adjust(frozen), frozen)
  }
})

t.test('thoughts beside the completion are part of the output', async (t) => {
  const bytes = readFileSync(new URL('../fixtures/xai/reasoning.sse', import.meta.url))
  const decoder = chat().decodeStream()
  const usage = usageOf([...decoder.push(bytes), ...decoder.flush()])
  t.match(usage, { input: 29, cacheRead: 8, output: 109, reasoning: 100 })
})

const refusalOf = (param: string) => ({ code: 'not_expressible', param })

const wireOf = (operation: OperationName, body: Body | JsonObject) => {
  const sent = 'kind' in body ? (body as Body) : json(body as JsonObject)
  return adapterOf(create(), operation).shape!(sent, channel, 'grok')
}

t.test('voices of OpenAI become those here that are described alike, others stay', async (t) => {
  const spoken = (voice: Json) => wireOf('speech', { input: 'Hi', voice })
  for (const [voice, voice_id] of [
    ['alloy', 'sal'],
    ['Nova', 'eve'],
    ['coral', 'ara'],
    ['onyx', 'leo'],
    ['ash', 'rex'],
    ['eve', 'eve'],
    ['my-own-voice', 'my-own-voice'],
    [{ id: 'my-own-voice' }, 'my-own-voice'],
  ] as const) {
    t.match(spoken(voice), { value: { voice_id } }, JSON.stringify(voice))
  }
  t.strictSame(wireOf('speech', { model: 'tts', input: 'Hi' }), {
    kind: 'json',
    value: { text: 'Hi', language: 'auto', output_format: { codec: 'mp3' } },
  })
})

t.test(
  '[FMT-9] what neither speech nor a transcript can be here is refused by the client’s field',
  async (t) => {
    for (const [field, body] of [
      ['response_format', { input: 'Hi', response_format: 'opus' }],
      ['speed', { input: 'Hi', speed: 2 }],
      ['stream_format', { input: 'Hi', stream_format: 'sse' }],
      ['voice', { input: 'Hi', voice: {} }],
    ] as const) {
      t.throws(() => wireOf('speech', body), refusalOf(field), field)
    }
    for (const [field, fields] of [
      ['response_format', { response_format: 'srt' }],
      ['stream', { stream: 'true' }],
      ['timestamp_granularities[]', { 'timestamp_granularities[]': ['word', 'segment'] }],
    ] as const) {
      t.throws(
        () => wireOf('transcriptions', { kind: 'form', fields, files: [] }),
        refusalOf(field),
        field,
      )
    }
  },
)

t.test('[FMT-9] an edit needs one to three pictures that can be read here', async (t) => {
  for (const [field, body] of [
    ['image', { prompt: 'Red' }],
    ['image', { image: 'file-abc' }],
    ['image', { images: ['a', 'b', 'c', 'd'].map((one) => `https://x.example/${one}`) }],
    ['mask', { image: 'https://x.example/a', mask: { file_id: 'file-abc' } }],
    ['stream', { image: 'https://x.example/a', stream: true }],
  ] as const) {
    t.throws(() => wireOf('edits', body), refusalOf(field), JSON.stringify(body))
  }
  t.strictSame(
    wireOf('edits', {
      ...{
        model: 'm',
        prompt: 'Red',
        size: '1536x1024',
        mask: { image_url: 'https://x.example/m' },
      },
      images: [
        { image_url: 'https://x.example/a' },
        { image_url: { url: 'data:image/png;base64,AA' } },
      ],
    }),
    json({
      ...{ model: 'm', prompt: 'Red', aspect_ratio: '3:2' },
      images: [
        { url: 'https://x.example/a', type: 'image_url' },
        { url: 'data:image/png;base64,AA', type: 'image_url' },
      ],
      mask: { url: 'https://x.example/m', type: 'image_url' },
    }),
  )
})

t.test('the realtime socket names its model in the query and its key in a header', async (t) => {
  const { socket } = adapterOf(create(), 'realtime')
  const context = { now: 0, forwarded: { headers: {} }, model: 'grok-voice-latest', stream: true }
  t.strictSame(socket?.(channel, { key: ' xai-1 ' }, context), {
    url: 'wss://api.x.ai/v1/realtime?model=grok-voice-latest',
    headers: { authorization: 'Bearer xai-1' },
    protocols: [],
  })
})
