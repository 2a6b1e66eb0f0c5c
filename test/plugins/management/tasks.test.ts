/** Routes of media tasks on a whole gateway: whose tasks are seen, what of them, and what upstreams may report. */
import t from 'tap'
import { management } from '../../kit/management.js'
import { taskGateway, taskModel } from '../../kit/task-gateway.js'

const password = 'correct horse battery'
const clip = { model: taskModel, prompt: 'a cat', seconds: 5 }

type Gateway = Awaited<ReturnType<typeof taskGateway>>

/** Somebody with funds, a session and a key. */
async function person({ admin, url }: Gateway, username: string, role = 1) {
  const { id } = await admin.must('POST', '/api/user/', { username, password, role })
  await admin.credit(id, 1_000_000)
  const client = management(url)
  await client.login(username, password)
  const { key } = await client.token()
  return { ...client, id: Number(id), key }
}

async function submit({ url }: Gateway, key: string, body: object): Promise<string> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const request = { method: 'POST', headers, body: JSON.stringify(body) }
  const answer = await fetch(`${url}/v1/video/generations`, request)
  const { task_id } = (await answer.json()) as { task_id: string }
  return task_id
}

/** What scripts send with whatever is no question. */
const sent = (method: string) => (method === 'GET' ? undefined : {})

t.test('users see their own tasks alone, and nothing of the upstream behind them', async (t) => {
  const gateway = await taskGateway(t)
  const { admin, upstream } = gateway
  const ada = await person(gateway, 'ada')
  const bob = await person(gateway, 'bob')
  const ofAda = await submit(gateway, ada.key, clip)
  const ofBob = await submit(gateway, bob.key, { ...clip, prompt: 'a dog' })
  for (const prompt of ['a cat', 'a dog']) {
    const task = upstream.byPrompt(prompt)
    task.report = {
      id: task.id,
      status: 'failed',
      reason: `No luck with ${task.id}`,
      more: [task.id],
    }
  }
  await gateway.round()

  const page = await ada.must('GET', '/api/task/self')
  t.match(page, { page: 1, page_size: 10, total: 1, items: [{ task_id: ofAda, user_id: ada.id }] })
  t.equal((await ada.must('GET', `/api/task/self?task_id=${ofBob}&user_id=${bob.id}`)).total, 0)
  t.equal((await ada.must('GET', '/api/mj/self')).total, 0, 'none of Midjourney')
  for (const [method, path] of [
    ['GET', `/api/task/self/${ofBob}`],
    ['POST', `/api/task/self/${ofBob}/cancel`],
    ['DELETE', `/api/task/self/${ofBob}`],
  ] as const) {
    t.match(await ada.call(method, path, sent(method)), {
      status: 404,
      body: { code: 'task_not_found' },
    })
  }
  for (const path of ['/api/task/', `/api/task/${ofAda}`]) {
    t.equal((await ada.call('GET', path)).status, 403)
  }
  const details = await ada.must('GET', `/api/task/self/${ofAda}`)
  t.match(details, {
    ...{ state: 'failed', status: 'FAILURE', word: 'failed', charged: 5_000, cost: 0, quota: 0 },
    data: { id: ofAda, more: [ofAda] },
    arithmetic: { charged: { billing_mode: 'card' }, cost: null },
  })
  t.same(
    details.history.map(({ state }: { state: string }) => state),
    ['queued', 'failed'],
  )
  const { id: upstreamId } = upstream.byPrompt('a cat')
  for (const shown of [page, details]) {
    const { fail_reason: _, ...rest } = shown.items?.[0] ?? shown
    const text = JSON.stringify({ ...rest, history: [] })
    t.notMatch(text, `"${upstreamId}"`)
    t.notMatch(text, /channel|upstream|key_id|upstream-key/)
  }

  const all = await admin.must('GET', '/api/task/?username=bob&status=FAILURE')
  t.match(all, { total: 1, items: [{ task_id: ofBob, username: 'bob', channel_name: 'clips' }] })
  t.match(await admin.must('GET', `/api/task/${ofBob}`), {
    upstream_id: upstream.byPrompt('a dog').id,
    upstream_model: taskModel,
    channel_id: gateway.channelId,
    data: { id: ofBob },
  })
})

