/** Upstreams and adapters that lie: nothing crashes, nothing stops being asked for, and the money is as if they had kept silent. */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { shiftedClock } from '../../../kit/shifted-clock.js'
import { taskGateway, taskModel } from '../../../kit/task-gateway.js'
import { taskLiarRoot } from '../../../kit/task-upstream.js'

/** JSON as it is sent, or something that takes the reply into its own hands. */
type Sent = string | ((response: ServerResponse) => void)

/** A word that no text of a database can hold as it is. */
const foul = 'a\u0000b\ud800c'
const charge = 5_000n

async function liar(t: Test) {
  let poll: ((ids: readonly string[]) => Sent) | undefined
  let submit: ((prompt: string, id: string) => Sent) | undefined
  let report: (id: string) => Record<string, unknown> | undefined = () => undefined
  const prompts = new Map<string, string>()
  const asked: string[] = []
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece)
    const body = JSON.parse(Buffer.concat(pieces).toString('utf8') || '{}')
    const send = (sent: Sent) => {
      if (typeof sent === 'function') return sent(response)
      response.setHeader('content-type', 'application/json')
      response.end(sent)
    }
    if (request.url === '/submit') {
      const id = `up-${prompts.size + 1}`
      prompts.set(id, body.prompt)
      return send(submit?.(body.prompt, id) ?? JSON.stringify({ ref: id }))
    }
    if (request.url !== '/poll') return send('{}')
    asked.push(...body.ids)
    const reported = () =>
      body.ids.flatMap((id: string) => {
        const found = report(id)
        return found === undefined ? [] : { ref: id, state: 'running', raw: {}, ...found }
      })
    send(poll?.(body.ids) ?? JSON.stringify({ tasks: reported() }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const clock = shiftedClock()
  const gateway = await taskGateway(t, {
    clock,
    roots: [taskLiarRoot],
    channel: { type: 994, base_url: url },
  })
  const { knex } = gateway
  const row = (prompt: string) =>
    knex('tasks').whereRaw(`request ->> 'prompt' = ?`, [prompt]).first()
  return {
    ...{ gateway, knex, clock, asked, prompts, row },
    submit: (prompt: string) => gateway.submit({ model: taskModel, prompt, seconds: 5 }),
    async submitAll(named: readonly string[]) {
      for (const prompt of named) await gateway.submit({ model: taskModel, prompt, seconds: 5 })
    },
    /** Behind every pause a lane or a task may have; the second where a call of the gateway's own was under way. */
    async round() {
      for (let again = 0; again < 2; again += 1) {
        clock.advance(301_000)
        await gateway.gateway.service('tasks').round()
      }
    },
    /** Of root, however far the clock was set forward. */
    async balance(): Promise<bigint> {
      await gateway.gateway.idle()
      return (await knex('accounts').where({ kind: 'wallet', owner_id: 1 }).first('posted')).posted
    },
    pollWith(change: typeof poll) {
      poll = change
    },
    submitWith(change: typeof submit) {
      submit = change
    },
    /** By the prompt of a task. */
    reportWith(change: (prompt: string, id: string) => Record<string, unknown> | undefined) {
      report = (id) => change(prompts.get(id)!, id)
    },
  }
}

const address = { type: 'video', url: 'https://cdn.example/a.mp4' }
const made = (second: unknown) => ({
  state: 'succeeded',
  results: [address],
  made: { counts: { second } },
})

/** What is reported in the end, what the task then is, and what it cost. */
const reports: Readonly<Record<string, readonly [Record<string, unknown>, string, bigint]>> = {
  'three seconds': [made(3), 'succeeded', 3_000n],
  'no result': [{ state: 'succeeded' }, 'succeeded', charge],
  'fewer than none': [made(-5), 'succeeded', charge],
  'no number': [made('NaN'), 'succeeded', charge],
  endless: [made('Infinity'), 'succeeded', charge],
  'a million': [made(1_000_000), 'succeeded', charge],
  'a text': [made('many'), 'succeeded', charge],
  'a list': [made([5]), 'succeeded', charge],
  'counts that are a text': [{ ...made(5), made: { counts: 'many' } }, 'succeeded', charge],
  'a foul unit': [{ ...made(5), made: { counts: { [foul]: -1 } } }, 'succeeded', charge],
  'a foul dimension': [
    { ...made(5), made: { dimensions: { resolution: foul, [foul]: foul } } },
    'succeeded',
    charge,
  ],
  'ten thousand units': [
    {
      ...made(5),
      made: { counts: Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`u${n}`, n])) },
    },
    'succeeded',
    charge,
  ],
  'percent beyond': [{ ...made(5), percent: 300 }, 'succeeded', charge],
  'ten thousand results': [
    { state: 'succeeded', results: Array.from({ length: 10_000 }, () => address) },
    'succeeded',
    charge,
  ],
  'results that are none': [
    { state: 'succeeded', results: [null, 'a', { type: foul }] },
    'succeeded',
    charge,
  ],
  'results that are a text': [{ state: 'succeeded', results: 'many' }, 'succeeded', charge],
  'foul results': [
    {
      state: 'succeeded',
      results: [
        { type: 'text', text: foul, url: `https://cdn.example/${foul}`, meta: { [foul]: foul } },
      ],
      ...{ word: foul, raw: { [foul]: [foul] } },
    },
    'succeeded',
    charge,
  ],
  'a foul failure': [
    { state: 'failed', reason: foul.repeat(10_000), word: foul, raw: 7 },
    'failed',
    0n,
  ],
  'a failure without words': [{ state: 'failed', reason: { a: 1 }, word: 7 }, 'failed', 0n],
  'times of no calendar': [{ ...made(5), createdAt: 9e99, updatedAt: -9e99 }, 'succeeded', charge],
}

