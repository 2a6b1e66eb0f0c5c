/**
 * Two gateways on one PostgreSQL, as processes of their own: what is edited in one is in force in the other within two
 * seconds, and a process that dies leaves its work to the other. Every test has a model of its own.
 */

import pg from 'pg'
import t, { type Test } from 'tap'
import { builtInRoots } from '../../config/built-in.js'
import { core } from '../../config/core.js'
import { boot } from '../../kernel/boot.js'
import type { OpenDatabase } from '../../kernel/store/database.js'
import { order } from '../../plugins/stages/line.js'
import { FakeClock } from '../kit/clock.js'
import { databaseKind } from '../kit/database.js'
import { quietLog } from '../kit/fakes.js'
import { defaultEnvironment, startGateway } from '../kit/gateway.js'
import { type Management, management, root } from '../kit/management.js'
import { installation, ledgerCheck, startProcess, type Variables } from '../kit/process.js'
import {
  chat,
  json,
  type Script,
  type ScriptedUpstream,
  scriptedUpstream,
} from '../kit/upstream.js'

const inForceMs = 2_000

const good = json(200, chat.whole('Hi.', 10, 10))
const down = json(500, { error: { message: 'out of order' } })

/** One process of the cluster, with root signed in. */
interface Node {
  readonly url: string
  readonly admin: Management
}

class Cluster {
  /** What channels answer, by key; the others answer well. */
  readonly scripts = new Map<string, Script>()

  constructor(
    readonly place: Variables,
    readonly a: Node,
    readonly b: Node,
    readonly upstream: ScriptedUpstream,
    private readonly database: pg.Pool,
  ) {
    upstream.script((request, response) =>
      (this.scripts.get(keyIn(request.headers.authorization)) ?? good)(request, response),
    )
  }

  channel(key: string, model: string, over: object = {}): Promise<number> {
    const base_url = this.upstream.url
    return this.a.admin.channel({
      type: 1,
      name: key,
      key,
      base_url,
      models: model,
      group: 'default',
      ...over,
    })
  }

