/** The area of tests, balances and lists of models: what it answers, what it writes, what it refuses. */

import t, { type Test } from 'tap'
import type { Failure } from '../../../kernel/contract/failure.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Channel, ChannelKey } from '../../../kernel/contract/line/channel.js'
import type { Answer } from '../../../kernel/contract/management.js'
import type { Manifest } from '../../../kernel/contract/manifest.js'
import type { Catalog } from '../../../kernel/contract/services/catalog.js'
import { noPeers } from '../../../kernel/peers.js'
import { channelTestArea } from '../../../plugins/management/channel-tests/area.js'
import type { QueryResult } from '../../../plugins/management/channel-tests/upstream-queries/index.js'
import type {
  FullTestOptions,
  TestOptions,
  TestResult,
} from '../../../plugins/services/channel-tests/index.js'
import { singleRows } from '../../../plugins/services/channels/edits/single-rows.js'
import type { ChannelEdits } from '../../../plugins/services/channels/index.js'
import type { Health } from '../../../plugins/services/health/index.js'
import { FakeClock } from '../../kit/clock.js'
import { testDatabase } from '../../kit/database.js'
import { quietLive } from '../../kit/fakes.js'
import { startGateway } from '../../kit/gateway.js'
import { channel as lineChannel } from '../../kit/line-fakes.js'
import { chat, json, scriptedUpstream } from '../../kit/upstream.js'
import { call, data, RecordingLog, catalog as usualCatalog } from './management-fixture.js'

const canary = 'hunter2-plainword-canary'

interface Scripts {
  models?: (
    channel: Channel,
    key: ChannelKey,
  ) => Promise<QueryResult<readonly string[]> | undefined>
  balance?: (channel: Channel, key: ChannelKey) => Promise<QueryResult<string> | undefined>
  test?: (channel: Channel, options: TestOptions) => Promise<TestResult>
}

const fine: TestResult = {
  ok: true,
  ms: 1234,
  firstMs: 300,
  message: '',
  model: 'm',
  endpointType: 'openai',
}

const failure: Failure = {
  blame: 'channel',
  status: 401,
  code: 'upstream_error',
  message: 'The upstream failed: it does not take the credentials of this channel.',
  upstreamMessage: 'Incorrect key given',
}

/** One for all: every test begins with no channel and ids from 1. */
const database = await testDatabase(t)

async function office(t: Test, scripts: Scripts = {}, catalog: Catalog = usualCatalog) {
  const { changes, knex } = database
  await knex.raw('TRUNCATE channels RESTART IDENTITY CASCADE')
  const clock = new FakeClock()
  const log = new RecordingLog()
  const channels = new Map<number, Channel>()
  const tested: [number, number][] = []
  const runs: [number, TestOptions][] = []
  const fullRuns: [number, FullTestOptions][] = []
  const heard: string[] = []
  changes.on('channels', (ids) => void heard.push(...ids))
  const queries = {
    models: async (channel: Channel, key: ChannelKey) => scripts.models?.(channel, key),
    balance: async (channel: Channel, key: ChannelKey) => scripts.balance?.(channel, key),
  }
  const kit: Parameters<typeof channelTestArea>[0] = {
    clock,
    log,
    services: {
      database,
      catalog,
      peers: noPeers,
      channels: {
        get: (id) => channels.get(id),
        all: () => [...channels.values()],
        tiers: () => [],
        fault: () => undefined,
        models: () => [],
        renewKey: async () => {},
        suspend: async () => false,
        resume: async () => false,
        noteTest: async (id, ms) => void tested.push([id, ms]),
        edits: { ...({} as ChannelEdits), ...singleRows({ database, changes }) },
      },
      live: quietLive,
      health: { tested: () => {} } as Partial<Health> as Health,
      'channel-tests': {
        async run(channel, options = {}) {
          runs.push([channel.id, options])
          return scripts.test?.(channel, options) ?? fine
        },
        requestNames: ['text', 'model list'],
        async full(channel, options) {
          fullRuns.push([channel.id, options])
          const names = await options.models()
          return [{ name: 'model list', outcome: 'passed', ms: 7, words: names.join() }]
        },
      },
    },
  }
  const area = channelTestArea(kit, queries)
  t.teardown(async () => {
    const stopped = area.stop?.()
    clock.advance(10_000)
    await stopped
  })

  /** A row, and the channel the services would make of it; it is switched off. */
  async function add(row: JsonObject = {}, over: Partial<Channel> = {}): Promise<number> {
    const [{ id }] = await knex('channels')
      .insert({ type: 1, name: 'one', models: ['a', 'b'], status: 2, ...row })
      .returning('id')
    channels.set(id, { ...lineChannel(id), enabled: false, ...over })
    return id
  }
  const row = (id: number) => knex('channels').where({ id }).first()
  return { area, add, row, clock, log, channels, tested, runs, fullRuns, heard }
}

