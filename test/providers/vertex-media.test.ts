/** Gemini on Vertex besides chat: which model does what, where it is called, and what is made of a request. */
import t from 'tap'
import type { Body } from '../../kernel/contract/body.js'
import type { JsonObject } from '../../kernel/contract/json.js'
import type { Adapter } from '../../kernel/contract/provider.js'
import create from '../../providers/vertex/index.js'
import { adapterOf } from '../conformance/provider.js'
import { key } from './vertex-account.js'

const provider = create()
const [images, drawing] = provider.operations.images as readonly [Adapter, Adapter]
const edits = adapterOf(provider, 'edits')
const speech = adapterOf(provider, 'speech')
const transcriptions = adapterOf(provider, 'transcriptions')

const channel = (region = 'global') => ({
  id: 1,
  type: 41,
  baseUrl: 'https://aiplatform.googleapis.com',
  settings: { region },
})

t.test('of Gemini’s models each does besides chat what it can', async (t) => {
  const rows: [string, readonly Adapter[]][] = [
    ['gemini-2.5-flash-image', [drawing, edits]],
    ['google/gemini-3-pro-image-preview', [drawing, edits]],
    ['gemini-2.5-flash-tts', [speech]],
    ['gemini-2.5-pro-tts', [speech]],
    ['gemini-2.5-flash', [transcriptions]],
    ['gemini-live-2.5-flash-native-audio', []],
    ['gemini-embedding-001', []],
    ['imagen-4.0-generate-001', [images]],
    ['claude-sonnet-4-5', []],
    ['mistralai/mistral-small-2503', []],
  ]
  for (const [model, able] of rows) {
    const all = [images, drawing, edits, speech, transcriptions]
    t.strictSame(
      all.filter((one) => one.serves?.(channel(), model)),
      able,
      model,
    )
  }
})

t.test(
  'what Gemini does besides chat is called by its model, in the region of the model',
  async (t) => {
    const region = JSON.stringify({ default: 'us-central1', 'gemini-3-pro-image': 'global' })
    const at = (adapter: Adapter, model: string, credentials: { key: string; token?: string }) =>
      adapter.address({ kind: 'none' }, channel(region), credentials, {
        ...{ now: 0, forwarded: { headers: {} }, model, stream: false },
      })
    const models = 'publishers/google/models'
    const project = 'v1beta1/projects/my-project-7/locations'
    const rows: [Adapter, string, string][] = [
      [drawing, 'google/gemini-3-pro-image', `${project}/global/${models}/gemini-3-pro-image`],
      [edits, 'gemini-2.5-flash-image', `${project}/us-central1/${models}/gemini-2.5-flash-image`],
      [speech, 'gemini-2.5-pro-tts', `${project}/us-central1/${models}/gemini-2.5-pro-tts`],
      [transcriptions, 'gemini-2.5-flash', `${project}/us-central1/${models}/gemini-2.5-flash`],
    ]
    for (const [adapter, model, path] of rows) {
      const { url, headers } = at(adapter, model, { key, token: 'ya29.token' })
      const host = path.includes('us-central1') ? 'us-central1-aiplatform' : 'aiplatform'
      t.equal(url, `https://${host}.googleapis.com/${path}:generateContent`)
      t.match(headers, { authorization: 'Bearer ya29.token', accept: 'application/json' })
    }
    const { url, headers } = at(speech, 'gemini-2.5-flash-tts', { key: 'AIzaKey' })
    t.equal(
      url,
      `https://aiplatform.googleapis.com/v1beta1/${models}/gemini-2.5-flash-tts:generateContent`,
    )
    t.equal(headers['x-goog-api-key'], 'AIzaKey')
  },
)

function shaped(adapter: Adapter, body: JsonObject | Body, model: string): JsonObject {
  const sent = 'kind' in body ? (body as Body) : { kind: 'json' as const, value: body }
  const wire = adapter.shape!(sent, channel(), model)
  return wire.kind === 'json' ? wire.value : {}
}

