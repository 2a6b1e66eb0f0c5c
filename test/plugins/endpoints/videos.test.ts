/** `/v1/videos` through the client library of OpenAI, and what it does not send. */
import OpenAI, { type APIError, toFile } from 'openai'
import t, { type Test } from 'tap'
import { jsonOf } from '../../../kernel/toolkit/operation/index.js'
import type { TaskRecord } from '../../../plugins/services/tasks/index.js'
import { bearer, createdAt, video, videoGateway } from './video-gateway.js'

async function client(t: Test, records: TaskRecord[] = []) {
  const gateway = await videoGateway(t, records)
  const baseURL = `http://127.0.0.1:${gateway.port}/v1`
  const openai = new OpenAI({ apiKey: 'sk-7', baseURL, maxRetries: 0 })
  const post = (body: unknown, path = '/v1/videos') =>
    gateway.ask('POST', path, {
      headers: { ...bearer(), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const sent = () => jsonOf(gateway.requests.at(-1)!.body)
  return { ...gateway, openai, post, sent }
}

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)
const done = video({
  state: 'succeeded',
  percent: 90,
  startedAt: createdAt + 1000,
  finishedAt: createdAt + 60_000,
  request: { prompt: 'a cat', seconds: '8', size: '1280x720' },
  results: [
    { type: 'image', url: 'https://cdn.example/1.png', index: 0 },
    { type: 'video', url: 'https://gateway.example/clip?signature=1', index: 1 },
    { type: 'image', meta: { variant: 'spritesheet' }, index: 2 },
  ],
})

t.test('a submission as the library sends it becomes the operation video', async (t) => {
  const { openai, requests, sent } = await client(t)
  const made = await openai.videos.create({
    model: 'sora-2',
    prompt: 'a cat',
    seconds: '8',
    size: '1280x720',
    input_reference: await toFile(png, 'cat.bin', { type: 'application/octet-stream' }),
  })
  t.match(requests, [{ operation: 'video', format: 'chat', credential: { key: 'sk-7' }, task: {} }])
  t.strictSame(sent(), {
    model: 'sora-2',
    prompt: 'a cat',
    seconds: '8',
    size: '1280x720',
    input_reference: `data:image/png;base64,${png.toString('base64')}`,
  })
  const { task_id, metadata, ...exact } = made as typeof made & Record<string, unknown>
  t.strictSame(exact, {
    id: 'task_1',
    object: 'video',
    created_at: 1_712_158_011,
    completed_at: null,
    expires_at: null,
    status: 'queued',
    progress: 0,
    model: 'sora-2',
    prompt: 'a cat',
    seconds: '8',
    size: '1280x720',
    remixed_from_video_id: null,
    error: null,
  })
  t.equal(task_id, 'task_1')
  t.strictSame(metadata, {})
})

t.test('a picture may be an address, and the model the usual one', async (t) => {
  const { openai, sent } = await client(t)
  const image_url = 'https://pictures.example/cat.png'
  await openai.videos.create({ prompt: 'a cat', input_reference: { image_url } })
  t.strictSame(sent(), { prompt: 'a cat', input_reference: { image_url }, model: 'sora-2' })
})

t.test('JSON goes on as it came, its callback address aside', async (t) => {
  const { post, requests, sent } = await client(t)
  const body = { model: 'other', prompt: 'a cat', seconds: 4, metadata: { mode: 'pro' } }
  t.equal((await post({ ...body, callback_url: 'https://client.example/hook' })).status, 200)
  t.strictSame(sent(), body)
  t.strictSame(requests[0]?.task, { callbackUrl: 'https://client.example/hook' })
  t.equal((await post({ ...body, callback_url: '' })).status, 200)
  t.strictSame(requests[1]?.task, {})
  t.notOk('callback_url' in sent())
  const refused = await post({ ...body, callback_url: 4 })
  t.match(refused, { status: 400, json: { error: { param: 'callback_url' } } })
})

t.test('a form has numbers, lists and objects where the operation has', async (t) => {
  const { ask, sent, port } = await client(t)
  const send = async (fields: readonly (readonly [string, string | Blob])[]) => {
    const body = new FormData()
    for (const [name, value] of [['prompt', 'x'], ['model', 'm'], ...fields] as const) {
      body.append(name, value)
    }
    const address = `http://127.0.0.1:${port}/v1/videos`
    const reply = await fetch(address, { method: 'POST', headers: bearer(), body })
    return { status: reply.status, body: (await reply.json()) as { error: { param: string } } }
  }
  const picture = new Blob([png], { type: 'image/png' })
  await send([
    ['fps', '24'],
    ['n', '2'],
    ['audio', 'false'],
    ['metadata', '{"mode":"pro"}'],
    ['images[]', 'https://pictures.example/1.png'],
    ['images[]', 'https://pictures.example/2.png'],
    ['images', picture],
  ])
  t.strictSame(sent(), {
    ...{ prompt: 'x', model: 'm', fps: 24, n: 2, audio: false, metadata: { mode: 'pro' } },
    images: [
      'https://pictures.example/1.png',
      'https://pictures.example/2.png',
      `data:image/png;base64,${png.toString('base64')}`,
    ],
  })
  await send([
    ['metadata[a]', '1'],
    ['metadata[b]', '2'],
  ])
  t.strictSame(sent().metadata, { a: '1', b: '2' })
  for (const [name, value, param] of [
    ['metadata', 'no JSON', 'metadata'],
    ['n', 'two', 'n'],
    ['mask', picture, 'mask'],
    ['metadata[__proto__]', 'x', ''],
  ] as const) {
    const { status, body } = await send([[name, value]])
    t.equal(status, 400, name)
    t.equal(body.error.param, param, name)
  }
  const plain = await ask('POST', '/v1/videos', {
    headers: { ...bearer(), 'content-type': 'text/plain' },
    body: 'x',
  })
  t.equal(plain.status, 415)
})

const dataUrl = (mime: string, bytes = 9) =>
  `data:${mime};base64,${Buffer.alloc(bytes).toString('base64')}`

t.test('[API-8] a clip a client sends as a data URL is of one of four types', async (t) => {
  const { post } = await client(t)
  const body = { model: 'm', prompt: 'x' }
  for (const type of ['mp4', 'webm', 'quicktime', 'x-matroska']) {
    t.equal((await post({ ...body, video: dataUrl(`video/${type}`) })).status, 200, type)
  }
  for (const type of ['video/x-msvideo', 'video/mpeg', 'image/png', 'text/html', 'video/MP4x']) {
    const reply = await post({ ...body, video: dataUrl(type) })
    t.match(reply, { status: 400, json: { error: { param: 'video', code: 'invalid_request' } } })
  }
})

t.test('[API-8] a clip of 100 MiB is taken, and not one byte more', async (t) => {
  const { post } = await client(t)
  const most = 100 * 1024 * 1024
  const of = (bytes: number) =>
    post({ model: 'm', prompt: 'x', video: dataUrl('video/mp4', bytes) })
  t.equal((await of(most)).status, 200)
  t.match(await of(most + 1), {
    status: 400,
    json: { error: { param: 'video', message: /100 MiB/ } },
  })
})

t.test('[API-8] a clip among the files of a form is held to the same types', async (t) => {
  const { openai, sent } = await client(t)
  const of = async (type: string) =>
    openai.videos.create({
      prompt: 'x',
      input_reference: await toFile(Buffer.from('clip'), 'a', { type }),
    })
  await of('video/webm')
  t.equal(sent().video, `data:video/webm;base64,${Buffer.from('clip').toString('base64')}`)
  for (const [type, param] of [
    ['video/x-msvideo', 'video'],
    ['text/html', 'input_reference'],
    ['image/svg+xml', 'input_reference'],
  ] as const) {
    const error = (await of(type).catch((error: unknown) => error)) as APIError
    t.match({ status: error.status, param: error.param }, { status: 400, param })
  }
})

t.test('a task is shown as the library reads it, with the address of its clip', async (t) => {
  const { openai } = await client(t, [done])
  t.match(await openai.videos.retrieve('task_1'), {
    id: 'task_1',
    status: 'completed',
    progress: 100,
    completed_at: 1_712_158_071,
    prompt: 'a cat',
    seconds: '8',
    size: '1280x720',
    task_id: 'task_1',
    metadata: { url: 'https://gateway.example/clip?signature=1' },
  })
})

t.test('how a task goes has the words of the API', async (t) => {
  const records = [video()]
  const { openai } = await client(t, records)
  for (const [state, status] of [
    ['submitting', 'queued'],
    ['queued', 'queued'],
    ['running', 'in_progress'],
    ['unknown', 'in_progress'],
    ['succeeded', 'completed'],
    ['failed', 'failed'],
  ] as const) {
    records[0] = video({ state, percent: 40.5, reason: 'it was blocked' })
    const { error, ...shown } = await openai.videos.retrieve('task_1')
    t.equal(shown.status, status, state)
    t.equal(shown.progress, state === 'succeeded' ? 100 : 40)
    const failed = { code: 'video_generation_failed', message: 'it was blocked' }
    t.strictSame(error, state === 'failed' ? failed : null)
  }
  records[0] = video({ raw: { seconds: '4', size: '720x1280', id: 'x' }, request: { duration: 5 } })
  t.match(await openai.videos.retrieve('task_1'), { seconds: '5', size: '720x1280', prompt: null })
})

t.test('what is another user’s, or no video, is not found', async (t) => {
  const records = [
    video({ taskId: 'task_8', userId: 8, state: 'succeeded', results: done.results }),
    video({ taskId: 'task_mj', operation: 'midjourney', results: done.results }),
  ]
  const { openai, reads, ask, requests } = await client(t, records)
  const remix = { prompt: 'a dog' }
  for (const id of ['task_8', 'task_mj', 'task_none']) {
    const calls = [
      () => openai.videos.retrieve(id),
      () => openai.videos.downloadContent(id),
      () => openai.videos.delete(id),
      () => openai.videos.remix(id, remix),
      () => openai.videos.list({ after: id }),
    ]
    for (const call of calls) {
      const error = (await Promise.resolve(call()).catch((error: unknown) => error)) as APIError
      t.match({ status: error.status, code: error.code }, { status: 404, code: 'task_not_found' })
    }
  }
  t.strictSame(reads, [])
  t.strictSame(requests, [])
  t.equal(records.length, 2)
  for (const path of ['/v1/videos', '/v1/videos/task_8', '/v1/videos/task_8/content']) {
    t.equal((await ask('GET', path)).status, 401, path)
    t.equal((await ask('GET', path, { headers: bearer(9) })).status, 401, path)
  }
})

t.test('the bytes of a clip are downloaded, or of what belongs to it', async (t) => {
  const { openai, reads, ask } = await client(t, [done, video({ taskId: 'task_2' })])
  const response = await openai.videos.downloadContent('task_1')
  t.equal(response.headers.get('content-type'), 'video/mp4')
  t.equal(await response.text(), 'clip')
  await openai.videos.downloadContent('task_1', { variant: 'thumbnail' })
  await openai.videos.downloadContent('task_1', { variant: 'spritesheet' })
  const headers = { ...bearer(), range: 'bytes=0-3' }
  t.equal((await ask('GET', '/v1/videos/task_1/content', { headers })).status, 206)
  t.strictSame(reads, [
    ['task_1', 1, undefined],
    ['task_1', 0, undefined],
    ['task_1', 2, undefined],
    ['task_1', 1, 'bytes=0-3'],
  ])
  const of = (path: string) => ask('GET', `/v1/videos/${path}`, { headers: bearer() })
  t.match(await of('task_2/content'), {
    status: 404,
    json: { error: { code: 'task_result_missing' } },
  })
  for (const variant of ['audio', 'constructor', '__proto__']) {
    t.match(await of(`task_1/content?variant=${variant}`), {
      status: 400,
      json: { error: { param: 'variant' } },
    })
  }
})

t.test('a clip is made anew from the task that made it, with its model', async (t) => {
  const { openai, requests, sent, post } = await client(t, [{ ...done, model: 'sora-2-pro' }])
  const made = await openai.videos.remix('task_1', { prompt: 'a dog' })
  t.strictSame(sent(), { model: 'sora-2-pro', prompt: 'a dog', action: 'remix' })
  t.strictSame(requests[0]?.task, { originId: 'task_1' })
  t.match(made, { id: 'task_2', remixed_from_video_id: 'task_1', model: 'sora-2-pro' })
  const path = '/v1/videos/task_1/remix'
  for (const body of [{}, { prompt: '' }, { prompt: 4 }]) {
    t.match(await post(body, path), { status: 400, json: { error: { param: 'prompt' } } })
  }
  await post({ prompt: 'x', action: 'generate', callback_url: 'https://client.example/h' }, path)
  t.equal(sent().action, 'remix')
  t.match(requests.at(-1)?.task, { originId: 'task_1', callbackUrl: 'https://client.example/h' })
})

t.test('a task is deleted by its owner', async (t) => {
  const records = [done]
  const { openai } = await client(t, records)
  t.strictSame(await openai.videos.delete('task_1'), {
    id: 'task_1',
    object: 'video.deleted',
    deleted: true,
  })
  t.equal(records.length, 0)
})

/** Oldest first; three of them in each second. */
function many(count: number): TaskRecord[] {
  return Array.from({ length: count }, (_, at) =>
    video({ taskId: `task_${at}`, createdAt: createdAt + Math.floor(at / 3) * 1000 }),
  )
}

for (const order of ['desc', 'asc'] as const) {
  t.test(`the list goes page by page through every task once, ${order}`, async (t) => {
    const records = many(23)
    records.splice(4, 0, video({ taskId: 'task_mj', operation: 'midjourney' }))
    records.splice(9, 0, video({ taskId: 'task_8', userId: 8 }))
    const { openai } = await client(t, records)
    for (const limit of [1, 4, 5, 22, 23, 100]) {
      const seen: string[] = []
      for await (const { id } of openai.videos.list({ limit, order })) seen.push(id)
      const all = many(23).map(({ taskId }) => taskId)
      t.strictSame(seen, order === 'asc' ? all : all.reverse(), `limit ${limit}`)
    }
  })
}

t.test('the list states where it begins and ends, and whether there is more', async (t) => {
  const { ask } = await client(t, many(25))
  const of = async (query: string) =>
    (await ask('GET', `/v1/videos${query}`, { headers: bearer() })).json
  t.match(await of(''), {
    object: 'list',
    first_id: 'task_24',
    last_id: 'task_5',
    has_more: true,
  })
  t.match(await of('?after=task_5'), { first_id: 'task_4', last_id: 'task_0', has_more: false })
  t.match(await of('?after=task_0'), { data: [], first_id: null, last_id: null, has_more: false })
  t.match(await of('?limit=100&order=asc'), { first_id: 'task_0', has_more: false })
  for (const [query, param] of [
    ['?limit=0', 'limit'],
    ['?limit=101', 'limit'],
    ['?limit=x', 'limit'],
    ['?order=up', 'order'],
  ] as const) {
    t.match(await of(query), { error: { param, code: 'invalid_request' } }, query)
  }
})