const bare = (answer: Answer) => answer.bare as Record<string, unknown>
const keysOf = (...texts: string[]) =>
  texts.map((text, at) => ({ id: at + 1, text, enabled: true }))
const turn = () => new Promise((resolve) => setImmediate(resolve))

t.test('a test answers in the family’s shape and is noted', async (t) => {
  const { area, add, tested, runs } = await office(t)
  const id = await add({ test_model: 'b' })
  const query = { model: 'a', endpoint_type: 'openai', stream: 'true' }
  const answer = bare(await call(area, 'test', { params: { id: String(id) }, query }))
  t.match(answer, { success: true, message: '', time: 1.234 })
  t.match(answer.data, { model: 'm', response_ms: 1234, first_ms: 300, endpoint_type: 'openai' })
  t.same(tested, [[id, 1234]])
  t.match(runs[0]?.[1], { testModel: 'b', model: 'a', endpointType: 'openai', stream: true })
})

t.test('a test that failed is an answer with the reason', async (t) => {
  const { area, add, tested } = await office(t, {
    test: async () => ({ ...fine, ok: false, ms: 50, message: 'No. It said: x', failure }),
  })
  const id = await add()
  const answer = await call(area, 'test', { params: { id: String(id) } })
  t.equal(answer.status ?? 200, 200)
  t.match(bare(answer), { success: false, message: 'No. It said: x', time: 0.05 })
  t.match(bare(answer).data, { code: 'upstream_error', status: 401 })
  t.same(tested, [[id, 50]])
})

t.test('a channel whose provider failed or is missing is reported by its name', async (t) => {
  const manifest = { id: 'provider.acme', channelTypes: [{ id: 902 }] } as unknown as Manifest
  const list = () => [{ manifest, state: 'failed', reason: 'syntax error' }] as const
  const code = 'api_not_implemented' as const
  const unserved = { ...fine, ok: false, message: 'Not served.', failure: { ...failure, code } }
  const { area, add } = await office(t, { test: async () => unserved }, { ...usualCatalog, list })
  const broken =
    'The plugin "provider.acme" serves channels of this type, and it failed: syntax error.'
  const missing = 'No plugin here serves channels of type 903.'
  for (const [type, message] of [
    [902, broken],
    [903, missing],
    [1, 'Not served.'],
  ] as const) {
    const params = { id: String(await add({ type }, { type })) }
    t.match(bare(await call(area, 'test', { params })), { success: false, message })
    if (type === 1) continue
    for (const name of ['balance', 'fetchModels']) {
      await t.rejects(call(area, name, { params }), { message: new RegExp(message) }, name)
    }
  }
})

t.test('what never went out is not noted', async (t) => {
  const { area, add, tested } = await office(t, {
    test: async () => ({ ok: false, ms: 0, message: 'No model.', model: '', failure }),
  })
  await call(area, 'test', { params: { id: String(await add()) } })
  t.same(tested, [])
})

t.test('one key of several is tested by its place', async (t) => {
  const { area, add, runs } = await office(t)
  const id = await add({ multi_key_mode: 'random' }, { keys: keysOf('one', 'two') })
  const params = { id: String(id) }
  await call(area, 'test', { params, query: { key_index: '1' } })
  t.equal(runs[0]?.[1].key?.text, 'two')
  await t.rejects(call(area, 'test', { params, query: { key_index: '2' } }), {
    code: 'invalid_field',
    param: 'key_index',
  })
})

t.test('what no test can be queried with is refused', async (t) => {
  const { area, add, runs } = await office(t)
  const params = { id: String(await add()) }
  for (const [name, query] of [
    ['a key before the first', { key_index: '-1' }],
    ['a stream of a word', { stream: 'maybe' }],
    ['a model with controls', { model: 'a\u0000b' }],
    ['a model without end', { model: 'x'.repeat(257) }],
  ] as const) {
    await t.rejects(call(area, 'test', { params, query }), { code: 'invalid_field' }, name)
  }
  t.same(runs, [])
})