t.test('Gemini draws one image, in a file as it was requested', async (t) => {
  const request = { prompt: 'A house', size: '1024x1536', quality: 'hd', output_format: 'jpeg' }
  const wire = shaped(drawing, { ...request, output_compression: 80 }, 'gemini-3-pro-image')
  t.strictSame(wire, {
    contents: [{ role: 'user', parts: [{ text: 'A house' }] }],
    generationConfig: {
      responseModalities: ['TEXT', 'IMAGE'],
      imageConfig: {
        aspectRatio: '3:4',
        imageSize: '2K',
        imageOutputOptions: { mimeType: 'image/jpeg', compressionQuality: 80 },
      },
    },
  })
  const plain = shaped(drawing, { prompt: 'x', output_format: 'auto' }, 'gemini-2.5-flash-image')
  t.strictSame(plain.generationConfig, { responseModalities: ['TEXT', 'IMAGE'] })
})

t.test('what Gemini has no word for is reported, or refused by its field', async (t) => {
  const wire = shaped(drawing, { prompt: 'x', background: 'opaque', quality: 'low' }, 'gemini-x')
  t.strictSame(drawing.refuses!(wire, channel(), 'gemini-x'), ['background'])
  const wished = { prompt: 'A house', style: 'vivid', output_format: 'jpeg', background: 'auto' }
  const painted = shaped(images, wished, 'imagen-4.0-generate-001')
  t.strictSame(images.refuses!(painted, channel(), 'imagen-4.0-generate-001'), ['style'])
  const url = 'https://h.example/a.png'
  const rows: [Adapter, JsonObject | Body, string][] = [
    [drawing, { prompt: 'x', n: 2 }, 'n'],
    [drawing, { prompt: 'x', stream: true }, 'stream'],
    [drawing, { prompt: 'x', size: 'huge' }, 'size'],
    [edits, { prompt: 'x', images: [{ image_url: url }] }, 'images'],
    [edits, { prompt: 'x', mask: {} }, 'mask'],
    [speech, { input: 'x', response_format: 'mp3' }, 'response_format'],
    [speech, { input: 'x', speed: 2 }, 'speed'],
    [transcriptions, aac({ response_format: 'srt' }), 'response_format'],
  ]
  for (const [adapter, body, param] of rows) {
    t.throws(() => shaped(adapter, body, 'gemini-x'), { code: 'not_expressible', param }, param)
  }
})

t.test('Gemini changes the images of a form', async (t) => {
  const bytes = Buffer.from('one')
  const file = { field: 'image[]', filename: 'a.png', mime: 'image/png', bytes }
  const fields = { prompt: 'Red', n: '1', output_compression: '70' }
  const wire = shaped(edits, { kind: 'form', fields, files: [file] }, 'gemini-2.5-flash-image')
  t.match(wire, {
    contents: [
      { parts: [{ inlineData: { mimeType: 'image/png', data: 'b25l' } }, { text: 'Red' }] },
    ],
    generationConfig: { imageConfig: { imageOutputOptions: { compressionQuality: 70 } } },
  })
})

t.test('Gemini speaks in the voice most like the requested one', async (t) => {
  const request = { input: 'Have a day!', voice: 'nova', instructions: 'Say cheerfully' }
  t.strictSame(shaped(speech, request, 'gemini-2.5-flash-tts'), {
    contents: [{ role: 'user', parts: [{ text: 'Say cheerfully: Have a day!' }] }],
    generationConfig: {
      responseModalities: ['AUDIO'],
      speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Laomedeia' } } },
    },
  })
})

function aac(fields: JsonObject): Body {
  const bytes = Buffer.from('one')
  const file = { field: 'file', filename: 'a.aac', mime: 'application/octet-stream', bytes }
  return { kind: 'form', fields, files: [file] }
}

t.test('a recording for Gemini is called what this service calls it', async (t) => {
  t.match(shaped(transcriptions, aac({}), 'gemini-2.5-flash'), {
    contents: [
      {
        role: 'user',
        parts: [
          { text: /word for word/ },
          { inlineData: { mimeType: 'audio/x-aac', data: 'b25l' } },
        ],
      },
    ],
  })
})
