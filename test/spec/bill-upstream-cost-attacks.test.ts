/** What is known of upstream costs stays exact: terms that change under load, thousands of prices, channels that go meanwhile. */
import t from 'tap'
import { keptLines } from '../kit/kept-lines.js'
import { until } from '../kit/outside.js'
import { ask, model, scriptedGateway } from '../kit/scripted-gateway.js'
import { chat, events, json } from '../kit/upstream.js'

const lines = keptLines()
const gateway = await scriptedGateway(t, { channel: { priority: 10 }, log: lines.log })
const { upstream, channelId, admin } = gateway
const { knex } = gateway.gateway.service('database')
const log = gateway.gateway.service('usage-log')
const changes = gateway.gateway.service('changes')
/** 100 + 4 x 10 tokens at $2 a million, in billionths. */
const listed = 280_000n

const setTerms = async (cost_terms: unknown) => {
  await admin.must('PUT', '/api/channel/', { id: channelId, cost_terms })
  await changes.settled?.()
}

const send = async () => {
  const answer = await gateway.chat(ask())
  await answer.text()
  return answer.status
}

let before = 0
/** What the test charged so far, oldest first. */
const charges = () => knex('usage_log').where({ type: 2 }).where('id', '>', before).orderBy('id')

t.beforeEach(async () => {
  upstream.script(json(200, chat.whole('Hi.', 100, 10)))
  await gateway.logs()
  before = Number((await knex('usage_log').max('id as id').first())?.id ?? 0)
})

t.test(
  '[BILL-1] terms that change during many requests: each keeps those that applied',
  async (t) => {
    await knex.raw('TRUNCATE usage_stat_days, usage_stat_hours, usage_cost_days')
    const factors = Array.from({ length: 8 }, (_, n) => `${n + 1}`)
    await setTerms({ factor: factors[0] })
    const sending = Array.from({ length: 200 }, async (_, n) => {
      if (n % 25 === 24) await setTerms({ factor: factors[(n + 1) / 25 - 1] })
      return send()
    })
    t.same([...new Set(await Promise.all(sending))], [200])
    await setTerms({ factor: '9' })
    t.equal(await send(), 200)
    await gateway.logs()

    const rows = await charges()
    t.equal(rows.length, 201)
    const possible = new Set(factors.map((factor) => BigInt(factor) * listed))
    for (const row of rows.slice(0, -1)) t.ok(possible.has(row.upstream_cost), row.upstream_cost)
    t.equal(rows.at(-1)?.upstream_cost, 9n * listed, 'those of the last change apply from then on')

    const past = knex.raw("date_trunc('day', now(), 'UTC') - interval '1 hour'")
    await knex('usage_log').update({ created_at: past })
    await knex('usage_mark').update({ rolled_until: knex.raw("'-infinity'") })
    await Promise.all([log.roll(), log.roll(), log.roll()])
    await log.roll()
    const cost = rows.reduce((sum, row) => sum + row.upstream_cost, 0n)
    for (const table of ['usage_stat_days', 'usage_stat_hours']) {
      const [sums] = await knex(table).where({ kind: 'all' }).sum('cost as cost')
      t.equal(BigInt(sums?.cost), cost, table)
    }
    const [billed] = await knex('usage_cost_days').sum('cost as cost')
    t.equal(BigInt(billed?.cost), cost)
  },
)

