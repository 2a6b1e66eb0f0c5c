/**
 * Limits of an API key with several workers at one address, each request at the next worker: exact with Redis, and without it
 * counted together by messages, as `config/README.md` states. The budget is in the database either way.
 */
import t, { type Test } from 'tap'
import { databaseKind } from '../kit/database.js'
import { management } from '../kit/management.js'
import { chat, json, scriptedUpstream } from '../kit/upstream.js'
import { noRedis, redisServer } from './kit/redis-server.js'
import { noLimits, startWorkers, until, withoutKeepAlive } from './kit/workers.js'

t.setTimeout(240_000)

const skip = databaseKind === 'pglite' && 'the embedded database serves one process only'
const model = 'gpt-4o-mini'
const path = '/v1/chat/completions'

withoutKeepAlive()

async function setup(t: Test, over: Readonly<Record<string, string>> = {}) {
  const gateway = await startWorkers(t, { ...noLimits, ...over })
  const admin = management(gateway.url)
  await admin.setUp()
  await admin.credit(1, 1_000_000_000)
  const upstream = await scriptedUpstream(t)
  upstream.script(json(200, chat.whole('hello', 10, 10)))
  const channel = { type: 1, name: 'one', key: 'upstream-key', base_url: upstream.url }
  await admin.channel({ ...channel, models: model, group: 'default' })
  const made = async (fields: object) =>
    admin.must('POST', '/api/token/', { name: 'limited', ...fields })
  const ask = (key: string, messages = [{ role: 'user', content: 'hi' }]) =>
    fetch(`${gateway.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages, max_tokens: 10 }),
    })
  /** Statuses of requests that are sent at once. */
  const together = async (key: string, count: number) =>
    Promise.all(Array.from({ length: count }, async () => drained(await ask(key))))
  /** How many of requests sent one after the other are let through. */
  const admitted = async (key: string, count: number) => {
    let passed = 0
    for (let at = 0; at < count; at++) if ((await drained(await ask(key))) === 200) passed += 1
    return passed
  }
  /** Tokens that one request is expected to take, as the refusal of one that never fits names them. */
  const size = async () => {
    const { key } = await made({ tpm_limit: 1 })
    return Number(/may take (\d+) tokens/.exec(await (await ask(key)).text())?.[1])
  }
  /** Both workers have served relayed requests. */
  const bothServed = () =>
    until(
      () =>
        new Set(gateway.lines().flatMap((line) => (line.path === path ? line.pid : []))).size === 2,
    )
  return { ...{ gateway, admin, upstream, made, ask, together, admitted, size, bothServed } }
}

async function drained(response: Response): Promise<number> {
  await response.arrayBuffer()
  return response.status
}

function passed(statuses: readonly number[]): number {
  return statuses.filter((status) => status === 200).length
}

t.test(
  '[LIMIT-2] [LIMIT-6] limits of a key hold exactly over two workers with one Redis',
  { skip: skip || (noRedis ?? false) },
  async (t) => {
    const redis = await redisServer(t)
    await redis.start()
    const place = await setup(t, { REDIS_URL: redis.url })
    const { gateway, upstream, made, together, size } = place
    const requests = await made({ rpm_limit: 5 })
    const statuses = await together(requests.key, 30)
    t.equal(passed(statuses), 5)
    t.same(new Set(statuses), new Set([200, 429]))

    const tokens = await size()
    // What is used is what was expected, so that no request that ends makes room for another.
    upstream.script(json(200, chat.whole('hello', tokens - 10, 10)))
    const { key } = await made({ tpm_limit: 4 * tokens + 1 })
    t.equal(passed(await together(key, 30)), 4)
    await place.bothServed()
    t.equal((await gateway.end('SIGTERM')).code, 0)
  },
)

t.test(
  '[LIMIT-2] [LIMIT-6] without Redis two workers count the requests and tokens of a key together by messages',
  { skip },
  async (t) => {
    const place = await setup(t)
    const { gateway, upstream, made, admitted, size } = place
    const limit = 40
    // Each for itself they would let 80 through.
    const most = limit + 10
    const requests = await admitted((await made({ rpm_limit: limit })).key, 2 * limit + 10)
    t.ok(requests >= limit && requests <= most, `${requests} requests`)
    const each = await size()
    upstream.script(json(200, chat.whole('hello', each - 10, 10)))
    const tokens = await admitted((await made({ tpm_limit: limit * each })).key, 2 * limit + 10)
    t.ok(tokens >= limit && tokens <= most, `tokens of ${tokens} requests`)
    t.comment(`${requests} and ${tokens} of ${limit}`)
    await place.bothServed()
    t.equal((await gateway.end('SIGTERM')).code, 0)
  },
)

t.test('[BILL-9] a budget holds exactly over two workers without Redis', { skip }, async (t) => {
  const place = await setup(t)
  const { gateway, admin, made, ask, together, admitted } = place
  const daily = { budget_period: 'day' }
  const probe = await made({ budget_quota: 1_000_000, ...daily })
  const first = await ask(probe.key)
  const held = 1_000_000 - Number(first.headers.get('x-ratelimit-remaining-budget'))
  await drained(first)
  const settled = (id: number) =>
    until(async () => {
      const rows = await gateway.rows('SELECT held FROM token_budgets WHERE token_id = $1', [id])
      return rows.length > 0 && rows.every((row) => Number(row.held) === 0)
    })
  const used = async (id: number) => (await admin.must('GET', `/api/token/${id}`)).budget_used
  await settled(probe.id)
  const price = await used(probe.id)
  t.ok(price > 0 && price <= held, `${price} of ${held}`)

  const { key, id } = await made({ budget_quota: held + 9 * price, ...daily })
  let done = passed(await together(key, 30))
  t.ok(done >= 1 && done <= 10, `${done} at once`)
  for (let left = 12; left > 0; left--) {
    await settled(id)
    done += await admitted(key, 1)
  }
  t.equal(done, 10, 'ten fit, whoever serves them')
  await settled(id)
  t.equal(await used(id), 10 * price)
  t.equal((await ask(key)).status, 403)
  await place.bothServed()
  t.equal((await gateway.end('SIGTERM')).code, 0)
})
