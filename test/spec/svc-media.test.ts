/** Pictures and sound through a whole gateway: what arrives upstream, what comes back, and what it costs. */
import t from 'tap'
import { sse } from '../plugins/operations/media/asking.js'
import { bytes, channelAt, json, mediaGateway } from '../plugins/operations/media/media-gateway.js'
import {
  gif,
  html,
  jpeg,
  png,
  pngSignature,
  wav,
  webps,
} from '../plugins/operations/media/samples.js'

const gateway = await mediaGateway(t)
const { arrived } = gateway

const picture = { b64_json: png().toString('base64') }

function upload(
  fields: Readonly<Record<string, string | readonly string[]>>,
  ...files: readonly (readonly [field: string, bytes: Buffer, name: string, type?: string])[]
): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    for (const one of typeof value === 'string' ? [value] : value) form.append(name, one)
  }
  for (const [field, bytes, name, type = 'application/octet-stream'] of files) {
    form.append(field, new Blob([bytes], { type }), name)
  }
  return form
}

async function filesOf(form: FormData, field: string) {
  const files = form.getAll(field) as File[]
  return Promise.all(
    files.map(async (file) => ({
      name: file.name,
      type: file.type,
      bytes: Buffer.from(await file.arrayBuffer()),
    })),
  )
}

/** Of the last request that arrived. */
const last = () => arrived.at(-1)!

t.test('[SVC-3] image generation is relayed and paid by the picture', async (t) => {
  gateway.answer(json({ created: 1, data: [picture, { url: 'https://x/y' }] }))
  const rows = (await gateway.logs()).length
  const request = {
    model: 'dall-e-3',
    prompt: 'a cat',
    n: 3,
    size: '1024x1792',
    quality: 'hd',
    style: 'vivid',
  }
  const cost = await gateway.cost(async () => {
    const answer = await gateway.postJson('/v1/images/generations', request)
    t.equal(answer.status, 200)
    t.match(await answer.json(), { created: 1, data: [picture, { url: 'https://x/y' }] })
  })
  t.same(JSON.parse(last().bytes.toString()), request)
  t.equal(
    cost,
    2 * 3 * 20_000,
    'two came of three; large ones of high quality at three times $0.04',
  )
  const logs = await gateway.logs()
  t.equal(logs.length, rows + 1)
  t.match(logs[0], { quota: cost, model_name: 'dall-e-3', type: 2 })
})

t.test('a request without a model asks for the family’s default, by its name', async (t) => {
  gateway.answer(json({ data: [picture] }))
  const cost = await gateway.cost(() =>
    gateway.postJson('/v1/images/generations', { prompt: 'a cat' }),
  )
  t.match(JSON.parse(last().bytes.toString()), { model: 'dall-e', prompt: 'a cat' })
  t.equal(cost, 10_000)
})

const imageUsage = {
  input_tokens: 350,
  input_tokens_details: { text_tokens: 50, image_tokens: 300 },
  output_tokens: 4160,
  total_tokens: 4510,
}
/** $5 per million for text, $10 for pictures read, $40 for pictures made; in quota. */
const imageCost = 2.5 * (50 + 2 * 300 + 8 * 4160)

t.test('[BILL-1] tokens of pictures are charged as the upstream counts them', async (t) => {
  gateway.answer(json({ created: 1, data: [picture], usage: imageUsage }))
  const ask = { model: 'gpt-image-1', prompt: 'a cat' }
  t.equal(await gateway.cost(() => gateway.postJson('/v1/images/generations', ask)), imageCost)
})

t.test(
  'a stream of pictures arrives as it was sent, and is charged by its last event',
  async (t) => {
    const name = 'image_generation'
    const stream =
      sse(
        { type: `${name}.partial_image`, b64_json: 'A'.repeat(200_000) },
        `${name}.partial_image`,
      ) + sse({ type: `${name}.completed`, ...picture, usage: imageUsage }, `${name}.completed`)
    gateway.answer(bytes('text/event-stream', [stream.slice(0, 1000), stream.slice(1000)]))
    const cost = await gateway.cost(async () => {
      const ask = { model: 'gpt-image-1', prompt: 'a cat', stream: true, partial_images: 1 }
      const answer = await gateway.postJson('/v1/images/generations', ask)
      t.match(answer.headers.get('content-type'), 'text/event-stream')
      t.equal(await answer.text(), stream)
    })
    t.equal(cost, imageCost)
    t.match((await gateway.logs())[0], { is_stream: true, quota: imageCost })
  },
)

