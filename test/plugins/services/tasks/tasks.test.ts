/** Media tasks through a whole gateway: submitted once, paid once, settled once. */
import t from 'tap'
import { taskGateway, taskModel } from '../../../kit/task-gateway.js'

const asked = { model: taskModel, prompt: 'a cat', seconds: 5 }

t.test(
  '[BILL-4] a task is charged when it is accepted and corrected once by what was made',
  async (t) => {
    const gateway = await taskGateway(t)
    const before = await gateway.balance()
    const { status, body } = await gateway.submit({ ...asked, resolution: '1080p' })
    t.equal(status, 200)
    t.match(body, { task_id: /^task_[0-9A-Z]{26}$/, status: 'queued' })
    t.equal(before - (await gateway.balance()), 10_000n, 'five seconds at 1080p')
    const task = gateway.upstream.byPrompt('a cat')
    task.report = { id: task.id, status: 'running', percent: 40 }
    await gateway.round()
    t.match((await gateway.fetch(String(body.task_id))).body, {
      data: { status: 'IN_PROGRESS', progress: '40%' },
    })
    task.report = { id: task.id, status: 'done', seconds: 3, url: 'https://cdn.example/a.mp4' }
    await Promise.all([gateway.round(), gateway.round(), gateway.round()])
    t.equal(before - (await gateway.balance()), 6_000n, 'three seconds were made')
    const { body: fetched } = await gateway.fetch(String(body.task_id))
    t.match(fetched, { data: { status: 'SUCCESS', result_url: 'https://cdn.example/a.mp4' } })
    t.notMatch(JSON.stringify(fetched.data && { ...(fetched.data as object), data: 0 }), task.id)
    const rows = await gateway.knex('transfers').where('idem_key', 'like', 'task_final:%')
    t.equal(rows.length, 1, 'one correction')
  },
)

t.test('[BILL-4] a task that fails is paid back in full, once', async (t) => {
  const gateway = await taskGateway(t)
  const before = await gateway.balance()
  const { body } = await gateway.submit(asked)
  const task = gateway.upstream.byPrompt('a cat')
  task.report = { id: task.id, status: 'failed', reason: 'The picture is not allowed.', seconds: 9 }
  await Promise.all([gateway.round(), gateway.round()])
  t.equal(await gateway.balance(), before)
  t.match((await gateway.fetch(String(body.task_id))).body, {
    data: { status: 'FAILURE', fail_reason: 'The picture is not allowed.' },
  })
  task.report = { id: task.id, status: 'running' }
  await gateway.round()
  t.match((await gateway.fetch(String(body.task_id))).body, { data: { status: 'FAILURE' } })
})

t.test(
  'what was accepted while its time ran out is sent nobody else, and is paid for once',
  async (t) => {
    const gateway = await taskGateway(t)
    const before = await gateway.balance()
    const { body } = await gateway.submit(asked)
    const { request_id: requestId } = await gateway
      .knex('tasks')
      .where('task_id', String(body.task_id))
      .first('request_id')
    const { line } = gateway.gateway.service('tasks')
    const failure = { code: 'upstream_timeout', status: 504, message: 'Too late.' } as never
    t.equal(await line.doubtful({ requestId, key: 'k' } as never, failure), true)
    const task = gateway.upstream.byPrompt('a cat')
    task.report = { id: task.id, status: 'done', url: 'https://cdn.example/a.mp4' }
    await gateway.round()
    t.equal(before - (await gateway.balance()), 5_000n)
    t.strictSame(await gateway.gateway.service('ledger').check(), [])
  },
)

t.test('[BILL-6] a task without a price is refused before anything is sent', async (t) => {
  const gateway = await taskGateway(t, { channel: { models: `${taskModel},clip-2` } })
  const unpriced = await gateway.submit({ ...asked, model: 'clip-2' })
  t.match(unpriced.body, { error: { code: 'model_price_error' } })
  const dimension = await gateway.submit({ ...asked, resolution: '4k' })
  t.match(dimension.body, { error: { code: 'model_price_error' } })
  t.same(gateway.upstream.submissions, [])
})

t.test(
  '[BILL-10] reports of the upstream and polls compete, and one of them settles',
  async (t) => {
    const gateway = await taskGateway(t)
    await gateway.admin.option('ServerAddress', gateway.url)
    const before = await gateway.balance()
    const { body } = await gateway.submit(asked)
    const task = gateway.upstream.byPrompt('a cat')
    await gateway.gateway.idle()
    const address = new URL(String(task.body.notify))
    const [, secret] = /\/([0-9a-f]{40})$/.exec(address.pathname) ?? []
    const tasks = gateway.gateway.service('tasks')
    task.report = { id: task.id, status: 'failed' }
    const report = {
      ...{ method: 'POST', headers: {}, query: {} },
      body: Buffer.from(JSON.stringify(task.report)),
    }
    const id = String(body.task_id)
    await t.rejects(tasks.notice(id, 'f'.repeat(40), report), { code: 'task_not_found' })
    await Promise.all([
      ...Array.from({ length: 8 }, () => tasks.notice(id, secret!, report)),
      gateway.round(),
      gateway.round(),
    ])
    t.equal(await gateway.balance(), before)
    const rows = await gateway.knex('transfers').where('idem_key', 'like', 'task_final:%')
    t.equal(rows.length, 1)
  },
)

