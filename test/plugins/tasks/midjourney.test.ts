/** Midjourney proxy: what is submitted where, what its codes and words mean, and which task goes on from which. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type {
  Progress,
  Submission,
  TaskAdapter,
  TaskContext,
  TaskRef,
} from '../../../kernel/contract/task.js'
import { jsonOf } from '../../../kernel/toolkit/operation/index.js'
import create from '../../../plugins/tasks/midjourney/index.js'
import { strictMidjourney } from '../../kit/tasks/midjourney.js'
import { replied, sentTo } from '../../kit/tasks/upstream.js'

const adapter = create().operations.midjourney as TaskAdapter
const channel = { id: 1, type: 2, baseUrl: 'https://mj.example', settings: {} }
const key = { key: ' mj-key ' }
const now = { now: 0 }
const call = { now: 0, forwarded: { headers: {} }, model: 'mj_imagine', stream: false }
const context: TaskContext = { callbackUrl: 'https://gateway.example/report/1' }

function shaped(value: JsonObject, given: TaskContext = context) {
  const body = { kind: 'json', value: { model: 'mj_imagine', ...value } } as const
  return adapter.shape(body, channel, 'mj_imagine', given)
}

function submit(upstream: ReturnType<typeof strictMidjourney>, value: JsonObject, given = context) {
  const wire = shaped(value, given)
  const reply = sentTo(upstream, adapter.address(wire, channel, key, call))
  return adapter.submitted(reply, wire, 'mj_imagine')
}

function accepted(found: ReturnType<TaskAdapter['submitted']>): Submission {
  if ('failure' in found) throw new Error(found.failure.message)
  return found
}

function refOf(ref: string): TaskRef {
  return { ref, action: 'imagine', model: 'mj_imagine', keep: {} }
}

function recorded(name: string): JsonObject {
  const path = new URL(`../../fixtures/tasks/midjourney/${name}.json`, import.meta.url)
  return JSON.parse(readFileSync(path, 'utf8'))
}

function read(tasks: unknown, ...refs: string[]): readonly Progress[] {
  const found = adapter.poll.read(replied(tasks), refs.map(refOf), channel)
  if ('failure' in found) throw new Error(found.failure.message)
  return found
}

t.test('a picture is submitted, watched and found', async (t) => {
  const upstream = strictMidjourney()
  const { ref, progress } = accepted(
    submit(upstream, { action: 'imagine', prompt: 'a cat', state: 'order-7', notifyHook: 'mine' }),
  )
  t.equal(upstream.last.path, '/mj/submit/imagine')
  t.strictSame(upstream.last.body, {
    prompt: 'a cat',
    state: 'order-7',
    notifyHook: context.callbackUrl,
  })
  t.match(progress, { state: 'queued', word: 'SUBMITTED' })

  upstream.change(ref, { ...recorded('imagine-succeeded'), id: ref })
  const poll = adapter.poll.request([refOf(ref), refOf('gone')], channel, key, now)
  const [done, ...others] = read(JSON.parse(String(sentTo(upstream, poll).body)), ref, 'gone')
  t.strictSame(others, [], 'a task the upstream does not name is not reported')
  t.match(done, { ref, state: 'succeeded', word: 'SUCCESS', percent: 100 })
  t.match(done?.results?.[0], { type: 'image', url: /cat\.png$/ })
  t.strictSame([done?.createdAt, done?.updatedAt], [1712158011464, 1712158060000])
})

t.test(
  'the seed is fetched with the key of the channel, and only when it is asked for',
  async (t) => {
    const [done] = read([recorded('imagine-succeeded')], '1712158011464906')
    const seed = done?.results?.at(-1)
    t.match(seed, { type: 'file', keyed: true, meta: { name: 'seed' } })
    const request = adapter.content!(refOf('1712158011464906'), seed!, channel, key, now)
    t.match(request, {
      method: 'GET',
      url: 'https://mj.example/mj/task/1712158011464906/image-seed',
    })
    t.equal(sentTo(strictMidjourney(), request).status, 200)
  },
)

t.test(
  'without an address of the gateway no report is requested, whatever the client names',
  async (t) => {
    const wire = jsonOf(shaped({ action: 'imagine', prompt: 'x', notifyHook: 'http://mine' }, {}))
    t.notOk('notifyHook' in wire)
  },
)

t.test('every action has its path, behind the speed that was named', async (t) => {
  const upstream = strictMidjourney()
  const { ref } = accepted(submit(upstream, { action: 'imagine', prompt: 'a cat' }))
  const origin = { ...refOf(ref), results: [] }
  const from = { ...context, origin }
  const ways: readonly [string, JsonObject, TaskContext?][] = [
    ['/mj/submit/change', { action: 'change', verb: 'UPSCALE', index: 1, taskId: 'task_1' }, from],
    ['/mj/submit/simple-change', { action: 'simple-change', content: 'task_1 U1' }, from],
    ['/mj/submit/action', { action: 'action', customId: 'MJ::JOB::x', taskId: 'task_1' }, from],
    ['/mj/submit/modal', { action: 'modal', prompt: 'x', taskId: 'task_1' }, from],
    ['/mj/submit/video', { action: 'video', prompt: 'x', verb: 'extend', taskId: 'task_1' }, from],
    ['/mj-relax/mj/submit/video', { action: 'video', prompt: 'x', speed: 'relax' }],
    ['/mj/submit/describe', { action: 'describe', base64: 'data:,' }],
    ['/mj/submit/blend', { action: 'blend', base64Array: ['a', 'b'] }],
    ['/mj-turbo/mj/submit/shorten', { action: 'shorten', prompt: 'x', speed: 'turbo' }],
    ['/mj/submit/edits', { action: 'edits', prompt: 'x' }],
    [
      '/mj-fast/mj/insight-face/swap',
      { action: 'swap', sourceBase64: 'a', targetBase64: 'b', speed: 'fast' },
    ],
  ]
  for (const [path, fields, given] of ways) {
    t.ok(accepted(submit(upstream, fields, given)).ref)
    t.equal(upstream.last.path, path)
    t.ok(adapter.actions?.includes(String(fields.action)))
    if (given === undefined) continue
    const { taskId, content } = upstream.last.body
    t.ok(content === `${ref} U1` || taskId === ref, `${path} names the task by the upstream's id`)
  }
  t.match(jsonOf(shaped({ action: 'change', verb: 'UPSCALE', index: 1 }, from)), {
    action: 'UPSCALE',
  })
  t.throws(() => adapter.address(shaped({ action: '../x' }), channel, key, call))
})

t.test('what goes on from a task is refused by name where none is named', async (t) => {
  for (const action of ['change', 'action', 'modal']) {
    t.throws(() => shaped({ action }), { code: 'invalid_request', param: 'taskId' })
  }
  t.throws(() => shaped({ action: 'simple-change', content: '' }), {
    code: 'invalid_request',
    param: 'content',
  })
})

t.test('a dialog that opens is accepted, made nothing, and is gone on from', async (t) => {
  const upstream = strictMidjourney()
  const { ref } = accepted(submit(upstream, { action: 'imagine', prompt: 'a cat' }))
  const from = { origin: { ...refOf(ref), results: [] } }
  const dialog = accepted(submit(upstream, { action: 'action', customId: 'MJ::Inpaint::1' }, from))
  t.match(dialog, { made: { counts: { piece: 0 } }, progress: { state: 'queued', again: true } })
  t.match(read([upstream.tasks.get(dialog.ref)], dialog.ref)[0], { state: 'queued', word: 'MODAL' })
  const filled = accepted(
    submit(
      upstream,
      { action: 'modal', prompt: 'a hat', maskBase64: 'a' },
      { origin: { ...refOf(dialog.ref), results: [] } },
    ),
  )
  t.equal(filled.ref, dialog.ref)
  t.notOk(filled.made)
})

t.test('codes are read: what was accepted, and whose fault a refusal is', async (t) => {
  const of = (body: unknown) => adapter.submitted(replied(body), { kind: 'none' }, 'mj_imagine')
  t.match(of({ code: 22, description: 'queued', result: 17 }), { ref: '17' })
  t.match(of({ code: 21, description: 'exists', result: '17' }), { made: { counts: { piece: 0 } } })
  const fault = (body: unknown) => {
    const found = of(body)
    if (!('failure' in found)) throw new Error('it was accepted')
    return found.failure
  }
  t.match(fault({ code: 4, description: 'prompt is empty' }), { blame: 'client', status: 400 })
  t.match(fault({ code: 4, description: 'prompt is empty' }).message, /prompt is empty/)
  t.match(fault(recorded('banned')), { blame: 'client', type: 'banned_prompt' })
  t.match(fault(recorded('banned')).message, /bloody/)
  t.match(fault({ code: 23, description: 'full' }), {
    blame: 'channel',
    status: 429,
    type: 'queue_full',
  })
  t.match(fault({ code: 30, description: 'saturated' }), { blame: 'channel', status: 429 })
  t.match(fault({ code: 5, description: 'unknown' }), { blame: 'upstream' })
  t.match(fault({ code: 99, description: 'what' }), { blame: 'upstream' })
  for (const hostile of [{}, [], null, 'ok', { code: 1 }, { code: 1, result: {} }]) {
    t.match(fault(hostile), { blame: 'upstream' })
  }
  t.match(adapter.submitted(page, { kind: 'none' }, 'm'), { failure: { blame: 'upstream' } })
  t.match(adapter.fail(401, {}, Buffer.from('{"code":4,"description":"no"}')), { blame: 'channel' })
  t.match(adapter.fail(400, {}, Buffer.from('{"code":4,"description":"bad index"}')), {
    blame: 'client',
    message: /bad index/,
  })
  t.match(adapter.fail(500, {}, page.body), { blame: 'upstream' })
})

const page = { status: 200, headers: {}, body: Buffer.from('<html>502</html>') }

t.test(
  'uploads are done at once, and the first poll reports them whatever it is answered',
  async (t) => {
    const upstream = strictMidjourney()
    const found = accepted(
      submit(upstream, { action: 'upload-discord-images', base64Array: ['data:,'] }),
    )
    const results = [{ type: 'image', url: 'https://cdn.example/1.png' }]
    t.match(found.progress, { state: 'succeeded', results })
    const ref = { ...refOf(found.ref), keep: found.keep ?? {} }
    for (const answer of [replied([]), page]) {
      t.match(adapter.poll.read(answer, [ref, refOf('17')], channel), [
        { ref: found.ref, state: 'succeeded', results },
      ])
    }
  },
)

t.test('results are what the action makes', async (t) => {
  const [described] = read([recorded('describe-succeeded')], '1712158011464907')
  t.strictSame(
    described?.results?.map(({ type }) => type),
    ['image', 'text'],
  )
  const [clip] = read([recorded('video-succeeded')], '1712158011464908')
  t.strictSame(
    clip?.results?.map(({ url }) => url),
    ['https://cdn.midjourney.example/video/1.mp4', 'https://cdn.midjourney.example/video/2.mp4'],
  )
  const [failed] = read([recorded('failed')], '1712158011464909')
  t.match(failed, { state: 'failed', reason: /Invalid value/ })
  t.notOk(failed?.results)
})

t.test('words are states; one that is not known is never a failure', async (t) => {
  const states = {
    NOT_START: 'queued',
    SUBMITTED: 'queued',
    MODAL: 'queued',
    IN_PROGRESS: 'running',
    SUCCESS: 'succeeded',
    FAILURE: 'failed',
    CANCEL: 'failed',
    PAUSED: 'unknown',
  }
  for (const [status, state] of Object.entries(states)) {
    t.match(read([{ id: '7', status, progress: '30%' }], '7')[0], { state, word: status })
  }
})

t.test('answers of any kind are read without a throw', async (t) => {
  for (const task of [
    {},
    { id: '7' },
    { id: '7', status: 3, progress: {}, imageUrl: 4, videoUrls: 'x', properties: [] },
    { id: '7', status: 'SUCCESS', progress: '-5%', imageUrl: 'javascript:alert(1)' },
    { id: '7', status: 'IN_PROGRESS', progress: '900%', submitTime: -1, finishTime: 'soon' },
    { id: '8', status: 'FAILURE' },
    null,
    'x',
  ]) {
    for (const { ref, percent = 0, results } of read([task], '7')) {
      t.equal(ref, '7')
      t.ok(percent >= 0 && percent <= 100)
      t.notOk(results)
    }
  }
  t.match(adapter.poll.read(page, [refOf('7')], channel), { failure: { blame: 'upstream' } })
  t.match(adapter.poll.read(replied({ code: 4, description: 'x' }), [refOf('7')], channel), {
    failure: { status: 400 },
  })
})

t.test('a report concerns the task at whose address it arrives, or none', async (t) => {
  const report = (body: unknown) => ({
    method: 'POST',
    headers: {},
    query: {},
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  })
  const { notice } = adapter
  t.match(notice!(report(recorded('imagine-succeeded')), refOf('1712158011464906')), {
    state: 'succeeded',
  })
  t.equal(notice!(report(recorded('imagine-succeeded')), refOf('17')), undefined)
  for (const hostile of ['', '<html>', '[]', '{"id":null}']) {
    t.equal(notice!(report(hostile), refOf('17')), undefined)
  }
})

t.test('one piece a submission, at the speed that counts', async (t) => {
  const of = (value: JsonObject) => {
    const body = { kind: 'json', value: { action: 'imagine', ...value } } as const
    return adapter.quantities(shaped(body.value), 'mj_imagine', body)
  }
  t.strictSame(of({ prompt: 'a cat' }), {
    counts: { piece: 1 },
    dimensions: { mode: 'fast', action: 'imagine' },
  })
  t.equal(of({ prompt: 'a cat --relax' }).dimensions.mode, 'relax')
  t.equal(of({ prompt: 'a cat --relaxed' }).dimensions.mode, 'fast')
  t.equal(of({ prompt: 'a cat --relax', mode: 'TURBO' }).dimensions.mode, 'turbo')
  t.equal(of({ prompt: 'a cat --relax', mode: 'TURBO', speed: 'fast' }).dimensions.mode, 'fast')
})