t.test('a picture that breaks off half made is reported and charged as queried', async (t) => {
  const partial = sse({ type: 'image_generation.partial_image', ...picture })
  gateway.answer(bytes('text/event-stream', [partial], true))
  const cost = await gateway.cost(async () => {
    const ask = { model: 'gpt-image-1', prompt: 'a cat', stream: true, size: '1024x1024' }
    const answer = await gateway.postJson('/v1/images/generations', ask)
    t.match(await answer.text(), /^data: .*partial_image.*"error"/s)
  })
  t.equal(cost, 2.5 * (2 + 8 * 4160))
})

t.test('[BILL-1] pictures that cannot be paid are not requested', async (t) => {
  const { key } = await gateway.admin.token({ unlimited_quota: false, remain_quota: 50_000 })
  const before = arrived.length
  const ask = { model: 'dall-e-3', prompt: 'a cat', n: 3 }
  const answer = await gateway.post('/v1/images/generations', JSON.stringify(ask), {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
  })
  t.equal(answer.status, 403, 'three pictures are 60,000')
  t.match(await answer.json(), { error: { code: 'pre_consume_token_quota_failed' } })
  t.equal(arrived.length, before)
})

t.test('[SVC-3] an edit arrives with every file, name, type and field', async (t) => {
  gateway.answer(json({ created: 1, data: [picture], usage: imageUsage }))
  const photo = jpeg(640, 480)
  const form = upload(
    { model: 'gpt-image-1', prompt: 'a "hat" für 猫', size: '1024x1024', 'tag[]': ['c', 'a', 'b'] },
    ['image[]', png(), 'one.png', 'image/png'],
    ['image[]', photo, '猫 "photo".gif', 'image/gif'],
    ['mask', webps.lossless!, 'mask', 'text/html'],
  )
  for (const path of ['/v1/images/edits', '/v1/edits']) {
    const cost = await gateway.cost(async () =>
      t.equal((await gateway.post(path, form)).status, 200),
    )
    t.equal(cost, imageCost, path)
    t.equal(last().path, '/v1/images/edits')
    const sent = await last().form()
    t.same(
      [...sent.keys()],
      ['model', 'prompt', 'size', 'tag[]', 'tag[]', 'tag[]', 'image[]', 'image[]', 'mask'],
    )
    t.equal(sent.get('prompt'), 'a "hat" für 猫')
    t.same(sent.getAll('tag[]'), ['c', 'a', 'b'])
    t.same(
      await filesOf(sent, 'image[]'),
      [
        { name: 'one.png', type: 'image/png', bytes: png() },
        { name: '猫 "photo".jpg', type: 'image/jpeg', bytes: photo },
      ],
      'under their true types',
    )
    t.match(await filesOf(sent, 'mask'), [{ name: 'mask.webp', type: 'image/webp' }])
  }
})

t.test('[FMT-11] disguised and empty files are refused, not relayed and not charged', async (t) => {
  const before = arrived.length
  const cases: readonly (readonly [field: string, file: Buffer])[] = [
    ['image', gif],
    ['image[]', Buffer.concat([pngSignature, html])],
    ['image', Buffer.alloc(0)],
    ['mask', jpeg().subarray(0, 40)],
  ]
  for (const [field, file] of cases) {
    const form = upload(
      { model: 'gpt-image-1', prompt: 'x' },
      ['image', png(), 'a.png', 'image/png'],
      [field, file, 'b.png', 'image/png'],
    )
    const cost = await gateway.cost(async () => {
      const answer = await gateway.post('/v1/images/edits', form)
      t.equal(answer.status, 400)
      t.match(await answer.json(), { error: { code: 'invalid_request', param: field } })
    })
    t.equal(cost, 0)
  }
  t.equal(arrived.length, before)
})

