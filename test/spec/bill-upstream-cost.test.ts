/** What requests cost upstream: kept with the charge, summed exactly, and shown to admins alone. */
import t from 'tap'
import { management } from '../kit/management.js'
import { ask, model, scriptedGateway } from '../kit/scripted-gateway.js'
import { chat, events, json } from '../kit/upstream.js'

const gateway = await scriptedGateway(t, { channel: { priority: 10 } })
const { upstream, channelId, admin } = gateway
const { knex } = gateway.gateway.service('database')
const log = gateway.gateway.service('usage-log')
const changes = gateway.gateway.service('changes')
const good = json(200, chat.whole('Hi.', 100, 10))
/** 100 + 4 x 10 tokens at $2 a million, in billionths. */
const listed = 280_000n

async function setTerms(id: number, cost_terms: unknown): Promise<void> {
  await admin.must('PUT', '/api/channel/', { id, cost_terms })
  await changes.settled?.()
}

/** Rows of the log before the test. */
let before = 0n

async function rows(after = before) {
  await gateway.logs()
  const found = await knex('usage_log')
    .where({ type: 2 })
    .where('id', '>', String(after))
    .orderBy('id')
  return found as readonly { request_id: string; quota: bigint; upstream_cost: bigint | null }[]
}

async function send(over: object = {}) {
  const answer = await gateway.chat(ask({ ...over }))
  return { status: answer.status, text: await answer.text() }
}

t.beforeEach(async () => {
  upstream.script(good)
  const [last] = await knex('usage_log').orderBy('id', 'desc').limit(1)
  before = last?.id ?? 0n
  await knex('upstream_costs').delete()
})

t.test('[BILL-1] a charge keeps its cost, and none where the channel has no terms', async (t) => {
  await send()
  t.equal((await rows())[0]?.upstream_cost, null)
  await setTerms(channelId, { factor: '0.75' })
  await send()
  t.equal((await rows())[1]?.upstream_cost, (listed * 3n) / 4n)
  await send({ stream: true })
  upstream.script(events(chat.delta('Hi.'), chat.stop(), chat.usage(100, 10), chat.done))
  await send({ stream: true })
  t.equal((await rows())[3]?.upstream_cost, (listed * 3n) / 4n)
})

t.test('[BILL-1] the name that is sent has the price of its own', async (t) => {
  await admin.must('PUT', '/api/channel/', { id: channelId, model_mapping: { [model]: 'sent' } })
  await setTerms(channelId, { models: { sent: { model_ratio: '0.5', completion_ratio: '2' } } })
  await send()
  t.equal((await rows())[0]?.upstream_cost, 120_000n)
  await setTerms(channelId, { models: { other: { model_ratio: '0.5' } } })
  await send()
  t.equal((await rows())[1]?.upstream_cost, null, 'it is not listed, and there is no factor')
  await admin.must('PUT', '/api/channel/', { id: channelId, model_mapping: {} })
})

t.test('[BILL-1] terms are refused naming the field, copied, and changed of many', async (t) => {
  const refused = await admin.call('PUT', '/api/channel/', {
    id: channelId,
    cost_terms: { factor: '-2' },
  })
  t.match(refused.body, { success: false, field: 'cost_terms' })
  const models = { sent: { model_price: '0.01' } }
  await setTerms(channelId, { factor: '2', models })
  const { id } = await admin.must('POST', `/api/channel/copy/${channelId}`, {})
  const termsOf = async (of: number) => (await admin.must('GET', `/api/channel/${of}`)).cost_terms
  t.same(JSON.parse(await termsOf(id)), { factor: '2', models })
  const changeMany = (cost_factor: string) =>
    admin.must('POST', '/api/channel/batch/edit', { ids: [id], changes: { cost_factor } })
  await changeMany('0.5')
  t.same(JSON.parse(await termsOf(id)), { factor: '0.5', models })
  await changeMany('')
  t.same(JSON.parse(await termsOf(id)), { models })
  await admin.must('PUT', '/api/channel/', { id, cost_terms: null })
  t.equal(await termsOf(id), '')
  await changeMany('')
  t.equal(await termsOf(id), '')
  await admin.must('DELETE', `/api/channel/${id}`)
})

const brokenOff = events(chat.delta('Hi.'), chat.usage(100, 10))

t.test('[BILL-1] an attempt that failed after it was counted costs as well, once', async (t) => {
  await setTerms(channelId, { factor: '1' })
  const second = await admin.channel({
    ...{ type: 1, name: 'second', key: 'second-key', base_url: upstream.url, models: model },
    ...{ group: 'default', priority: 1, cost_terms: { factor: '0.5' } },
  })
  upstream.script((request, response) =>
    (request.headers.authorization === 'Bearer second-key' ? good : brokenOff)(request, response),
  )
  const { status } = await send()
  t.equal(status, 200)
  const [row] = await rows()
  t.equal(row?.upstream_cost, listed / 2n, 'of the one that answered')
  const parts = await knex('upstream_costs')
  t.match(parts, [{ channel_id: channelId, cost: listed, request_id: row?.request_id }])
  // What comes twice is written once.
  await knex.raw('UPDATE billing_requests SET usage = usage')
  t.equal((await knex('upstream_costs')).length, 1)

  const [shown] = await gateway.logs()
  t.match(JSON.parse(shown!.other).admin_info, {
    upstream_cost: Number(listed / 2n),
    attempt_costs: [{ channel: channelId, channel_name: 'scripted', cost: String(listed) }],
  })

  // Where one part is not known the whole is not, and nothing that is known is lost.
  await setTerms(channelId, null)
  await send()
  t.equal((await rows())[1]?.upstream_cost, null)
  const later = await knex('upstream_costs')
    .whereNot({ request_id: row!.request_id })
    .orderBy('part')
  t.match(later, [
    { channel_id: channelId, cost: null },
    { channel_id: second, cost: listed / 2n },
  ])
  await admin.must('DELETE', `/api/channel/${second}`)
})