t.test('admins see where results are stored, owners until when', async (t) => {
  const gateway = await taskGateway(t)
  const { admin, upstream } = gateway
  const ada = await person(gateway, 'ada')
  const folder = t.testdir({ full: 'this is no folder' })
  const data = `data:image/png;base64,${Buffer.from('a picture').toString('base64')}`
  const options = async (set: object) => {
    for (const [key, value] of Object.entries(set)) await admin.option(key, value)
  }
  const made = async (prompt: string) => {
    const task = await submit(gateway, ada.key, { ...clip, prompt })
    const { id } = upstream.byPrompt(prompt)
    upstream.byPrompt(prompt).report = { id, status: 'done', type: 'image', data }
    await gateway.round()
    const own = await ada.must('GET', `/api/task/self/${task}`)
    return { own, any: await admin.must('GET', `/api/task/${task}`) }
  }
  await options({ TaskStorageFolder: folder, TaskStorage: 'folder' })
  await options({ TaskStorageDays: 7, TaskRetentionDays: 0 })
  const first = await made('a cat')
  const [file] = first.any.stored
  const name = new RegExp(`^\\d{4}-\\d\\d/${first.any.task_id}-0$`)
  t.match(file, { index: 0, state: 'stored', place: 'folder', name, bytes: 9, reason: '' })
  t.equal(file.kept_until, file.stored_at + 7 * 86_400)
  t.strictSame(first.own.kept, [{ index: 0, until: file.kept_until }])
  t.notMatch(JSON.stringify(first.own), /"stored"|"place"|folder/)

  await options({ TaskRetentionDays: 1 })
  const [kept] = (await ada.must('GET', `/api/task/self/${first.own.task_id}`)).kept
  t.equal(kept.until, first.own.finish_time + 86_400, 'no longer than its task')
  await options({ TaskStorageDays: 0, TaskRetentionDays: 0 })
  const open = await ada.must('GET', `/api/task/self/${first.own.task_id}`)
  t.strictSame(open.kept, [{ index: 0, until: 0 }])

  await options({ TaskStorageFolder: `${folder}/full` })
  const second = await made('a dog')
  t.match(second.any.stored, [{ state: 'pending', tries: 1, reason: /./, stored_at: 0 }])
  t.ok(second.any.stored[0].next_try > second.any.finish_time)
  t.strictSame(second.own.kept, [])

  await options({ TaskStorage: 'off' })
  t.strictSame((await made('a bird')).any.stored, [])
})

t.test('filters narrow a page, and what cannot be one is refused by name', async (t) => {
  const gateway = await taskGateway(t)
  const { admin } = gateway
  await gateway.submit(clip)
  await gateway.gateway.idle()
  const found = async (query: string) => (await admin.must('GET', `/api/task/?${query}`)).total
  const now = Math.floor(Date.now() / 1000)
  for (const [query, total] of [
    ['platform=test', 1],
    ['platform=suno', 0],
    ['operation=video&action=generate&state=queued', 1],
    ['status=SUBMITTED', 1],
    ['state=failed', 0],
    ['model=lip', 1],
    [`channel_id=${gateway.channelId}`, 1],
    ['channel_id=999', 0],
    [`from=${now - 600}&to=${now + 600}`, 1],
    [`start_timestamp=${now + 600}`, 0],
    [`end_timestamp=${(now - 600) * 1000}`, 0],
    ['platform=&state=&status=&model=&username=&channel_id=&from=', 1],
  ] as const) {
    t.equal(await found(query), total, query)
  }
  for (const [field, value] of [
    ['state', 'none'],
    ['status', 'none'],
    ['from', 'soon'],
    ['channel_id', '-1'],
  ] as const) {
    const refused = await admin.call('GET', `/api/task/?${field}=${value}`)
    t.match(refused, { status: 400, body: { code: 'invalid_field', field } })
  }
})