t.test('an edit in JSON goes on byte for byte', async (t) => {
  gateway.answer(json({ created: 1, data: [picture], usage: imageUsage }))
  const text = `{ "model":"gpt-image-1", "prompt":"x", "seed": 12345678901234567890,
    "images":[{"image_url":"data:image/png;base64,${png().toString('base64')}"}] }`
  const answer = await gateway.post('/v1/images/edits', text, {
    'content-type': 'application/json',
  })
  t.equal(answer.status, 200)
  t.equal(last().bytes.toString(), text)
})

t.test('[FMT-16] only uploads take forms; another declared type is a 415', async (t) => {
  const before = arrived.length
  const status = async (path: string, type: string, body = '{}') => {
    const answer = await gateway.post(path, body, { 'content-type': type })
    const { error } = (await answer.json()) as { error: { code: string } }
    return `${answer.status} ${error.code}`
  }
  const wrong = '415 unsupported_media_type'
  t.equal(await status('/v1/images/edits', 'text/plain'), wrong)
  t.equal(await status('/v1/images/generations', 'multipart/form-data; boundary=x'), wrong)
  t.equal(await status('/v1/audio/speech', 'application/x-www-form-urlencoded'), wrong)
  t.equal(await status('/v1/audio/transcriptions', 'application/json'), wrong)
  t.equal(await status('/v1/audio/translations', 'audio/mpeg'), wrong)
  const unreadable = '400 read_request_body_failed'
  t.equal(await status('/v1/images/edits', 'multipart/form-data', 'x'), unreadable)
  t.equal(await status('/v1/audio/transcriptions', 'multipart/form-data; boundary=x'), unreadable)
  const urlencoded = 'application/x-www-form-urlencoded'
  t.equal(
    await status('/v1/audio/transcriptions', urlencoded, 'model=whisper-1'),
    '400 invalid_request',
    'a form, but without its file',
  )
  t.equal(arrived.length, before)
})

t.test(
  '[SVC-3] a recording arrives whole, and its minutes cost what whisper-1 costs',
  async (t) => {
    gateway.answer(json({ text: 'Hello.' }))
    const minute = wav(60)
    const form = upload(
      {
        language: 'en',
        response_format: 'json',
        'timestamp_granularities[]': ['word', 'segment'],
      },
      ['file', minute, 'a "b" ü.wav', 'audio/wav'],
    )
    const cost = await gateway.cost(async () => {
      const answer = await gateway.post('/v1/audio/transcriptions', form)
      t.same(await answer.json(), { text: 'Hello.' })
    })
    t.equal(last().path, '/v1/audio/transcriptions')
    const sent = await last().form()
    t.equal(sent.get('model'), 'whisper-1', 'the family falls back to it')
    t.same(sent.getAll('timestamp_granularities[]'), ['word', 'segment'])
    t.same(await filesOf(sent, 'file'), [{ name: 'a "b" ü.wav', type: 'audio/wav', bytes: minute }])
    t.equal(cost, 3000, '$0.006 are 3,000 quota')
    t.match(JSON.parse((await gateway.logs())[0]!.other), {
      admin_info: { local_count_tokens: ['input'] },
    })
  },
)

t.test(
  '[BILL-1] a transcript is charged by tokens or seconds as the upstream tells them',
  async (t) => {
    const form = (model: string) => upload({ model }, ['file', wav(6), 'a.wav'])
    const usage = {
      type: 'tokens',
      input_tokens: 104,
      input_token_details: { text_tokens: 4, audio_tokens: 100 },
      output_tokens: 30,
    }
    gateway.answer(json({ text: 'hi', usage }))
    t.equal(
      await gateway.cost(() => gateway.post('/v1/audio/transcriptions', form('gpt-4o-transcribe'))),
      1.25 * (4 + 2.4 * 100 + 4 * 30),
    )
    gateway.answer(json({ text: 'hi', usage: { type: 'duration', seconds: 12 } }))
    t.equal(
      await gateway.cost(() => gateway.post('/v1/audio/translations', form('whisper-1'))),
      600,
    )
    t.equal(last().path, '/v1/audio/translations')
  },
)