t.test('a channel that is not there is missing everywhere', async (t) => {
  const { area } = await office(t)
  for (const name of ['test', 'balance', 'fetchModels']) {
    await t.rejects(call(area, name, { params: { id: '99' } }), { code: 'gone_missing' }, name)
  }
  for (const name of ['detect', 'apply']) {
    await t.rejects(call(area, name, { body: { id: 99 } }), { code: 'gone_missing' }, name)
  }
})

t.test('all channels are tested in the background, four at once, one run at a time', async (t) => {
  let open = 0
  let most = 0
  const waiting: (() => void)[] = []
  const { area, add, tested, clock, log } = await office(t, {
    test: async ({ id }) => {
      most = Math.max(most, ++open)
      await new Promise<void>((resolve) => waiting.push(resolve))
      open -= 1
      if (id === 3) throw new Error('boom')
      return { ...fine, ok: id !== 5, message: 'No credit.' }
    },
  })
  for (let at = 0; at < 6; at += 1) await add()
  const started_at = Math.floor(clock.now() / 1000)
  const begun = { total: 6, done: 0, failed: 0, failures: [], running: true, started_at }
  t.same(await data(area, 'testAll'), begun)
  await t.rejects(call(area, 'testAll'), { code: 'conflict', status: 409 })
  while (waiting.length > 0) {
    waiting.shift()?.()
    await turn()
    await turn()
  }
  t.equal(most, 4)
  t.same(await data(area, 'testProgress'), {
    total: 6,
    done: 6,
    failed: 2,
    failures: [
      { id: 3, name: 'one', message: 'Something went wrong inside the gateway.' },
      { id: 5, name: 'one', message: 'No credit.' },
    ],
    running: false,
    started_at,
  })
  t.equal(tested.length, 5)
  t.same(log.lines, ['a channel of a background run failed'])
  t.equal((await data(area, 'testAll')).running, true, 'another may begin')
  for (let at = 0; at < 6; at += 1) {
    waiting.shift()?.()
    await turn()
    await turn()
  }
})

t.test('a gateway that stops tests nothing more', async (t) => {
  const waiting: (() => void)[] = []
  const { area, add, runs, clock } = await office(t, {
    test: async () => {
      await new Promise<void>((resolve) => waiting.push(resolve))
      return fine
    },
  })
  for (let at = 0; at < 6; at += 1) await add()
  await data(area, 'testAll')
  const stopped = area.stop?.()
  await turn()
  for (const go of waiting) go()
  await stopped
  t.equal(runs.length, 4)
  t.equal(clock.pending, 0)
  const stuck = await office(t, { test: () => new Promise(() => {}) })
  await stuck.add()
  await data(stuck.area, 'testAll')
  const waited = stuck.area.stop?.()
  stuck.clock.advance(2000)
  await waited
})

/** More digits than a number holds. */
const exact = '12.3456789012345678'

t.test('a balance is kept with its digits and reported as a number', async (t) => {
  const { area, add, row, heard } = await office(t, {
    balance: async () => ({ value: exact }),
  })
  const id = await add()
  const answer = (await call(area, 'balance', { params: { id: String(id) } })) as Answer
  t.same(answer.data, { balance: Number(exact) })
  t.same(answer.beside, { balance: Number(exact) })
  const { balance, balance_updated_at: at } = await row(id)
  t.equal(balance, exact)
  t.ok(at instanceof Date)
  t.ok(heard.includes(String(id)), 'everybody hears of it')
})

t.test('what has no single balance is reported as such, and nothing is kept', async (t) => {
  let result: QueryResult<string> | undefined
  const { area, add, row } = await office(t, { balance: async () => result })
  for (const [name, fields, over, answer, message] of [
    ['several keys', { multi_key_mode: 'polling' }, {}, { value: '1' }, /several keys/],
    ['two keys', {}, { keys: keysOf('one', 'two') }, { value: '1' }, /several keys/],
    ['no key', {}, { keys: [] }, { value: '1' }, /no key/],
    ['a provider that does not report', {}, {}, undefined, /do not report their balance/],
  ] as const) {
    result = answer
    const id = await add(fields, over)
    const pending = call(area, 'balance', { params: { id: String(id) } })
    await t.rejects(pending, { code: 'invalid_field', message }, name)
    t.equal((await row(id)).balance, null, name)
  }
})