t.test('a task is asked for now, cancelled by who may, and hidden by its owner', async (t) => {
  const gateway = await taskGateway(t)
  const { admin, upstream } = gateway
  const boss = await person(gateway, 'boss', 10)
  const ada = await person(gateway, 'ada')
  const ofRoot = String((await gateway.submit(clip)).body.task_id)
  const ofAda = await submit(gateway, ada.key, { ...clip, prompt: 'a dog' })
  const second = await submit(gateway, ada.key, { ...clip, prompt: 'a hen' })
  await gateway.gateway.idle()

  const dog = upstream.byPrompt('a dog')
  dog.report = { id: dog.id, status: 'running', percent: 30 }
  t.match(await boss.must('POST', `/api/task/${ofAda}/poll`, {}), { state: 'running', percent: 30 })
  t.match(await boss.call('POST', `/api/task/${ofRoot}/cancel`, {}), {
    ...{ status: 403, body: { code: 'forbidden' } },
  })
  t.equal(upstream.byPrompt('a cat').report.status, 'queued', 'an admin ends no task of root')
  t.match(await boss.must('POST', `/api/task/${ofAda}/cancel`, {}), { state: 'failed', cost: 0 })
  t.match(await ada.must('POST', `/api/task/self/${second}/cancel`, {}), {
    state: 'failed',
    cost: 0,
  })
  t.match(await boss.call('POST', `/api/task/${ofAda}/poll`, {}), {
    ...{ status: 409, body: { code: 'task_ended' } },
  })
  t.equal((await ada.must('GET', '/api/user/self')).quota, 1_000_000)

  await ada.must('DELETE', `/api/task/self/${ofAda}`, {})
  t.equal((await ada.must('GET', '/api/task/self')).total, 1)
  t.equal((await ada.call('GET', `/api/task/self/${ofAda}`)).status, 404)
  t.equal((await admin.must('GET', `/api/task/${ofAda}`)).task_id, ofAda, 'admins still see it')
})

t.test('[BILL-10] an upstream reports a task at its own address and at no other', async (t) => {
  const gateway = await taskGateway(t)
  const { admin, upstream, url } = gateway
  await admin.option('ServerAddress', url)
  const before = await gateway.balance()
  const taskId = String((await gateway.submit(clip)).body.task_id)
  const task = upstream.byPrompt('a cat')
  const address = String(task.body.notify)
  const send = async (to: string, body: string) => {
    const answer = await fetch(to, { method: 'POST', body })
    return { status: answer.status, text: await answer.text() }
  }
  const report = JSON.stringify({ id: task.id, status: 'failed', reason: 'No.' })

  const other = address.replace(/[0-9a-f]{40}$/, 'f'.repeat(40))
  const missing = other.replace(taskId, `task_${'0'.repeat(26)}`)
  const [wrong, none] = [await send(other, report), await send(missing, report)]
  t.equal(wrong.status, 404)
  const hidden = ({ text }: { text: string }) =>
    text.replaceAll(/task_\w+/g, '').replaceAll(/req_\w+/g, '')
  t.equal(hidden(wrong), hidden(none), 'it is not seen whether there is such a task')
  t.equal((await send(address, 'no JSON')).status, 400)
  t.equal((await send(address, 'x'.repeat(1_048_577))).status, 413)
  const otherTask = JSON.stringify({ id: 'up-99', status: 'failed' })
  t.equal((await send(address, otherTask)).status, 200, 'a report on another task is nothing')
  t.match(await admin.must('GET', `/api/task/${taskId}`), { state: 'queued' })
  const taken = await Promise.all([send(address, report), send(address, report)])
  t.same(
    taken.map(({ status }) => status),
    [200, 200],
  )
  t.match(await admin.must('GET', `/api/task/${taskId}`), { state: 'failed', fail_reason: 'No.' })
  t.equal(await gateway.balance(), before)
  t.notMatch(
    JSON.stringify(await admin.must('GET', '/api/audit/?page_size=100')),
    address.slice(-40),
  )
})

t.test('a result has an address that pages of the gateway may show', async (t) => {
  const gateway = await taskGateway(t)
  const taskId = String((await gateway.submit(clip)).body.task_id)
  const task = gateway.upstream.byPrompt('a cat')
  task.report = { id: task.id, status: 'done', url: 'https://cdn.example/a.mp4' }
  await gateway.round()
  const { results } = await gateway.admin.must('GET', `/api/task/${taskId}`)
  t.match(results, [
    {
      url: 'https://cdn.example/a.mp4',
      preview: new RegExp(`^/v1/tasks/${taskId}/results/0\\?uid=1&expires=\\d+&signature=`),
    },
  ])
})