t.test('transcripts that are no JSON pass as they are', async (t) => {
  const vtt = 'WEBVTT\n\n00:00.000 --> 00:01.000\nHellö.\n'
  gateway.answer(bytes('text/vtt', [vtt.slice(0, 12), vtt.slice(12)]))
  const form = upload({ response_format: 'vtt' }, ['file', wav(60), 'a.wav'])
  const cost = await gateway.cost(async () => {
    const answer = await gateway.post('/v1/audio/transcriptions', form)
    t.equal(answer.headers.get('content-type'), 'text/vtt')
    t.equal(await answer.text(), vtt)
  })
  t.equal(cost, 3000)
})

const delta = (text: string) => sse({ type: 'transcript.text.delta', delta: text })

t.test(
  'a streamed transcript is passed on and counted; one that breaks is reported and billed',
  async (t) => {
    const usage = { type: 'tokens', input_tokens: 100, output_tokens: 3 }
    const done = sse({ type: 'transcript.text.done', text: 'Hello there', usage })
    const form = () =>
      upload({ model: 'gpt-4o-transcribe', stream: 'true' }, ['file', wav(6), 'a.wav'])
    const transcribe = async () => (await gateway.post('/v1/audio/transcriptions', form())).text()
    let text = ''
    gateway.answer(bytes('text/event-stream', [delta('Hello '), delta('there'), done]))
    const whole = await gateway.cost(async () => {
      text = await transcribe()
    })
    t.equal(text, delta('Hello ') + delta('there') + done)
    t.equal(whole, 1.25 * (2.4 * 100 + 4 * 3))
    gateway.answer(bytes('text/event-stream', [delta('Hello '), delta('there')], true))
    const broken = await gateway.cost(async () => {
      text = await transcribe()
    })
    t.match(text, /^data: .*Hello.*"error"/s)
    t.equal(broken, 1.25 * (2.4 * 100 + 4 * 2), 'six seconds by length, and the words that came')
  },
)

const audio = Buffer.from(Array.from({ length: 300_000 }, (_, at) => (at * 7) % 256))
const speak = { model: 'tts-1', input: 'Hello there.', voice: 'alloy' }

t.test(
  '[SVC-3] speech is the same bytes, and the first are there before the last are made',
  async (t) => {
    let heard: () => void = () => {}
    const first = new Promise<void>((resolve) => {
      heard = resolve
    })
    gateway.answer(bytes('audio/mpeg', [audio.subarray(0, 1000), first, audio.subarray(1000)]))
    const cost = await gateway.cost(async () => {
      const answer = await gateway.postJson('/v1/audio/speech', speak)
      t.equal(answer.headers.get('content-type'), 'audio/mpeg')
      const pieces: Uint8Array[] = []
      for await (const piece of answer.body!) {
        heard()
        pieces.push(piece)
      }
      t.ok(Buffer.concat(pieces).equals(audio))
    })
    t.same(JSON.parse(last().bytes.toString()), speak)
    t.equal(cost, 12 * 7.5, '12 characters at $15 per million')
  },
)

t.test(
  '[BILL-1] speech that breaks off cuts the connection and costs what was queried',
  async (t) => {
    gateway.answer(bytes('audio/mpeg', [audio], true))
    const cost = await gateway.cost(async () => {
      const answer = await gateway.postJson('/v1/audio/speech', speak)
      t.equal(answer.status, 200)
      await t.rejects(answer.arrayBuffer(), 'no proper end')
    })
    t.equal(cost, 90)
    const [row] = await gateway.logs()
    t.match(JSON.parse(row!.other), { failure: 'upstream_broke_off' })
  },
)

t.test('speech that never begins costs nothing', async (t) => {
  for (const nothing of [
    bytes('audio/mpeg', []),
    bytes('audio/mpeg', [], true),
    bytes('text/html', ['<html>busy</html>']),
    json({ error: { message: 'overloaded' } }),
  ]) {
    gateway.answer(nothing)
    const cost = await gateway.cost(async () => {
      const answer = await gateway.postJson('/v1/audio/speech', speak)
      t.ok(answer.status >= 500)
      t.match(await answer.json(), {
        error: { message: String, type: String, param: '', code: String },
      })
    })
    t.equal(cost, 0)
  }
})