t.test(
  '[ERR-2] an upstream that fails is reported in safe words, with a status of its own',
  async (t) => {
    const { area, add, row } = await office(t, {
      balance: async () => ({ failure }),
      models: async () => ({ failure }),
    })
    const id = await add({}, { keys: keysOf(canary) })
    const request = { params: { id: String(id) }, body: { id } }
    for (const name of ['balance', 'fetchModels', 'detect']) {
      const answer = (await call(area, name, request)) as Answer
      t.equal(answer.status, 502, name)
      t.match(bare(answer), { success: false, code: 'upstream_error', message: /credentials/ })
      t.match(bare(answer).message, 'It said: Incorrect key given')
      t.notMatch(JSON.stringify(answer), canary)
    }
    t.equal((await row(id)).balance, null)
  },
)

t.test('a channel’s own fault is 400', async (t) => {
  const { area, add } = await office(t, {
    models: async () => ({ failure: { ...failure, code: 'channel:address_refused' } }),
  })
  const answer = await call(area, 'fetchModels', { params: { id: String(await add()) } })
  t.equal(answer.status, 400)
})

t.test('balances of all channels: those with several keys or none are left alone', async (t) => {
  const requests: number[] = []
  const { area, add, row } = await office(t, {
    balance: async ({ id }) => {
      requests.push(id)
      if (id === 1) return { value: '5' }
      return id === 2 ? undefined : { failure }
    },
  })
  await add()
  await add()
  await add()
  await add({ multi_key_mode: 'random' })
  await add({}, { keys: [] })
  t.match(await data(area, 'balances'), { total: 3 })
  while ((await data(area, 'balanceProgress')).running) await turn()
  t.match(await data(area, 'balanceProgress'), { total: 3, done: 3, failed: 1 })
  t.same(requests.sort(), [1, 2, 3])
  t.equal((await row(1)).balance, '5')
})

t.test('names of a saved channel are requested with a key that is on', async (t) => {
  const requests: string[] = []
  const { area, add } = await office(t, {
    models: async (_channel, { text }) => {
      requests.push(text)
      return { value: ['x', 'y'] }
    },
  })
  const [off, on] = keysOf('off', 'on')
  const id = await add({}, { keys: [{ ...off!, enabled: false }, on!] })
  t.same(await data(area, 'fetchModels', { params: { id: String(id) } }), ['x', 'y'])
  t.same(requests, ['on'])
  const none = await add({}, { keys: [] })
  await t.rejects(call(area, 'fetchModels', { params: { id: String(none) } }), {
    message: /no key to ask with/,
  })
})

t.test('names for a channel nobody has saved', async (t) => {
  const drafts: [Channel, ChannelKey][] = []
  const { area } = await office(t, {
    models: async (channel, key) => {
      drafts.push([channel, key])
      return { value: ['x'] }
    },
  })
  const body = { base_url: '', type: 901, key: ' one \n two ', settings: '{"region":"us"}' }
  t.same(await data(area, 'fetchDraft', { body }), ['x'])
  const [[channel, key] = []] = drafts
  t.match(channel, {
    id: 0,
    type: 901,
    baseUrl: 'https://acme.example',
    settings: { region: 'us' },
  })
  t.match(key, { text: 'one' })
  await data(area, 'fetchDraft', { body: { type: 901, key: '{"a":\n1}' } })
  t.match(drafts[1]?.[1], { text: '{"a":\n1}' })
  t.match(drafts[1]?.[0].settings, { region: 'eu' }, 'defaults are filled in')
})

t.test('a draft that cannot be queried is refused by its field', async (t) => {
  const { area } = await office(t, { models: async () => ({ value: [] }) })
  for (const [name, body, param] of [
    ['no key', { type: 1 }, 'key'],
    ['a blank key', { type: 1, key: ' ' }, 'key'],
    ['a type nobody knows', { type: 77, key: 'k' }, 'type'],
    ['a type that must name its address', { type: 8, key: 'k' }, 'base_url'],
    ['an address of another kind', { type: 1, key: 'k', base_url: 'file:///etc' }, 'base_url'],
    ['an address with credentials', { type: 1, key: 'k', base_url: 'http://a:b@c' }, 'base_url'],
    ['settings that are a list', { type: 1, key: 'k', settings: '[]' }, 'settings'],
  ] as const) {
    const pending = call(area, 'fetchDraft', { body })
    await t.rejects(pending, { code: 'invalid_field', param }, name)
  }
})

const prefix = 'upstream_model_update_'