t.test(
  'what upstreams report beyond all reason changes neither the money nor what others get',
  async (t) => {
    const fixture = await liar(t)
    const { balance, row, reportWith } = fixture
    const before = await balance()
    const names = Object.keys(reports)
    await fixture.submitAll(names)
    t.equal(before - (await balance()), charge * BigInt(names.length))
    // First all of them run, in words and numbers that are none.
    reportWith((prompt) => ({
      ...{ state: 'running', percent: 'NaN', word: foul, raw: { [foul]: foul } },
      ...(prompt === 'percent beyond' && { percent: 300 }),
      ...(prompt === 'a list' && {
        results: [{ type: 'text', text: foul }],
        keep: { prompt, foul },
      }),
      ...(prompt === 'endless' && { keep: { prompt, much: 'x'.repeat(1_048_576) } }),
    }))
    await fixture.round()
    t.match(await row('percent beyond'), { state: 'running', percent: 100 })
    t.match(await row('no number'), { state: 'running', percent: 0 })
    t.same((await row('endless')).keep, { prompt: 'endless' }, 'more than is kept leaves what was')
    reportWith((prompt) => reports[prompt]![0])
    await fixture.round()
    let total = 0n
    for (const [name, [, state, cost]] of Object.entries(reports)) {
      t.match(await row(name), { state, billing: 'final', cost }, name)
      total += cost
    }
    t.equal((await row('ten thousand results')).results.length, 64)
    t.equal(before - (await balance()), total)
    // What has ended stays ended.
    reportWith(() => ({ state: 'running', percent: 1 }))
    await fixture.round()
    t.match(await row('three seconds'), { state: 'succeeded', cost: 3_000n, percent: 100 })
    t.equal(before - (await balance()), total)
  },
)