  /** Who answered, by key, and what the client received. */
  async ask(node: Node, key: string, model: string, headers: object = {}): Promise<Answer> {
    const before = this.upstream.requests.length
    const response = await fetch(`${node.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'hello' }] }),
    })
    const code = /"code":"([^"]*)"/.exec(await response.text())?.[1]
    const requests = this.upstream.requests.slice(before)
    const keys = requests.map((request) => keyIn(request.headers.authorization)).join(' ')
    const id = response.headers.get('x-request-id') ?? ''
    return { id, message: code ?? String(response.status), keys }
  }

  /** What a request was charged, which is written once its answer is out. Undefined: it was refused. */
  async charge({ id, message }: Answer): Promise<number | undefined> {
    while (message === '200') {
      const found = await this.database.query('SELECT quota FROM usage_log WHERE request_id = $1', [
        id,
      ])
      if (found.rows.length > 0) return Number(found.rows[0].quota)
    }
    return undefined
  }

  async rows(text: string): Promise<readonly Record<string, unknown>[]> {
    return (await this.database.query(text)).rows
  }
}

interface Answer {
  readonly id: string
  /** The code of the error, else the status. */
  readonly message: string
  readonly keys: string
}

const keyIn = (authorization = '') => authorization.slice('Bearer '.length)

async function cluster(t: Test): Promise<Cluster> {
  const upstream = await scriptedUpstream(t)
  const [first, second] = [await installation(t), await installation(t)]
  const shared = { DATABASE_URL: first.DATABASE_URL!, CRYPTO_SECRET: 'a secret of the cluster' }
  const place = { ...first, ...shared, NODE_NAME: 'a' }
  const database = new pg.Pool({ connectionString: first.DATABASE_URL, max: 1 })
  t.teardown(() => database.end())
  const { url } = await startProcess(t, place)
  const other = await startProcess(t, { ...second, ...shared, NODE_NAME: 'b' })
  const [a, b] = [management(url), management(other.url)]
  await a.setUp()
  await a.credit(1, 1_000_000_000)
  await a.option('ModelRatio', Object.fromEntries(models.map((model) => [model, 1])))
  await a.option('CompletionRatio', Object.fromEntries(models.map((model) => [model, 1])))
  await a.option('GroupRatio', { default: 1, vip: 2 })
  await a.option('breaker_setting.enabled', false)
  await b.login(root.username, root.password)
  return new Cluster(place, { url, admin: a }, { url: other.url, admin: b }, upstream, database)
}

/** Looks again and again until it is as wanted, but not for longer than an edit may take. */
async function inForce(t: Test, title: string, seen: () => Promise<unknown>, wanted: unknown) {
  const until = performance.now() + inForceMs
  let last = await seen()
  while (last !== wanted && performance.now() < until) last = await seen()
  t.equal(last, wanted, title)
}

const models = [
  'policy',
  'route',
  'price',
  'off',
  'keys',
  'breaker',
  'tie',
  'retries',
  'key',
  'new',
]

t.test('what is edited in one process is in force in the other within two seconds', async (t) => {
  if (databaseKind === 'pglite') return t.pass('The embedded database serves one process only.')
  const testGateway = await cluster(t)
  const { a, b, scripts } = testGateway
  const { key: plain } = await a.admin.token()
  const manual = (...groups: string[]) => ({
    routing: { version: 1, mode: 'manual', groups, retry_on_failure: true },
  })

  await t.test('a key that was made, its policy, and a key that is switched off', async (t) => {
    await testGateway.channel('policy-default', 'policy')
    await testGateway.channel('policy-vip', 'policy', { group: 'vip' })
    const { id, key } = await a.admin.token(manual('default'))
    const sendRequest = async () => (await testGateway.ask(b, key, 'policy')).keys
    await inForce(t, 'as it was made', sendRequest, 'policy-default')
    await a.admin.must('PUT', '/api/token/', { id, ...manual('vip') })
    await inForce(t, 'the policy', sendRequest, 'policy-vip')
    await a.admin.must('PUT', '/api/token/?status_only=true', { id, status: 2 })
    const readResult = async () => (await testGateway.ask(b, key, 'policy')).message
    await inForce(t, 'off', readResult, 'token_disabled')
  })

  await t.test('the chain of an auto route, and one that is no more', async (t) => {
    await testGateway.channel('route-default', 'route')
    await testGateway.channel('route-vip', 'route', { group: 'vip' })
    const route = { key: 'fast', display_name: 'Fast', groups: ['default'] }
    await a.admin.must('POST', '/api/auto_route/', route)
    const policy = { version: 1, mode: 'smart', auto_route: 'fast', retry_on_failure: false }
    const { key } = await a.admin.token({ routing: policy })
    const sendRequest = async () => {
      const { keys, message } = await testGateway.ask(b, key, 'route')
      return keys || message
    }
    await inForce(t, 'as it was made', sendRequest, 'route-default')
    await a.admin.must('PUT', '/api/auto_route/', { key: 'fast', groups: ['vip', 'default'] })
    await inForce(t, 'the chain', sendRequest, 'route-vip')
    await a.admin.must('DELETE', '/api/auto_route/fast')
    await inForce(t, 'gone', sendRequest, 'group_not_usable')
  })

  await t.test('prices of models and of groups', async (t) => {
    await testGateway.channel('price-default', 'price')
    const charge = async () => testGateway.charge(await testGateway.ask(b, plain, 'price'))
    await inForce(t, 'as it was', charge, 20)
    const ratios = Object.fromEntries(models.map((model) => [model, 1]))
    await a.admin.option('ModelRatio', { ...ratios, price: 3 })
    await inForce(t, 'the model', charge, 60)
    await a.admin.option('GroupRatio', { default: 2, vip: 2 })
    await inForce(t, 'the group', charge, 120)
    await a.admin.option('GroupRatio', { default: 1, vip: 2 })
    await inForce(t, 'and back', charge, 60)
  })

  await t.test('a channel that is new, edited, off and deleted', async (t) => {
    const standing = await testGateway.channel('off-standing', 'off', { priority: -1 })
    const sendRequest = async () => {
      const { keys, message } = await testGateway.ask(b, plain, 'off')
      return keys || message
    }
    await inForce(t, 'one', sendRequest, 'off-standing')
    const id = await testGateway.channel('off-first', 'off')
    await inForce(t, 'a better one', sendRequest, 'off-first')
    await a.admin.must('PUT', '/api/channel/', { id, key: 'off-renewed' })
    await inForce(t, 'its key', sendRequest, 'off-renewed')
    await a.admin.must('PUT', '/api/channel/', { id, status: 2 })
    await inForce(t, 'off', sendRequest, 'off-standing')
    await a.admin.must('DELETE', `/api/channel/${standing}`)
    await inForce(t, 'none left', sendRequest, 'model_not_found')
  })

  await t.test('[CHAN-5] a key that fell in one process is used by none', async (t) => {
    await a.admin.option('AutomaticDisableChannelEnabled', true)
    await a.admin.must('POST', '/api/channel/', {
      mode: 'multi_to_single',
      multi_key_mode: 'polling',
      channel: {
        type: 1,
        name: 'keys',
        key: 'keys-1\nkeys-2',
        base_url: testGateway.upstream.url,
        models: 'keys',
        group: 'default',
      },
    })
    const three = async () => {
      const requests = await Promise.all([1, 2, 3].map(() => testGateway.ask(b, plain, 'keys')))
      return requests.some(({ keys }) => keys.includes('keys-1')) ? 'both' : 'one'
    }
    await inForce(t, 'at first', three, 'both')
    scripts.set('keys-1', json(401, { error: { message: 'Incorrect API key provided.' } }))
    while ((await testGateway.ask(a, plain, 'keys')).message === '200');
    scripts.delete('keys-1')
    const suspended = async () => {
      const [row] = await testGateway.rows(
        'SELECT count(*)::integer AS off FROM channel_keys WHERE status = 3',
      )
      return row?.off
    }
    await inForce(t, 'it falls', suspended, 1)
    await inForce(t, 'and is left alone', three, 'one')
    await a.admin.option('AutomaticDisableChannelEnabled', false)
  })

  await t.test('how often a group is retried', async (t) => {
    await testGateway.channel('retries-first', 'retries', { priority: 9 })
    await testGateway.channel('retries-second', 'retries')
    scripts.set('retries-first', down)
    const readResult = async () => (await testGateway.ask(b, plain, 'retries')).message
    await inForce(t, 'at first', readResult, '200')
    await a.admin.option('RetryTimes', 0)
    await inForce(t, 'not at all', readResult, 'upstream_error')
    await a.admin.option('RetryTimes', 2)
    await inForce(t, 'again', readResult, '200')
  })

  await t.test('[ROUTE-16] ties that are cleared', async (t) => {
    const rule = { name: 'session', key_sources: [{ type: 'request_header', key: 'X-Session' }] }
    await a.admin.option('channel_affinity_setting.rules', [rule])
    await testGateway.channel('tie-first', 'tie', { priority: 9 })
    await testGateway.channel('tie-second', 'tie')
    const session = { 'x-session': 'one' }
    const sendRequest = async () => (await testGateway.ask(b, plain, 'tie', session)).keys
    scripts.set('tie-first', down)
    await inForce(t, 'the tie is made', sendRequest, 'tie-second')
    scripts.delete('tie-first')
    t.equal(await sendRequest(), 'tie-second', 'and holds')
    const cleared = await a.admin.must('DELETE', '/api/option/channel_affinity_cache')
    t.equal(cleared, 0, 'there was none where the order was given')
    await inForce(t, 'cleared', sendRequest, 'tie-first')
  })

  await t.test('a breaker that is reset', async (t) => {
    await a.admin.option('breaker_setting.enabled', true)
    const id = await testGateway.channel('breaker-first', 'breaker', { priority: 9 })
    await testGateway.channel('breaker-second', 'breaker')
    scripts.set('breaker-first', down)
    const sendRequest = async () => (await testGateway.ask(b, plain, 'breaker')).keys
    await inForce(t, 'it opens', sendRequest, 'breaker-second')
    scripts.delete('breaker-first')
    t.equal(await sendRequest(), 'breaker-second', 'and stays open')
    t.match(await b.admin.must('GET', '/api/channel/breakers'), { total: 1 })
    await a.admin.must('POST', `/api/channel/${id}/breakers/reset`, {})
    await inForce(t, 'reset', sendRequest, 'breaker-first')
  })

  const check = await ledgerCheck(testGateway.place)
  t.equal(check.code, 0, check.output)
})

t.test('one process at a time brings channels back, another once it is gone', async (t) => {
  /** Whether a process got the lease of this job, each time it queried. */
  const answers: Record<'first' | 'second', boolean[]> = { first: [], second: [] }
  const clocks = { first: new FakeClock(Date.now()), second: new FakeClock(Date.now()) }
  const listening = (database: OpenDatabase, who: keyof typeof answers): OpenDatabase => ({
    ...database,
    async query(statement) {
      const result = await database.query(statement)
      const isOurs = statement.name === 'lease_take' && statement.values?.[0] === 'channel-recovery'
      if (isOurs) answers[who].push(result.rowCount === 1)
      return result
    },
  })
  let shared: OpenDatabase | undefined
  const { admin, gateway } = await startGateway(t, {
    clock: clocks.first,
    wrap(database) {
      shared = database
      return listening(database, 'first')
    },
  })
  const second = await boot({
    environment: { ...defaultEnvironment, nodeName: 'second' },
    roots: builtInRoots,
    order,
    core,
    log: quietLog,
    version: 'v0.0.0',
    clock: clocks.second,
    database: listening(shared!, 'second'),
  })
  t.teardown(() => second.stop())
  const gateways = { first: gateway, second }
  const upstream = await scriptedUpstream(t)
  upstream.script(json(401, { error: { message: 'Incorrect API key provided.' } }))
  const { knex } = gateway.service('database')
  const fields = { type: 1, name: 'fallen', key: 'k', base_url: upstream.url, models: 'gpt-4o' }
  const id = await admin.channel({ ...fields, group: 'default' })
  await knex('channels').where({ id }).update({ status: 3 })
  await admin.option('AutomaticEnableChannelEnabled', true)
  await admin.option('monitor_setting.auto_test_channel_minutes', 1)
  await gateway.service('changes').settled()

  const turn = () => new Promise((resolve) => setImmediate(resolve))

  /** A minute passes for a process, and a run that came of it ends; answers whether it had the lease. */
  async function turnOf(who: keyof typeof answers): Promise<boolean> {
    const requestCount = answers[who].length
    clocks[who].advance(60_000)
    while (answers[who].length === requestCount) await turn()
    await turn()
    const hadLease = answers[who].at(-1)!
    if (hadLease) await rested(who)
    return hadLease
  }

  /** Who asks during a run waits for that one; its pauses end as they come. */
  async function rested(who: keyof typeof answers): Promise<void> {
    let over = false
    const run = gateways[who].service('recovery').run()
    void run.then(() => {
      over = true
    })
    while (!over) {
      clocks[who].advance(1)
      await turn()
    }
    await turn()
  }

  t.equal(await turnOf('first'), true)
  t.equal(upstream.requests.length, 1)
  for (const round of [1, 2]) {
    t.equal(await turnOf('second'), false, `round ${round}`)
    t.equal(await turnOf('first'), true, `round ${round}, who has it keeps it`)
  }
  t.equal(upstream.requests.length, 3, 'a test for each run, and no more')
  await knex('leases').update({ until: knex.raw("clock_timestamp() - interval '1 second'") })
  t.equal(await turnOf('second'), true, 'the first has not been heard of for too long')
  t.equal(upstream.requests.length, 4)
  t.equal(await turnOf('first'), false, 'should it come back, it waits')
})
