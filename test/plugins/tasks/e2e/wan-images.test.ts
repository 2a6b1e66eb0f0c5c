/** Pictures of an upstream that works asynchronously, for clients that wait for them: through a whole gateway. */
import OpenAI from 'openai'
import t, { type Test } from 'tap'
import { type PlatformGateway, platformGateway } from '../../../kit/tasks/platform-gateway.js'
import { strictWan } from '../../../kit/tasks/wan.js'

const model = 'wan2.2-t2i-flash'
/** 10,000 quota a picture of the usual size. */
const cards = {
  [model]: { unit: 'piece', rates: [{ when: { size: '1024*1024' }, price: '0.02' }] },
}
const path = '/v1/images/generations'
const first = '0385dc79-1'
const picture = 'https://cdn.example/a.png'

interface Parts {
  readonly gateway: PlatformGateway
  readonly upstream: ReturnType<typeof strictWan>
  readonly openai: OpenAI
}

async function started(t: Test, relayTimeoutMs = 0): Promise<Parts> {
  const upstream = strictWan()
  const gateway = await platformGateway(t, {
    ...{ upstream, cards, channel: { type: 17, key: 'key' } },
    environment: { relayTimeoutMs },
  })
  const openai = new OpenAI({ apiKey: gateway.key, baseURL: `${gateway.url}/v1`, maxRetries: 0 })
  return { gateway, upstream, openai }
}

/** Until the upstream has accepted so many tasks and their charges are committed. */
async function accepted({ knex }: PlatformGateway, count = 1): Promise<void> {
  for (;;) {
    const tasks = await knex('tasks').where({ billing: 'charged' })
    const charged = await knex('billing_requests').where({ state: 'settled', kind: 'task' })
    if (tasks.length >= count && charged.length >= count) return
  }
}

const transfers = ({ knex }: PlatformGateway) =>
  knex('transfers').where('idem_key', 'like', 'task_final:%')

t.test(
  '[BILL-4] pictures are made within one request, and charged once by how many there are',
  async (t) => {
    const { gateway, upstream, openai } = await started(t)
    const before = await gateway.balance()
    const waiting = openai.images.generate({ model, prompt: 'a cat', n: 2, size: '1024x1024' })
    await accepted(gateway)
    t.match(upstream.last.body, { model, parameters: { n: 2, size: '1024*1024' } })
    t.equal(before - (await gateway.admin.balance()), 20_000n, 'charged as it is accepted')
    upstream.paint(first, [picture])
    await gateway.watch()
    const answer = await waiting
    t.same(answer.data, [{ url: picture, revised_prompt: 'p, in oil' }])
    t.equal(before - (await gateway.balance()), 10_000n, 'one picture was made')
    t.match(await gateway.row(), { operation: 'images', charged: 20_000n, cost: 10_000n })
    t.equal((await transfers(gateway)).length, 1)
    const rows = await gateway.logs()
    t.equal(rows.length, 1)
    t.match(rows[0], { quota: 20_000, model_name: model, channel: gateway.channelId })
    t.match(JSON.parse(rows[0]!.other), { request_path: path, task_id: /^task_/ })
  },
)

t.test(
  '[BILL-4] pictures that fail are an error to the client, and paid back whole, once',
  async (t) => {
    const { gateway, upstream, openai } = await started(t)
    const before = await gateway.balance()
    const waiting = openai.images.generate({ model, prompt: 'a cat' })
    const refused = t.rejects(waiting, { message: /The picture of task_\w+ is not allowed\./ })
    await accepted(gateway)
    upstream.fail(first, `The picture of ${first} is not allowed.`)
    await Promise.all([gateway.watch(), gateway.watch()])
    await refused
    t.equal(await gateway.balance(), before)
    t.match(await gateway.row(), { state: 'failed', charged: 10_000n, cost: 0n })
    t.equal((await transfers(gateway)).length, 1)
    t.equal(gateway.calls.filter((call) => call.startsWith('POST')).length, 1, 'sent nowhere else')
  },
)

t.test(
  '[BILL-4] whoever runs out of time learns the task, which goes on and is charged',
  async (t) => {
    const { gateway, upstream, openai } = await started(t, 4_000)
    const before = await gateway.balance()
    const waiting = openai.images.generate({ model, prompt: 'a cat' })
    const failure = (await waiting.catch((error: unknown) => error)) as { status: number } & Error
    t.equal(failure.status, 504)
    const [task] = /task_[0-9A-Z]{26}/.exec(failure.message) ?? []
    t.ok(task, failure.message)
    t.match((await gateway.call('GET', `${path}/${task}`)).body, { status: 'queued', data: [] })
    t.equal(before - (await gateway.balance()), 10_000n)
    upstream.paint(first, [picture])
    await gateway.round()
    t.match((await gateway.call('GET', `${path}/${task}`)).body, {
      status: 'completed',
      data: [{ url: picture }],
    })
    t.equal(before - (await gateway.balance()), 10_000n)
    t.equal(gateway.calls.filter((call) => call.startsWith('POST')).length, 1, 'sent nowhere else')
    t.equal((await gateway.call('GET', `/v1/video/generations/${task}`)).status, 404)
  },
)

t.test(
  '[BILL-4] a client that leaves pays for what succeeds, and nothing for what does not',
  async (t) => {
    const { gateway, upstream } = await started(t)
    const before = await gateway.balance()
    const leaving = new AbortController()
    const waiting = fetch(`${gateway.url}${path}`, {
      ...{
        method: 'POST',
        body: JSON.stringify({ model, prompt: 'a cat' }),
        signal: leaving.signal,
      },
      headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
    })
    await accepted(gateway)
    leaving.abort()
    await t.rejects(waiting)
    upstream.fail(first, 'No.')
    await gateway.watch()
    t.equal(await gateway.balance(), before)
    t.match(await gateway.row(), { state: 'failed', billing: 'final', cost: 0n })
  },
)

t.test('what one channel refuses another takes, with one charge', async (t) => {
  const { gateway, upstream, openai } = await started(t)
  await gateway.admin.channel({
    ...{ type: 17, name: 'wrong', key: 'wrong-key', base_url: gateway.upstreamUrl },
    ...{ models: model, group: 'default', priority: 100 },
  })
  const before = await gateway.balance()
  const waiting = openai.images.generate({ model, prompt: 'a cat' })
  await accepted(gateway)
  upstream.paint(first, [picture])
  await gateway.watch()
  t.equal((await waiting).data?.length, 1)
  t.equal(before - (await gateway.balance()), 10_000n)
  t.match(await gateway.row(), { channel_id: gateway.channelId, state: 'succeeded' })
  t.equal((await gateway.logs()).length, 1)
})

t.test('what the service cannot make is refused by name, and nothing is sent', async (t) => {
  const { gateway } = await started(t)
  const before = await gateway.balance()
  for (const [param, value] of [
    ['n', 9],
    ['size', 'large'],
  ] as const) {
    const { status, body } = await gateway.call('POST', path, {
      ...{ model, prompt: 'a cat', [param]: value },
    })
    t.equal(status, 400)
    t.match(body.error, { param })
  }
  t.same(gateway.calls, [])
  t.equal(await gateway.balance(), before)
})