t.test('[BILL-1] absurd terms are refused by name, or priced within bounds', async (t) => {
  const refused = async (cost_terms: object) => {
    const { status, body } = await admin.call('PUT', '/api/channel/', { id: channelId, cost_terms })
    t.match({ status, ...body }, { status: 400, field: 'cost_terms' }, JSON.stringify(cost_terms))
  }
  const digits = '1234567890'.repeat(4)
  for (const factor of ['-1', '1e-30', '1e30', 'NaN', 'Infinity', digits, `0.${digits}`, '0x1']) {
    await refused({ factor })
  }
  for (const model_ratio of ['1e24', `1${'0'.repeat(24)}`, '-0.1', 'NaN', {}, []]) {
    await refused({ models: { [model]: { model_ratio } } })
  }
  await setTerms({ factor: '999999999999' })
  t.equal(await send(), 200)
  await setTerms({ factor: '0.000000000000000000000001' })
  t.equal(await send(), 200)
  await setTerms({ factor: '0' })
  t.equal(await send(), 200)
  await setTerms({ models: { [model]: { model_ratio: '999999999999' } } })
  t.equal(await send(), 200)
  await gateway.logs()
  const rows = await charges()
  const most = BigInt(Number.MAX_SAFE_INTEGER)
  t.same(
    rows.map((row) => row.upstream_cost),
    [most, 0n, 0n, most],
  )
})

t.test('[BILL-1] thousands of prices of a channel are saved, and found in time', async (t) => {
  const price = { model_ratio: '1.25', completion_ratio: '4', cache_ratio: '0.1' }
  const pricesOf = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, n) => [n === 0 ? model : `model-${n}`, price]),
    )
  await setTerms({ models: pricesOf(2_400) })
  const stored = JSON.parse((await admin.must('GET', `/api/channel/${channelId}`)).cost_terms)
  t.equal(Object.keys(stored.models).length, 2_400)
  t.equal(await send(), 200)
  await gateway.logs()
  const [row] = await charges()
  t.equal(row.upstream_cost, 350_000n)

  const tooMany = { id: channelId, cost_terms: { models: pricesOf(2_600) } }
  const { status, body } = await admin.call('PUT', '/api/channel/', tooMany)
  t.match({ status, ...body }, { status: 400, field: 'cost_terms', message: /10000 keys/ })
  await setTerms(null)
})

t.test('[BILL-1] a channel that is deleted meanwhile has cost what it was asked', async (t) => {
  const { id } = await admin.must('POST', `/api/channel/copy/${channelId}`, {})
  await admin.must('PUT', '/api/channel/', { id, priority: 100, status: 1 })
  await admin.must('PUT', '/api/channel/', { id, cost_terms: { factor: '0.5' } })
  await changes.settled?.()
  let gone: Promise<unknown> | undefined
  upstream.script(async (request, response) => {
    gone ??= admin.must('DELETE', `/api/channel/${id}`)
    await gone
    await changes.settled?.()
    return json(200, chat.whole('Hi.', 100, 10))(request, response)
  })
  t.equal(await send(), 200)
  await gateway.logs()
  const [row] = await charges()
  t.match(row, { channel_id: id, upstream_cost: listed / 2n })
})

t.test(
  '[BILL-1] while costs cannot be written no charge is, and then both are, once',
  async (t) => {
    await setTerms({ factor: '1' })
    await knex.raw('ALTER TABLE upstream_costs RENAME TO upstream_costs_away')
    const second = await admin.channel({
      ...{ type: 1, name: 'second', key: 'second-key', base_url: upstream.url, models: model },
      ...{ group: 'default', priority: 1, cost_terms: { factor: '0.5' } },
    })
    const broken = events(chat.delta('Hi.'), chat.usage(100, 10))
    const good = json(200, chat.whole('Hi.', 100, 10))
    upstream.script((request, response) =>
      (request.headers.authorization === 'Bearer second-key' ? good : broken)(request, response),
    )
    const sending = send()
    await until(() => lines.messages().includes('a settlement fails and will be tried again'))
    t.equal((await charges()).length, 0)
    await knex.raw('ALTER TABLE upstream_costs_away RENAME TO upstream_costs')
    t.equal(await sending, 200)
    await gateway.logs()
    const [row, more] = await charges()
    t.equal(more, undefined)
    t.equal(row?.upstream_cost, listed / 2n)
    t.match(await knex('upstream_costs'), [{ request_id: row?.request_id, cost: listed }])
    await admin.must('DELETE', `/api/channel/${second}`)
  },
)
