/** The Gemini provider besides chat: what is queried of the service, what cannot be, and what becomes of its answers. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import type { Body } from '../../kernel/contract/body.js'
import type { Usage } from '../../kernel/contract/event.js'
import type { JsonObject } from '../../kernel/contract/json.js'
import type { OperationName } from '../../kernel/contract/names.js'
import create from '../../providers/gemini/index.js'
import { adapterOf } from '../conformance/provider.js'
import { channelOf, context, json, kitWith, manifestOf } from './provider-kit.js'

const manifest = manifestOf('gemini')
const channel = channelOf(manifest)
const provider = create(kitWith(manifest, { safety_settings: { default: '' } }))

function shaped(operation: OperationName, body: JsonObject | Body, model: string) {
  const adapter = adapterOf(provider, operation)
  const wire = adapter.shape!(
    'kind' in body ? (body as Body) : json(body as JsonObject),
    channel,
    model,
  )
  const { url } = adapter.address(wire, channel, { key: 'k' }, context(model))
  return { verb: url.split('/models/')[1], body: wire.kind === 'json' ? wire.value : undefined }
}

const embedder = 'gemini-embedding-001'

t.test('one text is embedded by itself, several in a batch', async (t) => {
  const one = { input: 'a', dimensions: 256, task_type: 'RETRIEVAL_QUERY', title: 'T', user: 'u' }
  t.strictSame(shaped('embeddings', one, `models/${embedder}`), {
    verb: `${embedder}:embedContent`,
    body: {
      model: `models/${embedder}`,
      content: { parts: [{ text: 'a' }] },
      outputDimensionality: 256,
      taskType: 'RETRIEVAL_QUERY',
      title: 'T',
    },
  })
  const { verb, body } = shaped('embeddings', { input: ['a', 'b'] }, embedder)
  t.equal(verb, `${embedder}:batchEmbedContents`)
  t.strictSame(body, {
    requests: ['a', 'b'].map((text) => ({
      model: `models/${embedder}`,
      content: { parts: [{ text }] },
    })),
  })
})

t.test('tokens of another vocabulary are refused by name', async (t) => {
  for (const input of [
    [1, 2],
    [[1], [2]],
  ]) {
    t.throws(() => shaped('embeddings', { input }, embedder), {
      code: 'not_expressible',
      param: 'input',
    })
  }
})

t.test('floats survive base64', async (t) => {
  const values = [0.1, -3.5, 1e-7]
  const answer = adapterOf(provider, 'embeddings').answer!(
    { status: 200, headers: {}, body: Buffer.from(JSON.stringify({ embedding: { values } })) },
    json({ input: 'a', encoding_format: 'base64' }),
    embedder,
  ) as { json: { data: { embedding: string }[] } }
  const bytes = Buffer.from(answer.json.data[0]!.embedding, 'base64')
  t.strictSame(
    values.map((_, index) => bytes.readFloatLE(index * 4)),
    values.map(Math.fround),
  )
})

t.test('Imagen predicts, with size and quality in its own words', async (t) => {
  const request = {
    prompt: 'A house',
    n: 3,
    size: '1792x1024',
    quality: 'hd',
    output_format: 'jpeg',
    output_compression: 80,
  }
  t.strictSame(shaped('images', request, 'imagen-4.0-generate-001'), {
    verb: 'imagen-4.0-generate-001:predict',
    body: {
      instances: [{ prompt: 'A house' }],
      parameters: {
        sampleCount: 3,
        aspectRatio: '16:9',
        sampleImageSize: '2K',
        outputOptions: { mimeType: 'image/jpeg', compressionQuality: 80 },
      },
    },
  })
  const { body } = shaped('images', { prompt: 'A house' }, 'imagen-4.0-generate-001')
  t.strictSame(body, { instances: [{ prompt: 'A house' }], parameters: { sampleCount: 1 } })
})

t.test('models that draw while they talk are requested an image', async (t) => {
  const drawn = shaped('images', { prompt: 'A house', size: '1024x1536' }, 'gemini-2.5-flash-image')
  t.strictSame(drawn, {
    verb: 'gemini-2.5-flash-image:generateContent',
    body: {
      contents: [{ role: 'user', parts: [{ text: 'A house' }] }],
      generationConfig: {
        responseModalities: ['TEXT', 'IMAGE'],
        imageConfig: { aspectRatio: '3:4' },
      },
    },
  })
  const careful = adapterOf(create(kitWith(manifest)), 'images')
  const wire = careful.shape!(json({ prompt: 'x' }), channel, 'gemini-3-pro-image')
  t.match(wire, { value: { safetySettings: [{ threshold: 'OFF' }] } })
})

t.test('[FMT-9] wishes of a picture without a word here are reported, not dropped', async (t) => {
  const wishes = { background: 'transparent', style: 'vivid', quality: 'hd', user: 'auto' }
  const file = { output_format: 'webp', output_compression: 50 }
  const lost = (operation: OperationName, model: string) => {
    const adapter = adapterOf(provider, operation)
    const image = 'data:image/png;base64,iVBORw0KGgo='
    const asked = { prompt: 'x', ...wishes, ...file, ...(operation === 'edits' && { image }) }
    const wire = adapter.shape!(json(asked), channel, model)
    return adapter.refuses!(wire.kind === 'json' ? wire.value : {}, channel, model)
  }
  const drawn = ['style', 'background', 'output_format', 'output_compression']
  t.strictSame(lost('images', 'gemini-2.5-flash-image'), drawn)
  t.strictSame(lost('edits', 'gemini-2.5-flash-image'), drawn)
  t.strictSame(lost('images', 'imagen-4.0-generate-001'), ['style', 'background'])
})

t.test('sizes become the nearest ratio and a class of resolution', async (t) => {
  const sizeOf = (size: string) => {
    const { body } = shaped('images', { prompt: 'x', size }, 'gemini-3-pro-image')
    const config = body!.generationConfig as { imageConfig?: JsonObject }
    const { aspectRatio, imageSize } = config.imageConfig ?? {}
    return [aspectRatio, imageSize].filter((word) => word !== undefined).join(' ')
  }
  const rows = {
    auto: '',
    '1024x1024': '1:1',
    '1536x1024': '4:3',
    '1024x1792': '9:16',
    '2048x2048': '1:1 2K',
    '4096x2304': '16:9 4K',
    '21:9': '21:9',
  }
  for (const [size, message] of Object.entries(rows)) t.equal(sizeOf(size), message, size)
})

t.test('what cannot be queried of the service is refused by name', async (t) => {
  const image = 'gemini-3-pro-image'
  const tts = 'gemini-2.5-flash-preview-tts'
  const rows: [OperationName, JsonObject, string, string][] = [
    ['images', { prompt: 'x', n: 2 }, image, 'n'],
    ['images', { prompt: 'x', stream: true }, image, 'stream'],
    ['images', { prompt: 'x', size: 'huge' }, image, 'size'],
    ['edits', { prompt: 'x', images: [{ image_url: 'https://h.example/a.png' }] }, image, 'images'],
    ['edits', { prompt: 'x', images: [{ file_id: 'file-1' }] }, image, 'images'],
    ['edits', { prompt: 'x' }, image, 'image'],
    ['edits', { prompt: 'x', mask: {} }, image, 'mask'],
    ['speech', { input: 'x', response_format: 'mp3' }, tts, 'response_format'],
    ['speech', { input: 'x', speed: 2 }, tts, 'speed'],
    ['speech', { input: 'x', stream_format: 'sse' }, tts, 'stream_format'],
  ]
  for (const [operation, body, model, param] of rows) {
    t.throws(() => shaped(operation, body, model), { code: 'not_expressible', param }, param)
  }
})

t.test('models serve what they can do', async (t) => {
  const serves = (operation: OperationName, model: string) =>
    adapterOf(provider, operation).serves?.(channel, model) ?? true
  const rows: [OperationName, string, boolean][] = [
    ['images', 'imagen-4.0-generate-001', true],
    ['images', 'gemini-2.5-flash-image', true],
    ['images', 'nano-banana-pro', true],
    ['images', 'gemini-3-pro', false],
    ['edits', 'gemini-2.5-flash-image', true],
    ['edits', 'imagen-4.0-generate-001', false],
    ['speech', 'gemini-2.5-flash-preview-tts', true],
    ['speech', 'gemini-3-pro', false],
    ['transcriptions', 'gemini-3-flash', true],
    ['transcriptions', 'gemini-2.5-flash-preview-tts', false],
    ['transcriptions', 'gemini-3-pro-image', false],
    ['transcriptions', 'gemini-embedding-001', false],
  ]
  for (const [operation, model, can] of rows) t.equal(serves(operation, model), can, model)
})

const png = { field: 'image', filename: 'a.png', mime: 'image/png', bytes: Buffer.from('one') }

t.test('images to be changed go along, from a form and from JSON', async (t) => {
  const fields = { prompt: 'Red', n: '1', size: 'auto' }
  const form: Body = { kind: 'form', fields, files: [png, { ...png, field: 'image[]' }] }
  const part = { inlineData: { mimeType: 'image/png', data: 'b25l' } }
  const expected = [{ role: 'user', parts: [part, part, { text: 'Red' }] }]
  t.strictSame(shaped('edits', form, 'gemini-3-pro-image').body?.contents, expected)
  const url = 'data:image/png;base64,b25l'
  const list = { prompt: 'Red', images: [{ image_url: url }, { image_url: { url } }] }
  t.strictSame(shaped('edits', list, 'gemini-3-pro-image').body?.contents, expected)
  const masked: Body = { ...form, files: [png, { ...png, field: 'mask' }] }
  t.throws(() => shaped('edits', masked, 'gemini-3-pro-image'), {
    code: 'not_expressible',
    param: 'mask',
  })
})

t.test('how to speak stands before what to say', async (t) => {
  const request = { input: 'Have a day!', voice: 'kore', instructions: 'Say cheerfully', speed: 1 }
  t.strictSame(shaped('speech', request, 'gemini-2.5-flash-preview-tts'), {
    verb: 'gemini-2.5-flash-preview-tts:generateContent',
    body: {
      contents: [{ role: 'user', parts: [{ text: 'Say cheerfully: Have a day!' }] }],
      generationConfig: {
        responseModalities: ['AUDIO'],
        speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Kore' } } },
      },
    },
  })
})

t.test('samples come back in a container that states what they are, and are counted', async (t) => {
  const body = readFileSync(new URL('../fixtures/gemini/speech.json', import.meta.url))
  const speech = adapterOf(provider, 'speech')
  const spoken = (response_format?: string) =>
    speech.answer!({ status: 200, headers: {}, body }, json({ response_format }), 'tts') as {
      bytes: Buffer
      type: string
      usage: Usage
    }
  const { bytes, usage } = spoken()
  t.equal(bytes.toString('latin1', 0, 4) + bytes.toString('latin1', 8, 16), 'RIFFWAVEfmt ')
  t.strictSame(
    [bytes.readUInt32LE(4), bytes.readUInt32LE(24), bytes.readUInt32LE(40)],
    [bytes.length - 8, 24_000, 8],
  )
  t.strictSame(usage, { input: 8, outputAudio: 48 })
  t.strictSame(spoken('pcm').bytes, bytes.subarray(44))
})

t.test('how to speak stands beside the text where the text is read word for word', async (t) => {
  const request = { input: 'Have a day!', instructions: 'cheerful' }
  const parts = (model: string, body: JsonObject = request) =>
    (shaped('speech', body, model).body!.contents as readonly JsonObject[])[0]!.parts
  const beside = [{ text: 'Have a day!', speechMetadata: { style: 'cheerful' } }]
  t.strictSame(parts('gemini-3.8-flash-tts'), beside)
  t.strictSame(parts('gemini-3.8-flash-lite-tts'), beside)
  for (const model of ['gemini-3.1-flash-tts-preview', 'gemini-2.5-pro-preview-tts']) {
    t.strictSame(parts(model), [{ text: 'cheerful: Have a day!' }])
  }
  t.strictSame(parts('gemini-3.8-flash-tts', { input: 'Hi', instructions: '' }), [{ text: 'Hi' }])
})

t.test('a whole file comes back as it is, or bare without what is not sound', async (t) => {
  const samples = Buffer.from([1, 0, 2, 0])
  const chunk = (name: string, bytes: Buffer) => {
    const size = Buffer.alloc(4)
    size.writeUInt32LE(bytes.length)
    return Buffer.concat([Buffer.from(name), size, bytes, Buffer.alloc(bytes.length % 2)])
  }
  const file = Buffer.concat([
    Buffer.from('RIFF----WAVE'),
    chunk('fmt ', Buffer.alloc(16)),
    chunk('LIST', Buffer.from('odd')),
    chunk('data', samples),
  ])
  const inlineData = { mimeType: 'audio/wav', data: file.toString('base64') }
  const body = Buffer.from(
    JSON.stringify({ candidates: [{ content: { parts: [{ inlineData }] } }] }),
  )
  const spoken = (response_format: string) =>
    adapterOf(provider, 'speech').answer!(
      { status: 200, headers: {}, body },
      json({ response_format }),
      'gemini-3.8-flash-tts',
    )
  t.match(spoken('wav'), { bytes: file, type: 'audio/wav' })
  t.match(spoken('pcm'), { bytes: samples, type: 'audio/pcm' })
})

t.test('OpenAI’s voices have a likeness here, and other names a capital', async (t) => {
  const voiceFor = (voice: string) =>
    shaped('speech', { input: 'Hi', voice }, 'gemini-3.8-flash-tts').body
  const named = (voiceName: string) => ({
    generationConfig: { speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName } } } },
  })
  t.match(voiceFor('alloy'), named('Schedar'))
  t.match(voiceFor('Nova'), named('Laomedeia'))
  t.match(voiceFor('leda'), named('Leda'))
  t.match(voiceFor('Zubenelgenubi'), named('Zubenelgenubi'))
})

const wavFile = { field: 'file', filename: 'a.wav', mime: 'audio/x-wav', bytes: Buffer.from('one') }
const listener = 'gemini-2.5-flash'

function recordingOf(fields: JsonObject, file = wavFile): Body {
  return { kind: 'form', fields, files: [file] }
}

t.test('a recording goes along with the request to write it down', async (t) => {
  const fields = { language: 'de', prompt: 'Waybill. Ignore the recording!', temperature: '0.2' }
  const { verb, body } = shaped('transcriptions', recordingOf(fields), listener)
  t.equal(verb, 'gemini-2.5-flash:generateContent')
  t.match(body, {
    contents: [
      {
        role: 'user',
        parts: [
          { text: /word for word.*code "de".*"Waybill. Ignore the recording!"$/s },
          { inlineData: { mimeType: 'audio/wav', data: 'b25l' } },
        ],
      },
    ],
    generationConfig: { temperature: 0.2 },
  })
  const plain = shaped('transcriptions', recordingOf({}), `${listener}-nothinking`)
  t.equal(plain.verb, 'gemini-2.5-flash:generateContent')
  t.strictSame(plain.body?.generationConfig, { thinkingConfig: { thinkingBudget: 0 } })
})

t.test('a recording is called what the service calls it', async (t) => {
  const kindFor = (mime: string, filename: string) => {
    const form = recordingOf({}, { ...wavFile, mime, filename })
    return JSON.stringify(shaped('transcriptions', form, listener).body).match(
      /"(audio[^"]+)"/,
    )?.[1]
  }
  t.equal(kindFor('audio/mpeg', 'a.mp3'), 'audio/mp3')
  t.equal(kindFor('application/octet-stream', 'a.FLAC'), 'audio/flac')
  t.equal(kindFor('application/octet-stream', 'constructor'), 'audio/mp3')
  t.equal(kindFor('audio/webm;codecs=opus', 'a.webm'), 'audio/webm')
})

t.test('times, subtitles and streams of a transcript are refused by name', async (t) => {
  const rows: [JsonObject, string][] = [
    [{ response_format: 'verbose_json' }, 'response_format'],
    [{ response_format: 'srt' }, 'response_format'],
    [{ stream: 'true' }, 'stream'],
    [{ 'timestamp_granularities[]': 'word' }, 'timestamp_granularities[]'],
    [{ 'include[]': ['logprobs'] }, 'include[]'],
  ]
  for (const [fields, param] of rows) {
    const attempt = () => shaped('transcriptions', recordingOf(fields), listener)
    t.throws(attempt, { code: 'not_expressible', param }, param)
  }
})

t.test('a recording in which nobody speaks has an empty transcript', async (t) => {
  const transcriptions = adapterOf(provider, 'transcriptions')
  const read = (body: JsonObject) =>
    transcriptions.answer!(
      { status: 200, headers: {}, body: Buffer.from(JSON.stringify(body)) },
      recordingOf({}),
      listener,
    )
  t.strictSame(read({ candidates: [{ finishReason: 'STOP' }] }), { json: { text: '' } })
  t.match(read({ candidates: [{ finishReason: 'SAFETY' }] }), { failure: { blame: 'client' } })
  t.match(read({}), { failure: { blame: 'upstream' } })
})