t.test('what is new and what is gone is found, kept and applied', async (t) => {
  const { area, add, row, clock, heard } = await office(t, {
    models: async () => ({ value: ['b', 'real', 'c', 'd', 'skip'] }),
  })
  const id = await add({
    models: ['a', 'b', 'alias'],
    model_mapping: { alias: 'real' },
    settings: { region: 'eu', [`${prefix}ignored_models`]: ['skip'] },
  })
  t.same(await data(area, 'detect', { body: { id } }), {
    id,
    name: 'one',
    added: ['c', 'd'],
    removed: ['a'],
  })
  t.same((await row(id)).settings, {
    region: 'eu',
    [`${prefix}ignored_models`]: ['skip'],
    [`${prefix}last_check_time`]: Math.floor(clock.now() / 1000),
    [`${prefix}last_detected_models`]: ['c', 'd'],
    [`${prefix}last_removed_models`]: ['a'],
  })
  heard.length = 0
  const wanted = { id, add: ['c'], remove: ['a'] }
  t.same((await data(area, 'apply', { body: wanted })).models, ['b', 'alias', 'c'])
  t.same((await row(id)).models, ['b', 'alias', 'c'])
  t.match((await row(id)).settings, {
    region: 'eu',
    [`${prefix}last_detected_models`]: ['d'],
    [`${prefix}last_removed_models`]: [],
  })
  t.ok(heard.includes(String(id)))
})

t.test('only what was found is applied, and never the last model taken away', async (t) => {
  const { area, add, row } = await office(t)
  const settings = {
    [`${prefix}last_detected_models`]: ['c'],
    [`${prefix}last_removed_models`]: ['a'],
  }
  const id = await add({ models: ['a'], settings })
  for (const [name, body, param] of [
    ['a name nobody found', { add: ['x'], remove: [] }, 'add'],
    ['a name that is not gone', { add: [], remove: ['b'] }, 'remove'],
    ['the last model taken away', { add: [], remove: ['a'] }, 'remove'],
    ['a name twice', { add: ['c', 'c'], remove: [] }, 'add.1'],
  ] as const) {
    const pending = call(area, 'apply', { body: { id, ...body } })
    await t.rejects(pending, { code: 'invalid_field', param }, name)
  }
  t.same((await row(id)).models, ['a'])
  t.same((await row(id)).settings, settings)
})

t.test('an upstream that lists nothing takes nothing away', async (t) => {
  const { area, add, row } = await office(t, { models: async () => ({ value: [] }) })
  const id = await add()
  await t.rejects(call(area, 'detect', { body: { id } }), { message: /lists no models/ })
  t.same((await row(id)).settings, {})
})

t.test('all upstreams are compared, but for those left out, and all is applied', async (t) => {
  const { area, add, row } = await office(t, {
    models: async ({ id }) => {
      if (id === 3) return undefined
      return id === 4 ? { failure } : { value: ['b', 'c'] }
    },
  })
  await add()
  await add({ settings: { [`${prefix}check_enabled`]: false } })
  await add()
  await add()
  await add({ models: ['only'] })
  t.match(await data(area, 'detectAll'), { total: 4 })
  while ((await data(area, 'updateProgress')).running) await turn()
  t.match(await data(area, 'updateProgress'), { done: 4, failed: 1 })
  await row(5)
  t.same(await data(area, 'applyAll'), { channels: 2, added: 3, removed: 2, refused: [] })
  t.same((await row(1)).models, ['b', 'c'])
  t.same((await row(2)).models, ['a', 'b'])
  t.same((await row(5)).models, ['b', 'c'])
})

t.test('two who apply at once lose nothing', async (t) => {
  const { area, add, row } = await office(t)
  const settings = { [`${prefix}last_detected_models`]: ['c', 'd'] }
  const id = await add({ settings })
  await Promise.all([
    data(area, 'apply', { body: { id, add: ['c'] } }),
    data(area, 'apply', { body: { id, add_models: ['d'] } }),
  ])
  t.same((await row(id)).models.sort(), ['a', 'b', 'c', 'd'])
  t.same((await row(id)).settings[`${prefix}last_detected_models`], [])
})

t.test('a channel that would be left without models keeps them', async (t) => {
  const { area, add, row } = await office(t)
  const id = await add({ settings: { [`${prefix}last_removed_models`]: ['a', 'b'] } })
  t.match(await data(area, 'applyAll'), { channels: 0, refused: [id] })
  t.same((await row(id)).models, ['a', 'b'])
})

