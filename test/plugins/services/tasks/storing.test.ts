/** Results that are stored: by whole gateways, in folders and in a bucket, from upstreams that behave and such that do not. */

import { mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import type { Clock } from '../../../../kernel/contract/kit.js'
import { management } from '../../../kit/management.js'
import { type Names, outside, until } from '../../../kit/outside.js'
import { s3Access, s3Server } from '../../../kit/s3-server.js'
import { type ShiftedClock, shiftedClock } from '../../../kit/shifted-clock.js'
import { taskGateway, taskModel } from '../../../kit/task-gateway.js'

const megabyte = 1024 * 1024
const clip = Buffer.alloc(300_000, 'clip of a cat ')

/** Serves what clips lie at, until it is told to forget them. */
async function cdn(t: Test, first?: RequestListener) {
  let serve: RequestListener =
    first ??
    ((_, response) => void response.writeHead(200, { 'content-type': 'video/mp4' }).end(clip))
  let calls = 0
  const server = createServer((request, response) => {
    calls += 1
    serve(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(
    () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  )
  const { port } = server.address() as AddressInfo
  return {
    url: `http://cdn.example:${port}/a.mp4`,
    port,
    calls: () => calls,
    serve(next: RequestListener) {
      serve = next
    },
    forget() {
      serve = (_, response) => void response.writeHead(404).end()
    },
  }
}

interface StartOptions {
  readonly first?: RequestListener
  readonly names?: Names
  readonly clock?: ShiftedClock
}

/** Results are stored when a test calls for it: what begins by itself meanwhile would be over at no certain time. */
function onlyWhenCalled(clock: Clock): Clock {
  return { ...clock, after: (ms, run) => (ms === storeMs ? () => {} : clock.after(ms, run)) }
}

/** Interval of the job, which nothing else has. */
const storeMs = 2_000

async function start(t: Test, options: StartOptions = {}) {
  const files = await cdn(t, options.first)
  const gateway = await taskGateway(t, { clock: options.clock ?? onlyWhenCalled(shiftedClock()) })
  outside(t, gateway, options.names)
  const { knex, admin } = gateway
  const tasks = gateway.gateway.service('tasks')

  /** A task whose end is reported at the next round. */
  async function ending(address = files.url, prompt = 'a cat'): Promise<string> {
    const { body } = await gateway.submit({ model: taskModel, prompt, seconds: 5 })
    const task = gateway.upstream.byPrompt(prompt)
    task.report = { id: task.id, status: 'done', url: address }
    return String(body.task_id)
  }

  return {
    ...gateway,
    ...{ files, tasks },
    stored: () => knex('task_stored').orderBy(['task', 'result']),
    async folder() {
      const path = t.testdir({})
      await admin.option('TaskStorageFolder', path)
      await admin.option('TaskStorage', 'folder')
      return path
    },
    async bucket(path: Record<string, unknown> = {}) {
      const s3 = await s3Server(t)
      const set = {
        TaskStorageS3Endpoint: s3.url,
        TaskStorageS3Region: s3Access.region,
        TaskStorageS3Bucket: s3Access.bucket,
        TaskStorageS3AccessKey: s3Access.accessKey,
        TaskStorageS3SecretKey: s3Access.secretKey,
        TaskStorageS3Prefix: 'waybill/results/',
        ...path,
        TaskStorage: 's3',
      }
      for (const [key, value] of Object.entries(set)) await admin.option(key, value)
      return s3
    },
    /** A task whose result lies at the address. */
    async made(address = files.url, prompt = 'a cat') {
      const task = await ending(address, prompt)
      await gateway.round()
      return task
    },
    ending,
    /** As when the pause after a try is over, or the lease of a process that died. */
    async again() {
      await knex('task_stored')
        .whereNotNull('next_at')
        .update({ next_at: new Date(0) })
      await gateway.round()
    },
    async read(task: string, headers: Record<string, string> = {}, method = 'GET') {
      const { results } = await tasks.find(1, task)
      const url = String(results[0]?.url)
      const response = await fetch(url.startsWith('/') ? `${gateway.url}${url}` : url, {
        method,
        headers,
      })
      return { url, response, bytes: Buffer.from(await response.arrayBuffer()) }
    },
  }
}

/** Somebody else's key. */
async function stranger({ admin, url }: Awaited<ReturnType<typeof start>>): Promise<string> {
  const person = { username: 'ada', password: 'correct horse battery' }
  await admin.must('POST', '/api/user/', { ...person, display_name: 'Ada', role: 1 })
  const ada = management(url)
  await ada.login(person.username, person.password)
  return (await ada.token()).key
}

async function namesIn(path: string): Promise<string[]> {
  const found = await readdir(path, { recursive: true, withFileTypes: true })
  return found.filter((one) => one.isFile()).map(({ name }) => name)
}

t.test(
  '[API-6] a stored result is served by the gateway when its upstream has it no longer',
  async (t) => {
    const world = await start(t)
    const path = await world.folder()
    const task = await world.made()
    world.files.forget()
    const whole = await world.read(task)
    t.match(whole.url, new RegExp(`^/v1/tasks/${task}/results/0\\?uid=1&expires=`))
    t.equal(whole.response.status, 200)
    t.equal(whole.response.headers.get('content-type'), 'video/mp4')
    t.ok(whole.bytes.equals(clip))
    const stretch = await world.read(task, { range: 'bytes=100-299' })
    t.equal(stretch.response.status, 206)
    t.equal(stretch.response.headers.get('content-range'), `bytes 100-299/${clip.length}`)
    t.ok(stretch.bytes.equals(clip.subarray(100, 300)))
    const outside = await world.read(task, { range: `bytes=${clip.length}-` })
    t.equal(outside.response.status, 416)
    t.equal(outside.response.headers.get('content-range'), `bytes */${clip.length}`)
    const head = await world.read(task, {}, 'HEAD')
    t.equal(head.response.status, 200)
    t.equal(head.response.headers.get('content-length'), String(clip.length))
    t.equal(head.bytes.length, 0)
    const [row] = await world.stored()
    t.match(row.name, new RegExp(`^\\d{4}-\\d\\d/${task}-0$`), 'no word of an upstream or a client')
    t.same(await namesIn(path), [`${task}-0`])
    t.match((await world.tasks.details(task)).stored, [
      { index: 0, state: 'stored', place: 'folder' },
    ])
  },
)

t.test('without the option nothing is stored, and the address stays the upstream’s', async (t) => {
  const world = await start(t)
  const task = await world.made()
  t.same(await world.stored(), [])
  t.equal((await world.tasks.find(1, task)).results[0]?.url, world.files.url)
  t.equal(world.files.calls(), 0)
})

t.test('a bucket keeps a result in signed calls, a large one in parts', async (t) => {
  const large = Buffer.alloc(19 * megabyte, 'large clip ')
  const world = await start(t)
  const s3 = await world.bucket()
  const small = await world.made()
  world.files.serve((_, response) => {
    // No length is known.
    response.writeHead(200, { 'content-type': 'video/webm' })
    response.write(large.subarray(0, 7_000_001))
    response.end(large.subarray(7_000_001))
  })
  const other = await world.made(undefined, 'a dog')
  world.files.forget()
  t.ok((await world.read(small)).bytes.equals(clip))
  const { response, bytes } = await world.read(other, { range: 'bytes=8388600-8388620' })
  t.equal(response.status, 206)
  t.ok(bytes.equals(large.subarray(8_388_600, 8_388_621)), 'across two parts')
  const head = await world.read(other, {}, 'HEAD')
  t.equal(head.response.headers.get('content-length'), String(large.length))
  const [key] = [...s3.objects.keys()].filter((name) => name.includes(other))
  t.match(key, new RegExp(`^waybill/results/\\d{4}-\\d\\d/${other}-0$`))
  t.ok(s3.objects.get(key!)?.bytes.equals(large))
  t.equal(s3.objects.get(key!)?.type, 'video/webm')
  t.equal(s3.calls.filter((call) => call.includes('partNumber')).length, 3)
  t.equal(s3.uploads.size, 0)
})

t.test('the secret of the bucket is sealed, and read by nobody', async (t) => {
  const world = await start(t)
  await world.bucket()
  const options = JSON.stringify(await world.admin.must('GET', '/api/option/'))
  t.notMatch(options, s3Access.secretKey)
  const row = await world.knex('options').where({ key: 'TaskStorageS3SecretKey' }).first()
  t.ok(row)
  t.notMatch(JSON.stringify(row), s3Access.secretKey)
})

t.test('the process may die anywhere: one file comes of it', async (t) => {
  const world = await start(t)
  const path = await world.folder()
  const s3 = await world.bucket()
  const made: string[] = []
  for (const where of ['folder', 's3']) {
    await world.admin.option('TaskStorage', where)
    const task = await world.made(undefined, where)
    made.push(task)
    // As a process leaves it that died between storing and marking.
    const behind = { state: 'pending', stored_at: null, next_at: new Date(Date.now() + 60_000) }
    const { id } = await world.knex('tasks').where({ task_id: task }).first()
    await world
      .knex('task_stored')
      .where({ task: id })
      .update({ ...behind, mime: '', bytes: 0 })
    await world.knex('tasks').where({ id }).update({ stored: '{}' })
    const calls = world.files.calls()
    await world.round()
    t.equal(world.files.calls(), calls, 'its lease is respected')
    await world.again()
    t.equal(world.files.calls(), calls + 1)
    t.ok((await world.read(task)).bytes.equals(clip))
  }
  t.equal((await namesIn(path)).length, 1)
  t.equal(s3.objects.size, 1)
  world.files.forget()
  for (const task of made) t.ok((await world.read(task)).bytes.equals(clip), 'where it was stored')
  for (const task of made) await world.tasks.remove(1, task)
  await world.round()
  t.same([await namesIn(path), s3.objects.size], [[], 0], 'and it leaves from there')
})

/** Keeps every reply back until it is released. */
function heldBack() {
  let release = () => {}
  const isReleased = new Promise<void>((resolve) => {
    release = resolve
  })
  let open = 0
  let most = 0
  const serve: RequestListener = async (_, response) => {
    open += 1
    most = Math.max(most, open)
    await isReleased
    open -= 1
    response.writeHead(200, { 'content-type': 'video/mp4' }).end(clip)
  }
  return { serve, release: () => release(), most: () => most }
}

t.test('what somebody is storing nobody else stores', async (t) => {
  const held = heldBack()
  const world = await start(t, { first: held.serve })
  await world.folder()
  const task = await world.ending()
  const one = world.round()
  await until(() => world.files.calls() > 0)
  let isOver = false
  const other = world.tasks.round().then(() => {
    isOver = true
  })
  await until(() => isOver || world.files.calls() > 1)
  held.release()
  await Promise.all([one, other])
  t.equal(world.files.calls(), 1)
  t.match((await world.tasks.details(task)).stored, [{ state: 'stored', tries: 1 }])
})

t.test('four results are fetched at once, and the others in their turn', async (t) => {
  const held = heldBack()
  const world = await start(t, { first: held.serve })
  const path = await world.folder()
  for (let at = 0; at < 6; at += 1) await world.ending(undefined, `clip ${at}`)
  const one = world.round()
  await until(() => world.files.calls() >= 4)
  await world.tasks.round()
  held.release()
  await one
  await world.round()
  t.equal(held.most(), 4)
  t.equal(world.files.calls(), 6)
  t.equal((await namesIn(path)).length, 6)
})

t.test('[API-6] what is stored is read by its owner alone', async (t) => {
  const world = await start(t)
  await world.folder()
  const task = await world.made()
  const { key } = await world.admin.token({ name: 'of root' })
  const other = await stranger(world)
  const path = `${world.url}/v1/tasks/${task}/results/0`
  const by = (key: string) => fetch(path, { headers: { authorization: `Bearer ${key}` } })
  t.equal((await by(key)).status, 200)
  t.match(await (await by(other)).json(), { error: { code: 'task_not_found' } })
  const { url } = await world.read(task)
  const of = (query: string) => fetch(`${world.url}${url.replace('uid=1', query)}`)
  t.equal((await of('uid=1')).status, 200)
  t.equal((await of('uid=2')).status, 403)
  await world.tasks.remove(1, task)
  t.equal((await of('uid=1')).status, 403, 'the address ends with the task')
  t.equal((await by(key)).status, 404)
})

t.test('a file that is shorter than what was stored breaks off', async (t) => {
  const world = await start(t)
  const path = await world.folder()
  const task = await world.made()
  const [{ name }] = await world.stored()
  await truncate(`${path}/${name}`, 1000)
  await t.rejects(world.read(task))
  await t.rejects(world.read(task, { range: 'bytes=900-1100' }))
  t.equal((await world.read(task, { range: 'bytes=900-999' })).bytes.length, 100)
})

/** After a leap whatever has fallen due runs. */
function leapingClock() {
  const clock = shiftedClock()
  const due = new Map<() => void, number>()
  return {
    ...clock,
    after(ms: number, run: () => void) {
      const once = () => {
        if (due.delete(once)) run()
      }
      due.set(once, clock.now() + ms)
      const cancel = clock.after(ms, once)
      return () => {
        due.delete(once)
        cancel()
      }
    },
    leap(ms: number) {
      clock.advance(ms)
      for (const [run, at] of [...due]) if (at <= clock.now()) run()
    },
  }
}

t.test('what is too old leaves the store, and a task goes after its files', async (t) => {
  const clock = leapingClock()
  const world = await start(t, { clock })
  const path = await world.folder()
  await world.admin.option('TaskStorageDays', 30)
  await world.admin.option('TaskRetentionDays', 90)
  const [young, old, oldest] = [
    await world.made(undefined, 'young'),
    await world.made(undefined, 'old'),
    await world.made(undefined, 'oldest'),
  ]
  const ago = (days: number) => new Date(clock.now() - days * 86_400_000)
  const idOf = async (task: string) =>
    (await world.knex('tasks').where({ task_id: task }).first('id'))?.id
  const changed = async (task: string, at: Date) =>
    world
      .knex('task_stored')
      .where({ task: await idOf(task) })
      .update({ stored_at: at })
  await changed(young, ago(29))
  await changed(old, ago(31))
  await world
    .knex('tasks')
    .where({ task_id: oldest })
    .update({ finished_at: ago(91) })
  const left = async () => (await world.stored()).filter(({ state }) => state !== 'stored').length
  clock.leap(600_000)
  await until(async () => (await left()) === 2)
  t.ok(await idOf(oldest), 'its file is there still')
  await world.again()
  t.same(await namesIn(path), [`${young}-0`])
  t.equal((await world.stored()).length, 1)
  t.match(await world.tasks.details(old), {
    state: 'succeeded',
    results: [{ url: world.files.url }],
  })
  clock.leap(600_000)
  await until(async () => (await idOf(oldest)) === undefined)
  t.ok(await idOf(old))
  t.ok((await world.read(young)).bytes.equals(clip))
})

t.test('upstreams that lie or fail cost nothing but their result', async (t) => {
  const world = await start(t, { names: { 'inside.example': '10.0.0.8' } })
  const path = await world.folder()
  await world.admin.option('TaskStorageFileMegabytes', 1)
  const inside = `http://cdn.example:${world.files.port}/to-inside`
  world.files.serve((request, response) => {
    const mp4 = { 'content-type': 'video/mp4' }
    if (request.url === '/endless') {
      response.writeHead(200, mp4)
      const more = () => {
        while (response.write(Buffer.alloc(64 * 1024))) {
          // On and on.
        }
      }
      response.on('drain', more)
      more()
    } else if (request.url === '/html')
      response.writeHead(200, { 'content-type': 'text/html' }).end('<script>')
    else if (request.url === '/to-inside')
      response.writeHead(302, { location: 'http://10.0.0.8/x' }).end()
    else if (request.url === '/to-name')
      response.writeHead(302, { location: 'http://inside.example/x' }).end()
    else if (request.url === '/cut') {
      response.writeHead(200, { ...mp4, 'content-length': '1000' }).write('half')
      setImmediate(() => response.destroy())
    } else response.writeHead(404).end()
  })
  const expected: Readonly<Record<string, { state: string; reason: RegExp }>> = {
    endless: { state: 'failed', reason: /larger than 1048576 bytes/ },
    html: { state: 'failed', reason: /type is not taken/ },
    'to-inside': { state: 'pending', reason: /./ },
    'to-name': { state: 'pending', reason: /./ },
    cut: { state: 'pending', reason: /./ },
    gone: { state: 'pending', reason: /./ },
  }
  const found: Record<string, string> = {}
  for (const name of Object.keys(expected)) {
    found[name] = await world.made(inside.replace('to-inside', name), name)
  }
  found.literal = await world.made('http://10.0.0.8/x', 'literal')
  for (const [name, { state, reason }] of Object.entries(expected)) {
    const details = await world.tasks.details(found[name]!)
    t.equal(details.state, 'succeeded')
    t.match(details.stored, [{ state, reason, tries: 1 }], name)
    t.match(details.results, [{ url: new RegExp(`/${name}$`) }], 'the address is the upstream’s')
  }
  for (let tries = 2; tries <= 7; tries += 1) await world.again()
  const rows = await world.stored()
  t.ok(rows.every(({ state, next_at }) => state === 'failed' && next_at === null))
  t.equal(Math.max(...rows.map(({ tries }) => tries)), 6)
  t.same(await namesIn(path), [], 'not even a draft')
})

t.test(
  'a folder that cannot be written to is reported once, and the task is not affected',
  async (t) => {
    const world = await start(t)
    const path = await world.folder()
    // A file is where the folder would be.
    await world.admin.option('TaskStorageFolder', `${path}/file`)
    await writeFile(`${path}/file`, '')
    const before = await world.balance()
    const [one, two] = [await world.made(), await world.made(undefined, 'a dog')]
    for (const task of [one, two]) {
      const details = await world.tasks.details(task)
      t.match(details.stored, [{ state: 'pending', reason: 'The folder is none.' }])
      t.match(details, { state: 'succeeded', results: [{ url: world.files.url }] })
    }
    t.equal(before - (await world.balance()), 10_000n)
    const notices = await world.knex('outbox').where({ type: 'task_storage' })
    t.equal(notices.length, 1)
    await rm(`${path}/file`)
    await mkdir(`${path}/file`)
    await world.again()
    t.match((await world.tasks.details(one)).stored, [{ state: 'stored', reason: '' }])
  },
)

t.test('a bucket that refuses is named by its word, and tried again', async (t) => {
  const world = await start(t)
  const s3 = await world.bucket()
  s3.refuseWith('AccessDenied')
  const task = await world.made()
  t.match((await world.tasks.details(task)).stored, [
    { state: 'pending', reason: 'The S3 server returned 403 AccessDenied.' },
  ])
  s3.refuseWith(undefined)
  await world.admin.option('TaskStorageS3SecretKey', 'wrong')
  await world.again()
  t.match((await world.tasks.details(task)).stored, [{ reason: /SignatureDoesNotMatch/ }])
  await world.admin.option('TaskStorageS3SecretKey', s3Access.secretKey)
  await world.again()
  t.match((await world.tasks.details(task)).stored, [{ state: 'stored', tries: 3 }])
})

t.test('a bucket that fails is no reason to refuse what the upstream still has', async (t) => {
  const world = await start(t)
  const s3 = await world.bucket()
  const task = await world.made()
  s3.refuseWith('SlowDown')
  t.ok((await world.read(task)).bytes.equals(clip))
  s3.refuseWith(undefined)
  s3.objects.clear()
  t.ok((await world.read(task)).bytes.equals(clip))
})

t.test('what its owner removed, or is too old, leaves the store before its row does', async (t) => {
  const world = await start(t)
  const path = await world.folder()
  const removed = await world.made(undefined, 'removed')
  const old = await world.made(undefined, 'old')
  const kept = await world.made(undefined, 'kept')
  t.equal((await namesIn(path)).length, 3)
  await world.tasks.remove(1, removed)
  await world.round()
  t.same((await namesIn(path)).sort(), [`${kept}-0`, `${old}-0`].sort())
  t.equal((await world.stored()).length, 2)
  // Older than it is kept, as a process leaves it that dies after the first of the two steps.
  const { id } = await world.knex('tasks').where({ task_id: old }).first()
  await world
    .knex('task_stored')
    .where({ task: id })
    .update({ state: 'leaving', next_at: new Date(0) })
  const [row] = await world.knex('task_stored').where({ task: id })
  await rm(`${path}/${row.name}`)
  await world.round()
  t.equal((await world.stored()).length, 1)
  t.match(await readFile(`${path}/${(await world.stored())[0].name}`), clip)
})

t.test('a result that is removed while it is fetched leaves nothing behind', async (t) => {
  const world = await start(t)
  const s3 = await world.bucket()
  let task = ''
  let removal: Promise<unknown> | undefined
  world.files.serve(async (_, response) => {
    // The bytes come once the owner has removed the task.
    removal ??= world.tasks.remove(1, task)
    await removal
    response.writeHead(200, { 'content-type': 'video/mp4' }).end(clip)
  })
  const { body } = await world.submit({ model: taskModel, prompt: 'a cat', seconds: 5 })
  task = String(body.task_id)
  const upstream = world.upstream.byPrompt('a cat')
  upstream.report = { id: upstream.id, status: 'done', url: world.files.url }
  await world.round()
  t.ok(removal)
  t.equal(s3.objects.size, 0)
  t.same(await world.stored(), [])
})