t.test('what a batch reports of others, twice or backwards, is read for what it is', async (t) => {
  const fixture = await liar(t)
  const { balance, row } = fixture
  const before = await balance()
  await fixture.submitAll(['first', 'second'])
  fixture.pollWith(() =>
    JSON.stringify({
      tasks: [
        { ref: 'up-99', state: 'failed', raw: {} },
        { ref: 'up-1', state: 'running', percent: 70, raw: {} },
        { ref: 'up-1', state: 'failed', raw: {} },
      ],
    }),
  )
  await fixture.round()
  t.match(await row('first'), { state: 'running', percent: 70 })
  t.match(await row('second'), { state: 'queued' })
  fixture.pollWith(() =>
    JSON.stringify({ tasks: [{ ref: 'up-1', state: 'queued', percent: 10, raw: {} }] }),
  )
  await fixture.round()
  t.match(await row('first'), { state: 'queued', percent: 70 }, 'progress does not go backwards')
  t.equal(before - (await balance()), 2n * charge)
})

t.test(
  '[BILL-4] words nobody knows are asked for until the deadline, and paid back then',
  async (t) => {
    const fixture = await liar(t)
    const { gateway, balance, row, clock, knex } = fixture
    const before = await balance()
    await fixture.submit('new words')
    let word = 0
    fixture.reportWith(() => ({ state: 'unknown', word: `word ${++word}`, again: true }))
    await knex.raw(
      `INSERT INTO task_states (task, state, word) SELECT id, 'unknown', 'word 0' FROM tasks, generate_series(1, 396)`,
    )
    await fixture.round()
    t.ok(
      word >= 4 && word <= 20,
      'one that wants to be asked again at once is, three times in a turn',
    )
    for (let round = 0; round < 3; round += 1) await fixture.round()
    t.match(await row('new words'), { state: 'unknown', word: `word ${word}` })
    t.equal((await knex('task_states')).length, 400, 'so many words are kept of one task')
    clock.advance(1440 * 60_000)
    await gateway.gateway.service('tasks').round()
    t.match(await row('new words'), { state: 'failed', cost: 0n, reason: /did not end within/ })
    t.equal(await balance(), before)
  },
)

const replies: Readonly<Record<string, Sent>> = {
  'a page': (response) => response.end('<html>Please wait</html>'),
  'nothing at all': (response) => response.end(),
  'no list': JSON.stringify({ tasks: 'many' }),
  'a list of nothing': JSON.stringify({ tasks: [null] }),
  'a state nobody has': JSON.stringify({ tasks: [{ ref: 'up-1', state: 'gone', raw: {} }] }),
  'a fault': (response) => response.writeHead(500).end('{"error": 1}'),
  'a page of a fault': (response) => response.writeHead(503).end('<html>'),
  'a redirect': (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
  'a connection that breaks': (response) => void response.socket?.destroy(),
  'half an answer': (response) => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('{"tasks":', () => response.socket?.destroy())
  },
  'what is packed': (response) => {
    response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'application/json' })
    response.end(gzipSync(Buffer.alloc(16 * 1024 * 1024)))
  },
  'what has no end': (response) => {
    const piece = Buffer.alloc(1024 * 1024, ' ')
    const more = () => {
      while (!response.destroyed && response.write(piece));
      if (!response.destroyed) response.once('drain', more)
    }
    response.writeHead(200)
    more()
  },
}

t.test('answers that are none change nothing, and the next that is one is read', async (t) => {
  const fixture = await liar(t)
  const { balance, row } = fixture
  const before = await balance()
  await fixture.submitAll(['first', 'second'])
  for (const [name, sent] of Object.entries(replies)) {
    fixture.pollWith(() => sent)
    await fixture.round()
    t.match(await row('first'), { state: 'queued', billing: 'charged' }, name)
  }
  t.ok((await row('first')).poll_failures > 5)
  fixture.pollWith(() => {
    const filler = JSON.stringify('x'.repeat(64 * 1024 * 1024))
    const tasks = JSON.stringify(['up-1', 'up-2'].map((ref) => ({ ref, ...made(2), raw: {} })))
    return `{"filler":${filler},"tasks":${tasks}}`
  })
  await fixture.round()
  t.match(await row('first'), { state: 'succeeded', cost: 2_000n, poll_failures: 0 })
  t.match(await row('second'), { state: 'succeeded', cost: 2_000n })
  t.equal(before - (await balance()), 4_000n)
})