t.test('speech as events is charged by the tokens they tell', async (t) => {
  const usage = { input_tokens: 14, output_tokens: 101, total_tokens: 115 }
  const stream =
    sse({ type: 'speech.audio.delta', audio: audio.toString('base64') }) +
    sse({ type: 'speech.audio.done', usage })
  gateway.answer(bytes('text/event-stream', [stream]))
  const cost = await gateway.cost(async () => {
    const ask = { ...speak, model: 'gpt-4o-mini-tts', stream_format: 'sse' }
    const answer = await gateway.postJson('/v1/audio/speech', ask)
    t.equal(await answer.text(), stream)
  })
  t.equal(cost, Math.round(0.3 * (14 + 20 * 101)))
})

t.test('[ERR-1] what an upstream refuses is reported in the frame of errors', async (t) => {
  gateway.answer(json({ error: { message: 'Audio file is too short.', param: 'file' } }, 400))
  const form = upload({ model: 'whisper-1' }, ['file', wav(1), 'a.wav'])
  const cost = await gateway.cost(async () => {
    const answer = await gateway.post('/v1/audio/transcriptions', form)
    t.equal(answer.status, 400)
    t.match(await answer.json(), {
      error: { message: /too short/, type: String, param: 'file', code: 'upstream_rejected' },
    })
  })
  t.equal(cost, 0)
})

t.test(
  'mapping and override reach a form, and a second channel gets the files again',
  async (t) => {
    const other = await gateway.admin.channel({
      ...channelAt(gateway.upstreamUrl),
      name: 'preferred',
      priority: 10,
      model_mapping: JSON.stringify({ 'gpt-image-1': 'my-deployment' }),
      param_override: JSON.stringify({ quality: 'low', n: 1 }),
    })
    gateway.answer((response, request) => {
      const mapped = request.bytes.includes('my-deployment')
      return json(
        mapped ? { error: { message: 'busy' } } : { data: [picture], usage: imageUsage },
        mapped ? 503 : 200,
      )(response, request)
    })
    const before = arrived.length
    const form = upload({ model: 'gpt-image-1', prompt: 'x', quality: 'high' }, [
      'image',
      png(),
      'a.png',
      'image/png',
    ])
    const answer = await gateway.post('/v1/images/edits', form)
    t.equal(answer.status, 200)
    const [first, second] = await Promise.all(arrived.slice(before).map((one) => one.form()))
    t.equal(first?.get('model'), 'my-deployment')
    t.equal(first?.get('quality'), 'low')
    t.equal(first?.get('n'), '1')
    t.equal(second?.get('model'), 'gpt-image-1')
    t.equal(second?.get('quality'), 'high')
    t.equal(second?.get('n'), null)
    for (const sent of [first!, second!]) {
      t.same(await filesOf(sent, 'image'), [{ name: 'a.png', type: 'image/png', bytes: png() }])
    }
    await gateway.admin.must('DELETE', `/api/channel/${other}`)
  },
)

t.test('a large upload is held in memory a few times at most', async (t) => {
  const size = 20 * 1024 * 1024
  let peak = 0
  let received = 0
  const look = () => {
    peak = Math.max(peak, process.memoryUsage().arrayBuffers)
  }
  const large = await mediaGateway(t, {
    onUpload(bytes) {
      received += bytes
      look()
    },
  })
  large.answer(json({ text: 'long' }))
  const head = '--large\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\n\r\n'
  const pieces = [
    Buffer.from(head),
    ...Array.from({ length: 320 }, () => piece),
    Buffer.from('\r\n--large--\r\n'),
  ]
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      look()
      const next = pieces.shift()
      if (next === undefined) controller.close()
      else controller.enqueue(next)
    },
  })
  const before = process.memoryUsage().arrayBuffers
  const answer = await large.post('/v1/audio/transcriptions', body, {
    'content-type': 'multipart/form-data; boundary=large',
  })
  t.equal(answer.status, 200)
  t.ok(received > size)
  t.ok(peak - before < 5 * size, 'under five times its size')
})

/** Sent many times over; it takes memory once. */
const piece = Buffer.alloc(64 * 1024)