t.test(
  '[CHAN-3] where no difference is settled, the charge stands unless the task fails',
  async (t) => {
    const gateway = await taskGateway(t)
    const before = await gateway.balance()
    await gateway.submit(asked)
    await gateway.submit({ ...asked, prompt: 'a dog' })
    await gateway.submit({ ...asked, prompt: 'a hen' })
    const [cat, dog, hen] = ['a cat', 'a dog', 'a hen'].map(gateway.upstream.byPrompt)
    cat!.report = { id: cat!.id, status: 'done', seconds: 2 }
    dog!.report = { id: dog!.id, status: 'failed' }
    hen!.report = { id: hen!.id, status: 'done', seconds: 2 }
    await gateway.gateway.idle()
    // As the channel had it when these two were submitted; it settles differences by now.
    await gateway.knex('tasks').whereNot('upstream_ref', hen!.id).update({ delta_off: true })
    await gateway.round()
    t.equal(before - (await gateway.balance()), 5_000n + 2_000n)
  },
)

t.test('an upstream that lies changes nothing beyond reason', async (t) => {
  const gateway = await taskGateway(t)
  const before = await gateway.balance()
  for (const [prompt, seconds] of [
    ['million', 1_000_000],
    ['negative', -5],
    ['text', 'many'],
  ] as const) {
    await gateway.submit({ ...asked, prompt })
    const task = gateway.upstream.byPrompt(prompt)
    task.report = { id: task.id, status: 'done', seconds }
  }
  await gateway.round()
  t.equal(before - (await gateway.balance()), 15_000n)
})

t.test(
  'a task nobody knows whether it was accepted is sent nowhere else, and costs nothing',
  async (t) => {
    const gateway = await taskGateway(t)
    await gateway.admin.channel({
      ...{ type: 993, name: 'second', key: 'other-key', base_url: gateway.upstream.url },
      ...{ models: taskModel, group: 'default', priority: -1 },
    })
    const before = await gateway.balance()
    gateway.upstream.submitWith(() => 'cut')
    const { status, body } = await gateway.submit(asked)
    t.ok(status >= 500)
    t.ok(body.error)
    t.equal(gateway.upstream.submissions.length, 1)
    t.equal(await gateway.balance(), before)
    t.match(await gateway.knex('tasks').first(), { state: 'unknown', billing: 'final' })
    gateway.upstream.submitWith(() => ({ status: 429, body: { error: { message: 'slow down' } } }))
    await gateway.submit({ ...asked, prompt: 'refused' })
    t.equal(gateway.upstream.submissions.length, 3, 'one that was refused goes to the next channel')
    t.equal(await gateway.balance(), before)
    t.match(await gateway.knex('tasks').orderBy('id', 'desc').first(), { state: 'failed' })
  },
)

t.test('a task is its owner’s alone', async (t) => {
  const gateway = await taskGateway(t)
  const { body } = await gateway.submit(asked)
  const id = 2
  const tasks = gateway.gateway.service('tasks')
  const taskId = String(body.task_id)
  await t.rejects(tasks.find(id, taskId), { code: 'task_not_found' })
  t.same(await tasks.findAll(id, [taskId]), [])
  t.equal((await gateway.fetch('task_00000000000000000000000000')).status, 404)
  t.equal((await gateway.fetch(taskId, 'sk-nobody')).status, 401)
})

t.test('what goes on from a task goes to the channel that has it', async (t) => {
  const gateway = await taskGateway(t)
  const { body } = await gateway.submit(asked)
  const extend = { ...asked, prompt: 'more', action: 'extend', origin_task_id: body.task_id }
  t.match((await gateway.submit(extend)).body, { error: { code: 'task_not_finished' } })
  const task = gateway.upstream.byPrompt('a cat')
  task.report = { id: task.id, status: 'done', url: 'https://cdn.example/a.mp4' }
  await gateway.round()
  t.equal((await gateway.submit(extend)).status, 200)
  t.equal(gateway.upstream.byPrompt('more').body.origin, task.id)
  const foreign = await gateway.submit({ ...extend, action: 'remix' })
  t.match(foreign.body, { error: { code: 'not_expressible' } })
})

t.test('tasks of a channel that is deleted fail and are paid back', async (t) => {
  const gateway = await taskGateway(t)
  const before = await gateway.balance()
  const { body } = await gateway.submit(asked)
  await gateway.gateway.idle()
  await gateway.admin.must('DELETE', `/api/channel/${gateway.channelId}`)
  await gateway.round()
  t.match((await gateway.fetch(String(body.task_id))).body, {
    data: { status: 'FAILURE', fail_reason: /channel/ },
  })
  t.equal(await gateway.balance(), before)
})

t.test('a user may have only so many tasks under way, however they come', async (t) => {
  const gateway = await taskGateway(t)
  await gateway.admin.option('TasksUnderWayPerUser', 3)
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, at) => gateway.submit({ ...asked, prompt: `clip ${at}` })),
  )
  t.equal(answers.filter(({ status }) => status === 200).length, 3)
  t.equal(answers.filter(({ status }) => status === 429).length, 7)
  t.equal(gateway.upstream.submissions.length, 3)
})

t.test(
  'a task that does not end in time fails and is paid back; a later success is kept and not charged',
  async (t) => {
    const gateway = await taskGateway(t)
    const before = await gateway.balance()
    const { body } = await gateway.submit(asked)
    await gateway.gateway.idle()
    await gateway.knex('tasks').update({ deadline_at: new Date(0), poll_at: null })
    await gateway.gateway.service('tasks').round()
    t.match((await gateway.fetch(String(body.task_id))).body, { data: { status: 'FAILURE' } })
    t.equal(await gateway.balance(), before)
    await gateway.admin.option('ServerAddress', gateway.url)
  },
)