t.test('a submission whose id nobody could ask for is doubtful, and costs nothing', async (t) => {
  const fixture = await liar(t)
  const { balance, row } = fixture
  const before = await balance()
  const submissions: Readonly<Record<string, unknown>> = {
    'a long id': { ref: 'x'.repeat(1_048_576) },
    'a foul id': { ref: foul },
    'much to keep': { ref: 'up', keep: { much: 'x'.repeat(1_048_576) } },
    'no id': { ref: '' },
    'an id that is none': { ref: 7 },
  }
  for (const [name, submission] of Object.entries(submissions)) {
    fixture.submitWith(() => JSON.stringify(submission))
    const { status } = await fixture.submit(name)
    t.ok(status >= 500, name)
    t.match(await row(name), { state: 'unknown', billing: 'final', cost: 0n }, name)
  }
  t.equal(fixture.prompts.size, 5, 'each was sent once')
  fixture.submitWith((_, id) =>
    JSON.stringify({ ref: id, progress: { state: 'running', word: foul, raw: { foul } } }),
  )
  t.equal((await fixture.submit('foul words')).status, 200)
  t.match(await row('foul words'), { state: 'running' })
  t.equal(before - (await balance()), charge)
})

t.test('an adapter that throws in any of its functions keeps no other task back', async (t) => {
  const fixture = await liar(t)
  const { gateway, balance, row, knex } = fixture
  await gateway.admin.option('ServerAddress', gateway.url)
  const before = await balance()
  for (const verb of ['shape', 'quantities']) {
    const { status } = await fixture.submit(`throws ${verb}`)
    t.ok(status >= 500, verb)
    t.equal(fixture.prompts.size, 0, `nothing was sent: ${verb}`)
  }
  t.ok((await fixture.submit('throws submitted')).status >= 500)
  t.match(await row('throws submitted'), { state: 'unknown', billing: 'final' })
  t.equal(await balance(), before)
  const verbs = ['poll.request', 'poll.read', 'poll.readRefusal', 'notice', 'content', 'cancel']
  await fixture.submitAll([...verbs.map((verb) => `throws ${verb}`), 'sound'])
  fixture.reportWith((prompt) =>
    prompt === 'throws content'
      ? { state: 'succeeded', results: [{ type: 'video', keyed: true }] }
      : made(1),
  )
  const tasks = gateway.gateway.service('tasks')
  const cancelled = await row('throws cancel')
  await t.rejects(tasks.cancel(cancelled.task_id))
  const noted = await row('throws notice')
  const secret = await secretOf(noted.task_id)
  const callback = { method: 'POST', headers: {}, query: {}, body: Buffer.from('{}') }
  await t.rejects(tasks.notice(noted.task_id, secret, callback))
  for (let round = 0; round < 8; round += 1) await fixture.round()
  for (const name of [
    'sound',
    'throws notice',
    'throws cancel',
    'throws content',
    'throws poll.readRefusal',
  ]) {
    t.match(await row(name), { state: 'succeeded' }, name)
  }
  for (const name of ['throws poll.request', 'throws poll.read']) {
    t.match(await row(name), { state: 'queued', billing: 'charged' }, name)
    t.ok((await row(name)).poll_at, 'it is still asked for')
  }
  const { task_id } = await row('throws content')
  await t.rejects(tasks.content(task_id, 0, {}))
  fixture.clock.advance(1440 * 60_000)
  await tasks.round()
  t.match(await row('throws poll.read'), { state: 'failed', cost: 0n })
  const [sums] = await knex('tasks').sum({ cost: 'cost' })
  t.equal(before - (await balance()), BigInt(sums!.cost))

  async function secretOf(taskId: string): Promise<string> {
    const { createCallbacks } = await import('../../../../plugins/services/tasks/callbacks.js')
    const secret = gateway.gateway.service('secrets').derive('task-callbacks')
    const options = { list: () => [{ key: 'ServerAddress', value: gateway.url }] } as never
    return createCallbacks({ secret, options }).urlOf(taskId)!.split('/').at(-1)!
  }
})
