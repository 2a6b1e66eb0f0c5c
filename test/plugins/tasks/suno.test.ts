/** Suno: what is submitted where, how its tasks are read, and how a song is continued. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Progress, TaskAdapter, TaskContext, TaskRef } from '../../../kernel/contract/task.js'
import create from '../../../plugins/tasks/suno/index.js'
import { strictSuno } from '../../kit/tasks/suno.js'
import { replied, sentTo } from '../../kit/tasks/upstream.js'

const adapter = create().operations.music as TaskAdapter
const channel = { id: 1, type: 36, baseUrl: 'https://suno.example/', settings: {} }
const key = { key: 'suno-key' }
const call = { now: 0, forwarded: { headers: {} }, model: 'suno_music', stream: false }
const fixture = JSON.parse(
  readFileSync(new URL('../../fixtures/tasks/suno/fetched.json', import.meta.url), 'utf8'),
)

function shaped(value: JsonObject, given?: TaskContext) {
  const body = { kind: 'json', value: { model: 'suno_music', ...value } } as const
  return adapter.shape(body, channel, 'suno_music', given)
}

function submit(upstream: ReturnType<typeof strictSuno>, value: JsonObject, given?: TaskContext) {
  const wire = shaped(value, given)
  const reply = sentTo(upstream, adapter.address(wire, channel, key, call))
  const found = adapter.submitted(reply, wire, 'suno_music')
  if ('failure' in found) throw new Error(found.failure.message)
  return found
}

function refOf(ref: string): TaskRef {
  return { ref, action: 'music', model: 'suno_music', keep: {} }
}

function read(answer: unknown, ...refs: string[]): readonly Progress[] {
  const found = adapter.poll.read(replied(answer), refs.map(refOf), channel)
  if ('failure' in found) throw new Error(found.failure.message)
  return found
}

const [song, lyrics] = fixture.data

t.test('a song is submitted, watched and found', async (t) => {
  const upstream = strictSuno()
  const { ref } = submit(
    upstream,
    { action: 'music', gpt_description_prompt: 'salsa', mv: 'chirp-v4', notify_hook: 'mine' },
    { callbackUrl: 'https://gateway.example/report/1' },
  )
  t.equal(upstream.last.path, '/suno/submit/music')
  t.strictSame(upstream.last.body, {
    gpt_description_prompt: 'salsa',
    mv: 'chirp-v4',
    notify_hook: 'https://gateway.example/report/1',
  })
  upstream.change(ref, { ...song, task_id: ref })
  const poll = adapter.poll.request([refOf(ref), refOf('gone')], channel, key, { now: 0 })
  const [done, ...others] = read(JSON.parse(String(sentTo(upstream, poll).body)), ref, 'gone')
  t.strictSame(others, [])
  t.match(done, { ref, state: 'succeeded', percent: 100, createdAt: 1726911801000 })
  t.strictSame(
    done?.results?.map(({ type }) => type),
    ['audio', 'audio', 'video'],
  )
  t.match(done?.results?.[0]?.meta, {
    clip_id: '3435e194-50e7-4edc-9442-bffe072fccfc',
    title: 'Weekend',
    duration: 128.92,
    cover_url: /image_large/,
  })
})

t.test('lyrics are a text', async (t) => {
  const upstream = strictSuno()
  submit(upstream, { action: 'lyrics', prompt: 'a weekend' })
  t.equal(upstream.last.path, '/suno/submit/lyrics')
  t.strictSame(upstream.last.body, { prompt: 'a weekend' })
  const [done] = read(fixture, lyrics.task_id)
  t.match(done?.results, [{ type: 'text', text: /weekend is here/ }])
})

t.test('a song is continued by the id the upstream knows', async (t) => {
  const upstream = strictSuno()
  const { ref } = submit(upstream, { action: 'music', prompt: 'x' })
  const more = { action: 'music', prompt: 'y', task_id: 'task_1', continue_clip_id: 'c' }
  submit(upstream, more, { origin: { ...refOf(ref), results: [] } })
  t.match(upstream.last.body, { task_id: ref, continue_clip_id: 'c' })
  t.throws(() => shaped(more), { code: 'invalid_request', param: 'task_id' })
  t.throws(() => adapter.address(shaped({ action: '../x' }), channel, key, call))
})

t.test(
  'refusals are the fault of whom the status names, whatever status carried them',
  async (t) => {
    const of = (body: unknown) => adapter.submitted(replied(body), { kind: 'none' }, 'suno_music')
    t.match(of({ code: 'invalid_request', message: 'prompt is empty', data: null }), {
      failure: { blame: 'client', message: /prompt is empty/ },
    })
    t.match(of({ code: 'success', data: { task_id: 'x' } }), { ref: 'x' })
    for (const hostile of [{}, [], null, { code: 'success' }, { code: 'success', data: {} }]) {
      t.match(of(hostile), { failure: { blame: 'upstream' } })
    }
    t.match(of({ code: 'task_failed', message: 'x' }), { failure: { blame: 'upstream' } })
    const refused = sentTo(
      strictSuno('other'),
      adapter.address(shaped({ action: 'music' }), channel, key, call),
    )
    t.match(adapter.fail(refused.status, {}, refused.body), { blame: 'channel', status: 401 })
  },
)

t.test('words are states; one that is not known is never a failure', async (t) => {
  const states = {
    NOT_START: 'queued',
    SUBMITTED: 'queued',
    QUEUED: 'queued',
    IN_PROGRESS: 'running',
    SUCCESS: 'succeeded',
    FAILURE: 'failed',
    UNKNOWN: 'unknown',
  }
  for (const [status, state] of Object.entries(states)) {
    const data = [{ task_id: '7', status, fail_reason: 'why', data: [{ audio_url: 'https://x' }] }]
    const [found] = read({ code: 'success', data }, '7')
    t.match(found, { state, word: status })
    t.equal(found?.reason, state === 'failed' ? 'why' : undefined)
    t.equal(found?.results?.length, state === 'failed' ? undefined : 1)
  }
})

t.test('answers of any kind are read without a throw', async (t) => {
  for (const task of [
    {},
    null,
    { task_id: '7', data: 'x' },
    { task_id: '7', status: {}, progress: '-3%', data: [null, 4, { audio_url: 'file:///x' }] },
    { task_id: '8', status: 'FAILURE' },
  ]) {
    for (const { ref, percent = 0, results } of read({ code: 'success', data: [task] }, '7')) {
      t.equal(ref, '7')
      t.equal(percent, 0)
      t.notOk(results)
    }
  }
  t.strictSame(read({ code: 'success', data: 4 }, '7'), [])
  const page = { status: 200, headers: {}, body: Buffer.from('<html>') }
  t.match(adapter.poll.read(page, [refOf('7')], channel), { failure: { blame: 'upstream' } })
})

t.test('a report concerns the task at whose address it arrives, or none', async (t) => {
  const report = (body: unknown) => ({
    method: 'POST',
    headers: {},
    query: {},
    body: Buffer.from(JSON.stringify(body)),
  })
  t.match(adapter.notice!(report(song), refOf(song.task_id)), { state: 'succeeded' })
  t.match(adapter.notice!(report({ code: 'success', data: song }), refOf(song.task_id)), {
    state: 'succeeded',
  })
  t.equal(adapter.notice!(report(song), refOf('x')), undefined)
  t.equal(adapter.notice!(report('x'), refOf('x')), undefined)
})

t.test('one piece a submission, by the model of the maker', async (t) => {
  const of = (value: JsonObject) =>
    adapter.quantities(shaped(value), 'suno_music', { kind: 'json', value })
  t.strictSame(of({ action: 'music', prompt: 'x' }), {
    counts: { piece: 1 },
    dimensions: { action: 'music', instrumental: 'false' },
  })
  t.match(of({ action: 'music', mv: 'chirp-v4', make_instrumental: true }).dimensions, {
    mv: 'chirp-v4',
    instrumental: 'true',
  })
})
