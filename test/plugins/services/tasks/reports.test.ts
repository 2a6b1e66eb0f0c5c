/** Reports of ended tasks at a receiver that is real, through a whole gateway. */
import { createHmac } from 'node:crypto'
import type { Server } from 'node:http'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { type Names, outside, until } from '../../../kit/outside.js'
import { taskGateway, taskModel } from '../../../kit/task-gateway.js'

const secret = 'the-secret-of-the-webhooks'

interface Received {
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** Something that listens at an address of its own, with a status for each call; the last one stays. */
async function receiver(t: Test) {
  const received: Received[] = []
  let statuses: readonly number[] = [200]
  let server: Server | undefined
  let port = 0
  const close = () =>
    new Promise<void>((resolve) => {
      server?.closeAllConnections()
      server?.close(() => resolve())
    })
  async function listen() {
    server = createServer(async (request, response) => {
      const pieces: Buffer[] = []
      for await (const piece of request) pieces.push(piece)
      received.push({ headers: request.headers, text: Buffer.concat(pieces).toString('utf8') })
      const [status = 200, ...rest] = statuses
      if (rest.length > 0) statuses = rest
      response.writeHead(status, { location: 'http://inside.example/' }).end()
    })
    await new Promise<void>((resolve) => server!.listen(port, '127.0.0.1', resolve))
    port = (server.address() as AddressInfo).port
  }
  await listen()
  t.teardown(close)
  return {
    received,
    ...{ close, listen },
    address: (host = 'receiver.example') => `http://${host}:${port}/hook?a=1`,
    reply(...next: readonly number[]) {
      statuses = next
    },
  }
}

async function start(t: Test, names: Names = {}) {
  const hook = await receiver(t)
  const gateway = await taskGateway(t)
  outside(t, gateway, names)
  const { knex } = gateway
  await gateway.gateway.service('notifications').changeSetting(1, { webhook_secret: secret })
  const reports = () => knex('outbox').where({ type: 'task_report' }).orderBy('id')
  return {
    ...gateway,
    ...{ hook, knex, reports },
    async submitted(fields: Record<string, unknown> = {}) {
      const body = { model: taskModel, prompt: 'a cat', seconds: 5, ...fields }
      return gateway.submit({ callback_url: hook.address(), ...body })
    },
    async ended(report: Record<string, unknown>, prompt = 'a cat') {
      const task = gateway.upstream.byPrompt(prompt)
      task.report = { id: task.id, ...report }
      await gateway.round()
    },
    /** As when the pause after a try is over, or the lease of a process that died. */
    async again() {
      await knex.transaction(async (trx) => {
        await trx('outbox').update({ next_at: new Date(0), lease_until: null })
        await gateway.gateway.service('changes').note(trx, 'outbox', '0')
      })
    },
    async settled(state: string) {
      await until(async () => (await reports()).every((row) => row.state === state))
    },
  }
}

/** As a receiver verifies it (plugins/services/tasks/reports.md). */
function isGenuine({ headers, text }: Received): boolean {
  const [, time, signature] =
    /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-webhook-signature-256'])) ?? []
  const right = createHmac('sha256', secret).update(`${time}.`).update(text).digest('hex')
  return signature === right && Math.abs(Date.now() / 1000 - Number(time)) < 300
}

t.test('[API-9] the end of a task is reported once, signed, as its owner sees it', async (t) => {
  const world = await start(t)
  const { body } = await world.submitted()
  t.equal((await world.reports()).length, 0, 'it has not ended')
  await world.ended({ status: 'done', url: 'https://cdn.example/a.mp4' })
  await world.settled('delivered')
  await Promise.all([world.round(), world.round(), world.again()])
  const [report, ...more] = world.hook.received
  t.same(more, [])
  t.ok(isGenuine(report!))
  t.equal(report?.headers.authorization, undefined, 'the secret itself stays here')
  t.match(report?.headers['x-webhook-id'], /^[0-9a-f-]{36}$/)
  t.match(JSON.parse(report!.text), {
    type: 'task.finished',
    data: {
      task_id: body.task_id,
      status: 'SUCCESS',
      fail_reason: '',
      result_url: 'https://cdn.example/a.mp4',
      results: [{ type: 'video', url: 'https://cdn.example/a.mp4' }],
    },
  })
  t.notMatch(report?.text, world.upstream.byPrompt('a cat').id)
})

t.test('[API-9] a failure is reported, and a success that comes after it', async (t) => {
  const world = await start(t)
  await world.submitted()
  await world.ended({ status: 'failed', reason: 'The picture is not allowed.' })
  await world.settled('delivered')
  const [failed] = world.hook.received
  t.match(JSON.parse(failed!.text), {
    type: 'task.finished',
    data: { status: 'FAILURE', fail_reason: 'The picture is not allowed.' },
  })
  const row = await world.knex('tasks').first()
  const task = world.upstream.byPrompt('a cat')
  task.report = { id: task.id, status: 'done', url: 'https://cdn.example/late.mp4' }
  await world.admin.option('ServerAddress', world.url)
  const tasks = world.gateway.service('tasks')
  const address = tasks.line.callbackUrl(row.request_id)!
  const report = {
    method: 'POST',
    headers: {},
    query: {},
    body: Buffer.from(JSON.stringify(task.report)),
  }
  await tasks.notice(row.task_id, address.slice(-40), report)
  await tasks.notice(row.task_id, address.slice(-40), report)
  await world.settled('delivered')
  t.equal(world.hook.received.length, 2, 'once')
  t.match(JSON.parse(world.hook.received[1]!.text), {
    type: 'task.succeeded_late',
    data: { status: 'FAILURE', result_url: 'https://cdn.example/late.mp4' },
  })
})

t.test('[API-9] a receiver that is down gets the report when it is up again', async (t) => {
  const world = await start(t)
  await world.submitted()
  await world.hook.close()
  await world.ended({ status: 'done' })
  await until(async () => (await world.reports())[0]?.reason !== '')
  t.match(await world.reports(), [{ state: 'waiting', attempts: 1 }])
  await world.hook.listen()
  world.hook.reply(503, 200)
  await world.again()
  await until(async () => (await world.reports())[0]?.attempts === 2)
  await until(async () => (await world.reports())[0]?.lease_until === null)
  await world.again()
  await world.settled('delivered')
  const ids = world.hook.received.map(({ headers }) => headers['x-webhook-id'])
  t.equal(ids.length, 2)
  t.equal(new Set(ids).size, 1, 'by its id the receiver knows it')
})

t.test('[API-9] a refusal of the receiver is the end of it, redirects among them', async (t) => {
  const world = await start(t)
  for (const [at, status] of [400, 404, 410, 302].entries()) {
    world.hook.reply(status)
    await world.submitted({ prompt: `${status}` })
    await world.ended({ status: 'done' }, `${status}`)
    await until(async () => (await world.reports())[at]?.state === 'failed')
    const reports = await world.reports()
    t.equal(reports[at].reason, `The receiver answered with status ${status}.`)
  }
  await world.again()
  t.equal(world.hook.received.length, 4)
  const states = await world.knex('tasks').distinct('state')
  t.same(states, [{ state: 'succeeded' }], 'the tasks are not affected')
})

t.test('[API-9] what was noted before its process died is delivered by the next', async (t) => {
  const world = await start(t)
  await world.submitted()
  // As a process leaves it that died between the end and the delivery, or during the latter.
  const task = world.upstream.byPrompt('a cat')
  task.report = { id: task.id, status: 'done' }
  await world.hook.close()
  await world.round()
  await until(async () => (await world.reports())[0]?.lease_until === null)
  await world.knex('outbox').update({ lease_until: new Date(Date.now() + 60_000), attempts: 1 })
  await world.hook.listen()
  t.same(world.hook.received, [], 'its lease is respected')
  await world.again()
  await world.settled('delivered')
  t.equal(world.hook.received.length, 1)
})

t.test(
  '[API-9] an address that is none, or is inside, is refused by name before anything moves',
  async (t) => {
    const world = await start(t)
    const before = await world.balance()
    for (const callback_url of [
      'http://127.0.0.1/x',
      'http://10.0.0.8:8080/x',
      'http://169.254.169.254/latest',
      'http://[::1]/x',
      'http://[::ffff:10.0.0.1]/x',
      'http://2130706433/',
      'http://localhost/x',
      'ftp://receiver.example/x',
      'http://user:pw@receiver.example/',
      'not an address',
      `https://receiver.example/${'x'.repeat(2048)}`,
      7,
    ]) {
      const { status, body } = await world.submitted({ callback_url })
      t.equal(status, 400, String(callback_url).slice(0, 60))
      t.match(body, { error: { param: 'callback_url' } })
    }
    t.equal(await world.balance(), before)
    t.same(world.upstream.submissions, [])
    t.equal((await world.knex('tasks')).length, 0)
  },
)

t.test('[API-9] a name that leads inside by the time of the report is not called', async (t) => {
  const names: Names = {}
  const world = await start(t, names)
  await world.submitted()
  names['receiver.example'] = '10.0.0.8'
  await world.ended({ status: 'done' })
  await world.settled('failed')
  t.same(world.hook.received, [])
  t.match(await world.reports(), [{ reason: /may not be called/ }])
})

t.test('the address is kept sealed, and in nothing the owner or an admin reads', async (t) => {
  const world = await start(t)
  await world.submitted({ callback_url: world.hook.address('canary-receiver.example') })
  await world.ended({ status: 'done' })
  await world.settled('delivered')
  const rows = [await world.knex('tasks'), await world.reports(), await world.knex('task_states')]
  t.notMatch(
    JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
    /canary/,
  )
})

t.test('a task its owner removed is not reported any more', async (t) => {
  const world = await start(t)
  const { body } = await world.submitted()
  await world.hook.close()
  await world.ended({ status: 'done' })
  await until(async () => (await world.reports())[0]?.lease_until === null)
  await world.gateway.service('tasks').remove(1, String(body.task_id))
  await world.hook.listen()
  await world.again()
  await world.settled('failed')
  t.same(world.hook.received, [])
})
