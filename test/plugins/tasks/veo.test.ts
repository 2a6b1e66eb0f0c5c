/** Veo on channels of Gemini and of Vertex AI: addresses, requests, operations, and what they are billed by. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Progress, TaskAdapter, TaskRef } from '../../../kernel/contract/task.js'
import { readReplyAhead } from '../../../kernel/toolkit/json/index.js'
import { jsonOf } from '../../../kernel/toolkit/operation/index.js'
import create from '../../../plugins/tasks/veo/index.js'
import { replied, sentTo } from '../../kit/tasks/upstream.js'
import { type StrictVeo, strictVeo } from '../../kit/tasks/veo.js'

const adapters = create().operations.video as readonly TaskAdapter[]
const picture = 'data:image/png;base64,iVBORw0KGgo='
const places = {
  gemini: {
    adapter: adapters[0]!,
    channel: {
      id: 1,
      type: 24,
      baseUrl: 'https://generativelanguage.googleapis.com',
      settings: { api_version: 'v1beta' },
    },
    credentials: { key: ' key ' },
  },
  vertex: {
    adapter: adapters[1]!,
    channel: {
      id: 1,
      type: 41,
      baseUrl: 'https://aiplatform.googleapis.com',
      settings: { region: '{"default":"global","veo-3.0-generate-001":"us-central1"}' },
    },
    credentials: { key: '{"project_id":"acme-1"}', token: 'token' },
  },
} as const
type Kind = keyof typeof places

function recorded(name: string): JsonObject {
  const file = new URL(`../../fixtures/tasks/veo/${name}.json`, import.meta.url)
  return JSON.parse(readFileSync(file, 'utf8'))
}

const usual = 'veo-3.0-generate-001'

function shaped(kind: Kind, value: JsonObject, model = usual) {
  const { adapter, channel } = places[kind]
  return adapter.shape(
    { kind: 'json', value: { model, prompt: 'A cat', ...value } },
    channel,
    model,
  )
}

function addressed(kind: Kind, model = usual, over: object = {}) {
  const { adapter, channel, credentials } = places[kind]
  const context = { now: 0, forwarded: { headers: {} }, model, stream: false }
  return adapter.address({ kind: 'none' }, { ...channel, ...over }, credentials, context)
}

function submit(kind: Kind, upstream: StrictVeo, value: JsonObject): TaskRef {
  const wire = shaped(kind, value)
  const body = JSON.stringify(wire.kind === 'json' ? wire.value : null)
  const reply = sentTo(upstream, { ...addressed(kind), body })
  const found = places[kind].adapter.submitted(reply, wire, usual)
  if ('failure' in found) throw new Error(String(reply.body))
  return { ref: found.ref, action: 'generate', model: usual, keep: found.keep ?? {} }
}

function polled(kind: Kind, upstream: StrictVeo, task: TaskRef): Progress {
  const { adapter, channel, credentials } = places[kind]
  const reply = sentTo(upstream, adapter.poll.request([task], channel, credentials, { now: 0 }))
  const found = adapter.poll.read(reply, [task], channel)
  if ('failure' in found) throw new Error(String(reply.body))
  return found[0]!
}

function read(kind: Kind, answer: JsonObject, ref = String(answer.name)) {
  const { adapter, channel } = places[kind]
  const task = { ref, action: 'generate', model: usual, keep: { seconds: 6 } }
  return adapter.poll.read(replied(answer), [task], channel)
}

function counted(value: JsonObject, model = usual, kind: Kind = 'vertex') {
  return places[kind].adapter.quantities(shaped(kind, value, model), model, { kind: 'none' })
}

t.test('each service serves its own channels, for models of this name alone', async (t) => {
  const served = (model: string) =>
    (['gemini', 'vertex'] as const).map((kind) =>
      adapters.map((one) => one.serves!(places[kind].channel, model)),
    )
  t.strictSame(served('google/veo-3.0-generate-001'), [
    [true, false],
    [false, true],
  ])
  t.strictSame(served('gemini-3-flash').flat(), [false, false, false, false])
})

t.test('a clip is made, watched and found at both services', async (t) => {
  for (const kind of ['gemini', 'vertex'] as const) {
    const upstream = strictVeo(kind)
    const task = submit(kind, upstream, {
      seconds: '6',
      size: '1080x1920',
      negative_prompt: 'dogs',
      seed: 7,
      n: 2,
      metadata: { personGeneration: 'allow_adult', storageUri: 'gs://mine', instances: [{}] },
    })
    t.strictSame(upstream.last, {
      instances: [{ prompt: 'A cat' }],
      parameters: {
        aspectRatio: '9:16',
        durationSeconds: 6,
        resolution: '1080p',
        negativePrompt: 'dogs',
        sampleCount: 2,
        seed: 7,
        ...(kind === 'vertex' && { generateAudio: true }),
        personGeneration: 'allow_adult',
      },
    })
    t.match(polled(kind, upstream, task), { ref: task.ref, state: 'running' })
    upstream.finish(task.ref, 2)
    const made = { counts: { piece: 2, second: 12 } }
    const clip = kind === 'gemini' ? { keyed: true } : { data: 'data:video/mp4;base64,bXA0' }
    t.match(polled(kind, upstream, task), { state: 'succeeded', made, results: [clip, clip] })
    upstream.filter(task.ref)
    t.match(polled(kind, upstream, task), { state: 'failed', reason: 'No.' })
    upstream.fail(task.ref, 'No access to projects/acme-1/locations/us-central1.')
    t.match(polled(kind, upstream, task), { state: 'failed', reason: 'No access to projects/***' })
  }
})

t.test('files of Gemini are fetched with the key of the channel, at its own address', async (t) => {
  const upstream = strictVeo('gemini')
  const task = submit('gemini', upstream, {})
  upstream.finish(task.ref)
  const [clip] = polled('gemini', upstream, task).results!
  const { adapter, channel, credentials } = places.gemini
  const at = (over: object) =>
    adapter.content!(task, clip!, { ...channel, ...over }, credentials, { now: 0 })
  t.equal(String(sentTo(upstream, at({})).body), 'mp4')
  t.match(at({ baseUrl: 'https://proxy.example/google/v1beta' }), {
    url: 'https://proxy.example/google/v1beta/files/f0:download',
    headers: { 'x-goog-api-key': 'key' },
  })
})

t.test('clips in a bucket are fetched with the token, which is sent nowhere else', async (t) => {
  const found = read('vertex', recorded('vertex')) as readonly Progress[]
  t.match(found, [{ state: 'succeeded', made: { counts: { piece: 2, second: 12 } } }])
  const [clip] = found[0]!.results!
  const url =
    'https://storage.googleapis.com/storage/v1/b/storage-bucket/o/TIMESTAMPED_SUBDIRECTORY%2Fsample_0.mp4?alt=media'
  t.strictSame(clip, { type: 'video', url, keyed: true })
  const { adapter, channel, credentials } = places.vertex
  const task = { ref: 'r', action: 'generate', model: usual, keep: {} }
  const at = (of: string) =>
    adapter.content!(task, { type: 'video', url: of }, channel, credentials, { now: 0 }).headers
  t.equal(at(url).authorization, 'Bearer token')
  t.notOk(at('https://storage.googleapis.com.evil.example/x').authorization)
})

t.test('a channel of Vertex AI is called in its project and region', async (t) => {
  const model = `publishers/google/models/${usual}`
  t.equal(
    addressed('vertex', `google/${usual}`).url,
    `https://us-central1-aiplatform.googleapis.com/v1/projects/acme-1/locations/us-central1/${model}:predictLongRunning`,
  )
  const region = (of: string) => addressed('vertex', usual, { settings: { region: of } }).url
  t.match(
    region('global'),
    /^https:\/\/aiplatform\.googleapis\.com\/v1\/projects\/acme-1\/locations\/global\//,
  )
  t.match(region('eu'), /^https:\/\/aiplatform\.eu\.rep\.googleapis\.com\//)
  t.throws(() => region('evil.example/'), { code: 'channel:address_refused' })
  t.throws(() => region('{broken'), { code: 'channel:address_refused' })
  const { adapter, channel } = places.vertex
  const context = { now: 0, forwarded: { headers: {} }, model: usual, stream: false }
  const express = adapter.address({ kind: 'none' }, channel, { key: 'AIza' }, context)
  t.match(express, {
    url: `https://aiplatform.googleapis.com/v1/${model}:predictLongRunning`,
    headers: { 'x-goog-api-key': 'AIza' },
  })
  const broken = { key: '{"project_id":"../x"}', token: 'token' }
  t.throws(() => adapter.address({ kind: 'none' }, channel, broken, context), {
    code: 'channel:invalid_key',
  })
  const ref = `projects/other-1/locations/europe-west4/publishers/google/models/veo-x/operations/o`
  const task = { ref, action: 'generate', model: usual, keep: {} }
  const poll = adapter.poll.request([task], channel, places.vertex.credentials, { now: 0 })
  t.match(poll, {
    method: 'POST',
    url: 'https://europe-west4-aiplatform.googleapis.com/v1/projects/other-1/locations/europe-west4/publishers/google/models/veo-x:fetchPredictOperation',
    body: JSON.stringify({ operationName: ref }),
  })
})

t.test('pictures are frames, or show what the clip is about', async (t) => {
  const instance = (value: JsonObject) => {
    const wire = shaped('gemini', value, 'veo-3.1-generate-preview')
    return (jsonOf(wire).instances as readonly JsonObject[])[0]!
  }
  const bytes = { bytesBase64Encoded: 'iVBORw0KGgo=', mimeType: 'image/png' }
  t.strictSame(instance({ image: picture, image_tail: picture }), {
    prompt: 'A cat',
    image: bytes,
    lastFrame: bytes,
  })
  t.strictSame(instance({ images: [picture, picture] }).referenceImages, [
    { image: bytes, referenceType: 'asset' },
    { image: bytes, referenceType: 'asset' },
  ])
})

t.test('what cannot be expressed is refused by its name', async (t) => {
  const url = 'https://x.example/a.png'
  for (const [value, param, model = usual, kind = 'vertex'] of [
    [{ n: 5 }, 'n'],
    [{ image: url }, 'image'],
    [{ image_tail: url }, 'image_tail'],
    [{ images: [picture, url] }, 'images'],
    [{ images: Array(4).fill(picture) }, 'images'],
    [{ images: [picture, picture], image_tail: picture }, 'image_tail'],
    [{ video: 'https://x.example/a.mp4' }, 'video'],
    [{ audio_url: 'https://x.example/a.mp3' }, 'audio_url'],
    [{ audio: false }, 'audio', usual, 'gemini'],
    [{ audio: true }, 'audio', 'veo-2.0-generate-001'],
    [{ seconds: 5 }, 'seconds'],
    [{ seconds: 4 }, 'seconds', 'veo-2.0-generate-001'],
    [{ size: '1080x1080' }, 'size'],
    [{ aspect_ratio: '1:1' }, 'aspect_ratio'],
    [{ resolution: '4k' }, 'resolution'],
    [{ size: '1920x1080' }, 'size', 'veo-2.0-generate-001'],
  ] as const) {
    const refused = { code: 'invalid_request', param }
    t.throws(() => shaped(kind as Kind, value as JsonObject, model), refused, param)
  }
  t.doesNotThrow(() => shaped('gemini', { seconds: 12, resolution: '8k' }, 'veo-9.0-generate-001'))
})

t.test('what was left out is counted as the service fills it in', async (t) => {
  t.strictSame(counted({}), {
    counts: { second: 8, piece: 1 },
    dimensions: { resolution: '720p', aspect_ratio: '16:9', audio: 'true' },
  })
  t.match(counted({}, usual, 'gemini'), { dimensions: { audio: 'true' } })
  t.match(counted({ audio: false, seconds: 4, n: 3 }), {
    counts: { second: 12, piece: 3 },
    dimensions: { audio: 'false' },
  })
  t.match(counted({ size: '1280x720' }, 'veo-2.0-generate-001'), {
    dimensions: { audio: 'false', resolution: '720p' },
  })
  t.match(counted({ size: '3840x2160' }, 'veo-3.1-generate-001'), {
    dimensions: { resolution: '4k' },
  })
  const own = {
    metadata: { parameters: { durationSeconds: '4', sampleCount: 2 }, resolution: '1080P' },
  }
  t.match(counted(own), { counts: { second: 8, piece: 2 }, dimensions: { resolution: '1080p' } })
  t.match(counted({ metadata: { durationSeconds: -4, sampleCount: -2 } }), {
    counts: { second: 8 },
  })
})

t.test('documented answers are read', async (t) => {
  t.match(read('gemini', recorded('gemini')), [
    { state: 'succeeded', results: [{ url: /files\/xyz789/, keyed: true }] },
  ])
  t.match(read('gemini', recorded('filtered')), [
    { state: 'failed', reason: /have not been charged/ },
  ])
})

t.test('an answer that is none of the documented is no verdict over a task', async (t) => {
  const { adapter, channel } = places.gemini
  const whole = (text: string) => ({ status: 200, headers: {}, body: Buffer.from(text) })
  const name = 'models/m/operations/a'
  const task = { ref: name, action: 'generate', model: 'm', keep: {} }
  for (const text of [
    '',
    '<html>',
    'null',
    '[]',
    '{}',
    '{"name":{}}',
    '{"error":{"message":"x"}}',
  ]) {
    t.match(
      adapter.submitted(whole(text), { kind: 'none' }, 'm'),
      { failure: { status: 200 } },
      text,
    )
    t.match(adapter.poll.read(whole(text), [task], channel), { failure: { status: 200 } }, text)
  }
  for (const odd of ['models/../operations/a', 'operations/a/../../keys', 'a?b', 'operations/..']) {
    const found = adapter.submitted(replied({ name: odd }), { kind: 'none' }, 'm')
    t.match(found, { failure: { status: 200 } }, odd)
  }
  t.strictSame(read('gemini', { name: 'operations/b', done: true }, name), [])
  t.match(read('gemini', { name, done: 'yes' }), [{ state: 'running' }])
  t.match(read('gemini', { name, done: true, response: { videos: [3, {}, { uri: 'ftp://x' }] } }), [
    { state: 'failed', reason: 'The upstream made no clip.' },
  ])
  t.match(read('gemini', { name, done: true, error: {} }), [{ reason: /no reason/ }])
  const html = { videos: [{ bytesBase64Encoded: 'eA==', mimeType: 'text/html;x' }] }
  t.match(read('vertex', { name, done: true, response: html }), [
    { results: [{ data: 'data:video/mp4;base64,eA==' }] },
  ])
})

t.test('clips as bytes may be large', async (t) => {
  const name = 'projects/p/locations/l/publishers/google/models/m/operations/a'
  const bytesBase64Encoded = 'A'.repeat(24 * 1024 * 1024)
  const videos = [{ bytesBase64Encoded, mimeType: 'video/mp4' }]
  const reply = replied({ name, done: true, response: { videos } })
  t.ok(await readReplyAhead(reply.body), 'as the gateway does')
  const { adapter, channel } = places.vertex
  const task = { ref: name, action: 'generate', model: usual, keep: {} }
  const [progress] = adapter.poll.read(reply, [task], channel) as readonly Progress[]
  t.equal(progress?.state, 'succeeded')
  t.ok(progress?.results?.[0]?.data?.endsWith(bytesBase64Encoded))
})

t.test('refusals are the key, the region or the request', async (t) => {
  const failure = (kind: Kind, status: number, error: JsonObject) =>
    places[kind].adapter.fail(status, {}, Buffer.from(JSON.stringify({ error })))
  const details = [
    { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' },
  ]
  t.match(failure('gemini', 400, { message: 'x', details }), { blame: 'channel' })
  t.match(failure('gemini', 400, { message: 'x', status: 'INVALID_ARGUMENT' }), { blame: 'client' })
  t.match(failure('vertex', 400, { message: 'Model is not servable in region x' }), {
    blame: 'channel',
  })
  t.match(failure('vertex', 400, { message: 'projects/acme-1/locations/x is odd' }), {
    message: /projects\/\*\*\* is odd/,
  })
})
