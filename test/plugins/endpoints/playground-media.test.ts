/** Media in the Playground: submitted, read, ended and fetched by a session, and by nobody else's. */
import t from 'tap'
import { management, root } from '../../kit/management.js'
import { taskGateway, taskModel } from '../../kit/task-gateway.js'
import { json, scriptedUpstream } from '../../kit/upstream.js'

const gateway = await taskGateway(t)
const { admin, upstream, url } = gateway

async function cookieOf(person: { username: string; password: string }): Promise<string> {
  const { headers } = await management(url).login(person.username, person.password)
  return headers.getSetCookie()[0]!.split(';')[0]!
}

const cookie = await cookieOf(root)
const password = 'a long password'
await admin.must('POST', '/api/user/', { username: 'ann', password })
const foreign = await cookieOf({ username: 'ann', password })

interface Answer extends Record<string, unknown> {
  readonly task_id: string
  readonly results: readonly unknown[]
  readonly tasks: readonly unknown[]
}

async function call(method: string, path: string, body?: unknown, session = cookie) {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      cookie: session,
      'sec-fetch-site': 'same-origin',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as Answer }
}

const submit = (fields: object) =>
  call('POST', '/pg/video/generations', { model: taskModel, ...fields })

/** A round of the gateway's own may be under way, which saw what the upstream reported before. */
async function reached(task: string, state: string) {
  for (let round = 0; round < 20; round += 1) {
    await gateway.round()
    const { body } = await call('GET', `/pg/tasks/${task}`)
    if (body.state === state) return body
  }
  throw new Error(`the task did not become ${state}`)
}

t.test('[FMT-15] who is signed in submits a task, and sees it go on and end', async (t) => {
  const before = await gateway.balance()
  const { status, body } = await submit({ prompt: 'a lake', seconds: 4, group: 'default' })
  t.equal(status, 200)
  t.match(body, { model: taskModel, operation: 'video', state: 'queued', charged: 4000 })
  t.equal(before - (await gateway.balance()), 4000n)
  t.notOk('group' in upstream.byPrompt('a lake').body)
  const task = `/pg/tasks/${body.task_id}`
  upstream.byPrompt('a lake').report = { id: 'up-1', status: 'running', percent: 40 }
  t.match(await reached(body.task_id, 'running'), { percent: 40, cancellable: true })
  upstream.byPrompt('a lake').report = {
    ...{ id: 'up-1', status: 'done', seconds: 4 },
    url: `${upstream.url}/clip.mp4`,
  }
  const done = await reached(body.task_id, 'succeeded')
  t.match(done, { percent: 100, cost: 4000 })
  t.match(done.results, [{ type: 'video', url: `${task}/results/0` }])
  t.notMatch(JSON.stringify(done), upstream.url)
  const { body: listed } = await call('GET', '/pg/tasks')
  t.match(listed.tasks, [{ task_id: body.task_id }])
})

t.test('what a task failed of is shown, and it is paid back', async (t) => {
  const before = await gateway.balance()
  const { body } = await submit({ prompt: 'a storm' })
  const made = upstream.byPrompt('a storm')
  made.report = { id: made.id, status: 'failed', reason: 'The sky was empty.' }
  const failed = await reached(body.task_id, 'failed')
  t.match(failed, { state: 'failed', fail_reason: 'The sky was empty.', cost: 0 })
  t.equal(await gateway.balance(), before)
})

t.test('a task is cancelled by its owner', async (t) => {
  const { body } = await submit({ prompt: 'a sea' })
  const cancelled = await call('POST', `/pg/tasks/${body.task_id}/cancel`)
  t.equal(cancelled.status, 200)
  t.match(cancelled.body, { state: 'failed', cancellable: false })
})

t.test("nobody reads, ends or fetches another's task", async (t) => {
  const { body } = await submit({ prompt: 'a hill' })
  const task = `/pg/tasks/${body.task_id}`
  for (const [method, path] of [
    ['GET', task],
    ['POST', `${task}/cancel`],
    ['GET', `${task}/results/0`],
  ] as const) {
    t.equal((await call(method, path, undefined, foreign)).status, 404, path)
    t.equal((await call(method, path, undefined, 'session=x')).status, 401, path)
  }
  t.strictSame((await call('GET', '/pg/tasks', undefined, foreign)).body.tasks, [])
})

t.test('a field that is wrong is named', async (t) => {
  const { status, body } = await submit({ prompt: 'a wood', seconds: 4000 })
  t.equal(status, 400)
  t.match(body, { error: { param: 'seconds' } })
})

t.test('models that stand for an action begin that action and no other', async (t) => {
  for (const [path, model] of [
    ['/pg/music/generations', 'suno_'],
    ['/pg/midjourney/generations', 'mj_upscale'],
    ['/pg/midjourney/generations', 'mj_action'],
  ] as const) {
    const { status, body } = await call('POST', path, { model, action: 'music', prompt: 'x' })
    t.equal(status, 400, model)
    t.match(body, { error: { param: 'model' } })
  }
})

t.test('the music of a session is submitted as its model states', async (t) => {
  const maker = await scriptedUpstream(t)
  await admin.option('ModelPrice', { suno_lyrics: 0.01 })
  await admin.channel({
    ...{ type: 36, name: 'songs', key: 'k', base_url: maker.url, models: 'suno_lyrics' },
    group: 'default',
  })
  maker.takes('it is no model of chat')
  maker.script(json(200, { code: 'success', message: '', data: 'up-song' }))
  const { body } = await call('POST', '/pg/music/generations', {
    ...{ model: 'suno_lyrics', action: 'music', prompt: 'rain' },
  })
  t.match(body, { operation: 'music', action: 'lyrics', charged: 5000 })
  t.equal(maker.requests[0]?.path, '/suno/submit/lyrics')
})