t.test('[ERR-2] end to end: nothing of key or raw answer reaches the admin', async (t) => {
  const upstream = await scriptedUpstream(t)
  const { admin } = await startGateway(t, { funds: 0 })
  const id = await admin.channel({
    type: 1,
    name: 'one',
    key: canary,
    base_url: upstream.url,
    models: 'gpt-4o-mini,gone',
    status: 2,
  })

  upstream.script(json(200, chat.whole('hello', 3, 2)))
  const tested = await admin.call('GET', `/api/channel/test/${id}`)
  t.match(tested.body, { success: true, message: '', data: { model: 'gpt-4o-mini' } })
  t.type((tested.body as unknown as { time: number }).time, 'number')
  t.match(upstream.requests[0]?.json, { model: 'gpt-4o-mini', max_tokens: 16 })
  t.equal(upstream.requests[0]?.headers.authorization, `Bearer ${canary}`)

  upstream.script(json(200, { data: [{ id: 'gpt-4o-mini' }, { id: 'gpt-5' }] }))
  t.same(await admin.must('GET', `/api/channel/fetch_models/${id}`), ['gpt-4o-mini', 'gpt-5'])
  const draft = { type: 1, base_url: `${upstream.url}/v1`, key: canary }
  t.same(await admin.must('POST', '/api/channel/fetch_models', draft), ['gpt-4o-mini', 'gpt-5'])
  t.match(await admin.must('POST', '/api/channel/upstream_updates/detect', { id }), {
    added: ['gpt-5'],
    removed: ['gone'],
  })
  await admin.must('POST', '/api/channel/upstream_updates/apply', {
    id,
    add: ['gpt-5'],
    remove: ['gone'],
  })
  t.equal((await admin.must('GET', `/api/channel/${id}`)).models, 'gpt-4o-mini,gpt-5')

  upstream.script(json(200, { hard_limit_usd: 20 }), json(200, { total_usage: 150 }))
  t.same(await admin.must('GET', `/api/channel/update_balance/${id}`), { balance: 18.5 })
  t.equal((await admin.must('GET', `/api/channel/${id}`)).balance, 18.5)

  const raw = `<html>${canary} at http://10.1.2.3/x`
  for (const script of [json(401, { error: { message: raw } }), json(200, { error: raw })]) {
    upstream.script(script)
    for (const path of ['test', 'fetch_models', 'update_balance']) {
      const { body } = await admin.call('GET', `/api/channel/${path}/${id}`)
      t.equal(body.success, false, path)
      for (const secret of [canary, '10.1.2.3', '<html']) {
        t.notMatch(JSON.stringify(body), secret, `${path}: ${secret}`)
      }
    }
  }
  t.ok((await admin.must('GET', `/api/channel/${id}`)).test_time > 0, 'the tests are noted')
})

t.test('a full test is handed what was requested, and the upstream’s list of models', async (t) => {
  const { area, add, fullRuns } = await office(t, {
    models: async () => ({ value: ['a', 'b'] }),
  })
  const id = await add({ test_model: 'b' })
  t.same(await data(area, 'fullRequests'), ['text', 'model list'])
  const params = { id: String(id) }
  const body = { model: 'a', embedding_model: 'e', only: ['model list'] }
  t.same(await data(area, 'full', { params, body }), {
    results: [{ name: 'model list', outcome: 'passed', ms: 7, words: 'a,b' }],
  })
  t.match(fullRuns, [
    [id, { testModel: 'b', model: 'a', embeddingModel: 'e', only: ['model list'] }],
  ])
})

t.test('a list that cannot be read rejects with the upstream’s words', async (t) => {
  const { area, add } = await office(t, { models: async () => ({ failure }) })
  const params = { id: String(await add()) }
  await t.rejects(data(area, 'full', { params, body: {} }), { message: /Incorrect key given/ })
})

t.test('a full test of what is not there, or that means nothing, is refused', async (t) => {
  const { area, add } = await office(t)
  const params = { id: String(await add()) }
  await t.rejects(data(area, 'full', { params: { id: '987654' }, body: {} }), {
    code: 'gone_missing',
  })
  for (const only of [[], ['dance'], ['text', 'text'], 'text']) {
    const pending = data(area, 'full', { params, body: { only } })
    await t.rejects(pending, { code: 'invalid_field', param: /^only/ }, String(only))
  }
  await t.rejects(data(area, 'full', { params, body: { key_index: 5 } }), {
    code: 'invalid_field',
  })
  const unserved = { id: String(await add({ type: 999 }, { type: 999 })) }
  await t.rejects(data(area, 'full', { params: unserved, body: {} }), {
    message: /No plugin here serves channels of type 999/,
  })
})