t.test(
  '[BILL-1] a request that nobody is charged for has cost what its upstream counted',
  async (t) => {
    await setTerms(channelId, { factor: '1' })
    upstream.script(brokenOff)
    const { status } = await send()
    t.not(status, 200)
    t.equal((await rows()).length, 0)
    const parts = await knex('upstream_costs')
    t.ok(parts.length > 0)
    for (const part of parts) t.match(part, { channel_id: channelId, cost: listed })
  },
)

t.test('[BILL-1] sums of costs are those of the rows, and margins may be below 0', async (t) => {
  await knex.raw('TRUNCATE usage_stat_days, usage_stat_hours, usage_cost_days')
  await setTerms(channelId, { factor: '3' })
  for (let n = 0; n < 5; n += 1) await send()
  upstream.script(brokenOff)
  await send()
  await setTerms(channelId, null)
  upstream.script(good)
  await send()
  const past = knex.raw("date_trunc('day', now(), 'UTC') - interval '1 hour'")
  const older = knex.raw("date_trunc('day', now(), 'UTC') - interval '10 days'")
  await knex('usage_log').where('id', '<=', String(before)).update({ created_at: older })
  await knex('usage_log').where('id', '>', String(before)).update({ created_at: past })
  await knex('upstream_costs').update({ created_at: past })
  await knex('usage_mark').update({ rolled_until: knex.raw("'-infinity'") })
  await log.roll()

  const kept = await rows()
  const { rows: added } = await knex.raw('SELECT sum(cost)::bigint AS attempts FROM upstream_costs')
  const [{ attempts }] = added
  const cost = kept.reduce((sum, row) => sum + (row.upstream_cost ?? 0n), BigInt(attempts))
  const known = kept.filter((row) => row.upstream_cost !== null)
  const knownQuota = known.reduce((sum, { quota }) => sum + quota, 0n)
  const sums = {
    requests: kept.length,
    quota: Number(kept.reduce((sum, { quota }) => sum + quota, 0n)),
    known_quota: Number(knownQuota),
    cost: Number(cost),
    margin: Number(knownQuota * 2_000n - cost),
  }
  t.ok(sums.margin < 0)
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
  const span = `from=${yesterday}&to=${yesterday}`
  t.same((await admin.must('GET', `/api/margin/?${span}`)).totals, sums)
  t.same((await admin.must('GET', `/api/margin/?${span}&channel=${channelId}`)).totals, sums)
  t.same((await admin.must('GET', `/api/margin/?${span}&model=${model}`)).totals, sums)
  for (const by of ['channel', 'model', 'user']) {
    const { items, others } = await admin.must(
      'GET',
      `/api/margin/by?${span}&by=${by}&order=margin`,
    )
    t.match(items, [sums])
    t.match(others, { quota: 0, cost: 0 })
  }
  t.same(await admin.must('GET', `/api/margin/bill?${span}&channel=${channelId}`), [
    { day: yesterday, model, cost: Number(cost) },
  ])
  const after = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
  const next = await admin.must(
    'GET',
    `/api/margin/?from=${new Date().toISOString().slice(0, 10)}&to=${after}`,
  )
  t.equal(next.totals.cost, 0)

  await gateway.gateway.service('margin-alerts').look()
  t.equal((await noticesOf()).length, 0, 'less than a dollar is noise')
  await admin.option('MarginMinimumDollars', 0)
  await gateway.gateway.service('margin-alerts').look()
  await gateway.gateway.service('margin-alerts').look()
  t.equal((await noticesOf()).length, 1, 'of the channel and of all of them, once')
})

async function noticesOf() {
  const { items } = await gateway.gateway.service('notifications').page({ page: 1, pageSize: 100 })
  return items.filter(({ type }) => type === 'margin_low')
}

t.test('[X12] nobody but admins learns what anything costs', async (t) => {
  await setTerms(channelId, { factor: '1' })
  await send()
  const person = { username: 'ada', password: 'correct horse battery' }
  await admin.must('POST', '/api/user/', { ...person, role: 1 })
  const ada = management(gateway.url)
  await ada.must('POST', '/api/user/login', person)
  await knex('usage_log')
    .where('id', '>', String(before))
    .update({ user_id: knex('users').where({ username: 'ada' }).select('id') })
  const today = new Date().toISOString().slice(0, 10)
  const span = `from=${today}&to=${today}`
  for (const path of ['', 'by', 'bill']) {
    const { status } = await ada.call('GET', `/api/margin/${path}?${span}&by=channel&channel=1`)
    t.equal(status, 403)
  }
  const own = [
    '/api/log/self/?p=1',
    '/api/log/self/search?keyword=gpt',
    `/api/analytics/self?${span}`,
    `/api/analytics/self/by?${span}&dimension=model`,
    '/api/pricing',
    '/api/models',
    '/api/user/self',
    '/api/data/self',
  ]
  for (const path of own) {
    const text = JSON.stringify((await ada.call('GET', path)).body)
    t.notMatch(text, /upstream_cost|attempt_costs|cost_terms|known_quota|"cost"|margin/, path)
  }
  const [row] = (await ada.must('GET', '/api/log/self/?p=1')).items
  t.equal(row.quota, 140)
})
