/** Analytics: the same as what the rows of the log say, whatever is counted when. */
import t, { type Test } from 'tap'
import type {
  Dimension,
  Measure,
  Percentiles,
  UsageScope,
  UsageSums,
} from '../../../plugins/services/usage-log/index.js'
import { start, usageFixture } from './usage-log-fixture.js'

const gateway = await usageFixture(t)
const { database, service } = gateway
const { knex } = database
const first = start / 1_000
const hour = 3_600
const day = 24 * hour
const days = 4

t.before(async () => {
  await knex('users').insert([
    { username: 'ada', password_hash: '' },
    { username: 'bob', password_hash: '' },
  ])
})
t.beforeEach(async () => {
  await gateway.empty()
  await knex('billing_requests').delete()
})

interface Row {
  readonly request_id: string
  readonly created_at: Date
  readonly type: number
  readonly user_id: number
  readonly token_id: number | null
  readonly channel_id: number | null
  readonly model_name: string
  readonly group_name: string
  readonly quota: number
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly use_time_ms: number
  readonly is_stream: boolean
  readonly detail: {
    readonly frt?: number
    readonly error_code?: string
    readonly status_code?: number
    readonly further_errors?: number
  }
}

interface Cached {
  readonly cacheRead: number
  readonly cacheWrite5m: number
  readonly cacheWrite1h: number
}

/** Numbers that look like chance and are the same each time. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const caches = new Map<string, Cached>()

/** Of every kind, over some days. */
async function addRows(seed: number, count: number, from = 0, until = days * day) {
  const next = numbers(seed)
  const rows = Array.from({ length: count }, (_, n): Row => {
    const type = [2, 2, 2, 2, 6, 5, 1][next(7)]!
    const ms = next(10) === 0 ? 0 : Math.round(1.3 ** next(40)) + next(9)
    const failed = {
      error_code: ['rate_limit', 'upstream_error'][next(2)]!,
      status_code: [429, 502][next(2)]!,
      ...(next(5) === 0 && { further_errors: next(40) }),
    }
    return {
      request_id: `req_${seed}_${n}`,
      created_at: new Date(start + (from + next(until - from)) * 1_000 + next(1_000)),
      type,
      user_id: 1 + next(2),
      token_id: [null, 1, 2, 3][next(4)]!,
      channel_id: [null, 1, 2][next(3)]!,
      model_name: `m${next(3)}`,
      group_name: `g${next(2)}`,
      quota: type === 1 ? 0 : next(1_000),
      prompt_tokens: type === 2 ? next(1_000) : 0,
      completion_tokens: type === 2 ? next(500) : 0,
      use_time_ms: ms,
      is_stream: next(2) === 0,
      detail: type === 5 ? failed : { frt: Math.ceil(ms / (1 + next(4))) },
    }
  })
  await knex.batchInsert('usage_log', rows, 200)
  const charges = rows.filter(({ type }) => type === 2)
  const bills = charges.map(({ request_id, user_id }) => {
    const usage = { cacheRead: next(700), cacheWrite5m: next(300), cacheWrite1h: next(300) }
    caches.set(request_id, usage)
    const closed = { state: 'settled', revision: 1, reserved: 0, closed_at: new Date(start) }
    const owner = { owner_instance: 'a', owner_epoch: 1, kind: 'sync', funding_account: 1 }
    return { request_id, user_id, usage, ...closed, ...owner }
  })
  await knex.batchInsert('billing_requests', bills, 200)
  return rows
}

function expected(rows: readonly Row[]): UsageSums {
  const add = (of: (row: Row) => number) => rows.reduce((sum, row) => sum + BigInt(of(row)), 0n)
  const charges = rows.filter(({ type }) => type === 2)
  const cache = charges.map(({ request_id, prompt_tokens }) => {
    const { cacheRead, cacheWrite5m, cacheWrite1h } = caches.get(request_id)!
    const read = Math.min(cacheRead, prompt_tokens)
    return { read, written: Math.min(cacheWrite5m + cacheWrite1h, prompt_tokens - read) }
  })
  return {
    requests: BigInt(charges.length),
    errors: add(({ type, detail }) => (type === 5 ? 1 + (detail.further_errors ?? 0) : 0)),
    quota: add(({ type, quota }) => (type === 2 ? quota : type === 6 ? -quota : 0)),
    inputTokens: add(({ prompt_tokens }) => prompt_tokens),
    cacheReadTokens: cache.reduce((sum, { read }) => sum + BigInt(read), 0n),
    cacheWriteTokens: cache.reduce((sum, { written }) => sum + BigInt(written), 0n),
    outputTokens: add(({ completion_tokens }) => completion_tokens),
  }
}

function sums(of: UsageSums): UsageSums {
  const { requests, errors, quota, inputTokens, outputTokens } = of
  const { cacheReadTokens, cacheWriteTokens } = of
  return {
    ...{ requests, errors, quota, inputTokens, outputTokens },
    ...{ cacheReadTokens, cacheWriteTokens },
  }
}

const span = { from: first, to: first + (days - 1) * day }
const scopes: readonly (readonly [UsageScope, (row: Row) => boolean])[] = [
  [{}, () => true],
  [{ userId: 2 }, (row) => row.user_id === 2],
  [{ model: 'm1' }, (row) => row.model_name === 'm1'],
  [{ group: 'g0' }, (row) => row.group_name === 'g0'],
  [{ channelId: 2 }, (row) => row.channel_id === 2],
  [{ userId: 1, model: 'm2' }, (row) => row.user_id === 1 && row.model_name === 'm2'],
  [{ userId: 1, group: 'g1' }, (row) => row.user_id === 1 && row.group_name === 'g1'],
  [{ userId: 2, tokenId: 3 }, (row) => row.user_id === 2 && row.token_id === 3],
]

async function compare(t: Test, rows: readonly Row[]) {
  for (const [scope, isOf] of scopes) {
    const of = rows.filter(isOf)
    const found = await service.overview(span, scope)
    t.strictSame(sums(found.totals), expected(of), JSON.stringify(scope))
    const series = found.series.map((step) => ({ at: step.at, ...sums(step) }))
    const byDay = Array.from({ length: days }, (_, n) => first + n * day).flatMap((at) => {
      const within = of.filter(({ created_at }) => {
        const seconds = created_at.getTime() / 1000
        return seconds >= at && seconds < at + day
      })
      return within.every(({ type }) => type === 1) ? [] : [{ at, ...expected(within) }]
    })
    t.strictSame(series, byDay, JSON.stringify(scope))
    const errors = await service.errorCounts(span, scope)
    const total = errors.reduce((sum, one) => sum + one.errors, 0n)
    t.equal(total, expected(of).errors, `causes of ${JSON.stringify(scope)}`)
  }
}

t.test('figures are what the rows say', async (t) => {
  const early = await addRows(3, 500)
  await service.roll()
  await compare(t, early)
})

t.test('rows that come after others of their hour are counted too', async (t) => {
  const half = await addRows(5, 300, 0, 2 * day + hour / 2)
  await service.roll()
  await knex('usage_mark').update({ rolled_until: new Date(start + (2 * day + hour / 2) * 1000) })
  const rest = await addRows(6, 300, 2 * day + hour / 2, days * day)
  await service.roll()
  await compare(t, [...half, ...rest])
})

t.test('rankings add up to everything, in each order and of each dimension', async (t) => {
  const rows = await addRows(9, 600)
  await service.roll()
  const nameOf: Record<Dimension, (row: Row) => string> = {
    model: (row) => row.model_name,
    group: (row) => row.group_name,
    channel: (row) => String(row.channel_id ?? 0),
    user: (row) => String(row.user_id),
    token: (row) => `${row.user_id} ${row.token_id ?? 0}`,
  }
  const amountOf: Record<Measure, (of: UsageSums) => bigint> = {
    requests: (of) => of.requests,
    errors: (of) => of.errors,
    quota: (of) => of.quota,
    tokens: (of) => of.inputTokens + of.outputTokens,
  }
  for (const dimension of ['model', 'group', 'channel', 'user', 'token'] as const) {
    for (const order of ['requests', 'errors', 'quota', 'tokens'] as const) {
      const { items, others } = await service.ranking({ ...span, dimension, order, limit: 2 })
      const logged = rows.filter(({ type }) => type !== 1)
      const all = [...new Set(logged.map(nameOf[dimension]))]
        .map((name) => expected(logged.filter((row) => nameOf[dimension](row) === name)))
        .sort((a, b) => (amountOf[order](a) < amountOf[order](b) ? 1 : -1))
      const title = `${dimension} by ${order}`
      t.strictSame(items.map(sums), all.slice(0, 2), title)
      const rest =
        amountOf[order](expected(rows)) - items.reduce((n, of) => n + amountOf[order](of), 0n)
      t.equal(amountOf[order](others), rest, title)
    }
  }
  const users = await service.ranking({ ...span, dimension: 'user', order: 'quota', limit: 9 })
  t.strictSame(users.items.map(({ name }) => name).sort(), ['ada', 'bob'])
  const own = await service.ranking({
    ...span,
    dimension: 'token',
    order: 'quota',
    limit: 9,
    userId: 1,
  })
  t.ok(own.items.every(({ userId }) => userId === 1))
  t.strictSame(sums(own.others), expected([]), 'nobody else is in it')
})

t.test('percentiles are those of the rows, within a tenth', async (t) => {
  const rows = (await addRows(11, 900)).filter(({ type }) => type === 2)
  await service.roll()
  const { totals, series } = await service.overview(span, {})
  const timed = rows.map((row) => row.use_time_ms).filter((ms) => ms > 0)
  near(t, totals.latency, timed)
  const streams = rows.filter(({ is_stream, detail }) => is_stream && (detail.frt ?? 0) > 0)
  near(
    t,
    totals.firstToken,
    streams.map(({ detail }) => detail.frt!),
  )
  t.equal(series.length, days)
  const generated = rows.map((row) => ({
    ms: row.use_time_ms - (row.is_stream ? (row.detail.frt ?? 0) : 0),
    tokens: row.completion_tokens,
  }))
  const counted = generated.filter(({ ms, tokens }) => ms > 0 && tokens > 0)
  const sum = (of: 'ms' | 'tokens') => counted.reduce((total, one) => total + one[of], 0)
  t.equal(totals.tokensPerSecond, Math.round((sum('tokens') / sum('ms')) * 10_000) / 10)
})

function near(t: Test, found: Percentiles | undefined, values: readonly number[]) {
  const sorted = values.toSorted((a, b) => a - b)
  for (const [name, part] of [
    ['p50', 0.5],
    ['p95', 0.95],
    ['p99', 0.99],
  ] as const) {
    const truth = sorted[Math.ceil(sorted.length * part) - 1]!
    const off = Math.abs(found![name] - truth)
    t.ok(off <= Math.max(1, truth * 0.1), `${name}: ${found![name]} for ${truth}`)
  }
}

t.test('what was logged before is filled in, and hours whose rows are gone', async (t) => {
  const rows = await addRows(13, 400)
  await service.roll()
  for (const table of ['stat_days', 'stat_hours', 'error_days', 'tops', 'top_days']) {
    await knex(`usage_${table}`).delete()
  }
  const half = start + 2 * day * 1_000 + 90_000
  // As an upgrade finds it: rows up to the mark are summed, those from it on come later.
  await knex('usage_mark').update({ stats_from: knex.ref('rolled_until') })
  for (let more = true; more; ) {
    const answer = await knex.raw('SELECT usage_fill_stats(50) AS more')
    more = answer.rows[0].more
  }
  await compare(t, rows)
  await knex('usage_stat_days').delete()
  await knex('usage_stat_hours').delete()
  await knex('usage_error_days').delete()
  t.equal((await service.trim(half / 1000)) > 0, true)
  await knex('usage_mark').update({ stats_from: knex.ref('rolled_until') })
  await service.roll()
  const { totals } = await service.overview(span, {})
  const { requests, quota, inputTokens, outputTokens } = expected(rows)
  t.match(totals, { requests, quota, inputTokens, outputTokens }, 'no charge is missing')
})

t.test('a log is not trimmed of what is still to be counted', async (t) => {
  await addRows(17, 200)
  await service.roll()
  const before = await service.overview(span, {})
  t.ok((await service.trim(first + days * day)) > 0)
  await service.roll()
  // The mark has moved on by the time that took.
  const after = { ...(await service.overview(span, {})), asOf: before.asOf }
  t.strictSame(after, before, 'sums stay when rows go')
})

t.test('the days before end at the hour at which the last day has come', async (t) => {
  const at = new Date(start + (day + 10 * hour) * 1_000)
  const row = { type: 2, user_id: 1, quota: 1 }
  for (const [id, hours] of [
    ['a', 1],
    ['b', 9],
    ['c', 11],
    ['d', 25],
  ] as const) {
    const created_at = new Date(start + hours * hour * 1_000)
    await knex('usage_log').insert({ request_id: id, created_at, ...row })
  }
  await service.roll()
  await knex('usage_mark').update({ rolled_until: at })
  const today = await service.overview({ from: first + day, to: first + day }, {})
  t.equal(today.step, 'hour')
  t.equal(today.totals.requests, 1n)
  t.equal(today.before.requests, 2n)
  await knex('usage_mark').update({ rolled_until: new Date(start + 2 * day * 1_000) })
  const over = await service.overview({ from: first + day, to: first + day }, {})
  t.equal(over.before.requests, 3n)
})

t.test(
  'figures of one API key are those of its owner, and nobody is shown another one',
  async (t) => {
    const [mine] = await knex('tokens')
      .insert({ user_id: 1, name: 'mine', key_hash: 'a', key_sealed: '', key_tail: 'aaaa' })
      .returning('id')
    const row = { type: 2, user_id: 1, token_id: mine.id, quota: 5, created_at: new Date(start) }
    await knex('usage_log').insert({ request_id: 'one', ...row })
    await service.roll()
    const ofAll = await service.overview(span, { tokenId: mine.id })
    t.match(ofAll.totals, { requests: 1n, quota: 5n })
    t.match(ofAll.names, {
      token: { name: 'mine', isDeleted: false },
      user: { name: 'ada', isDeleted: false },
    })
    const foreign = await service.overview(span, { userId: 2, tokenId: mine.id })
    t.match(foreign.totals, { requests: 0n, quota: 0n })
    t.match(foreign.names, { token: { name: '', isDeleted: true }, user: { name: 'bob' } })
    t.strictSame(await service.errorCounts(span, { userId: 2, tokenId: mine.id }), [])
    await knex('tokens').update({ deleted_at: knex.fn.now() })
    const { names } = await service.overview(span, { tokenId: mine.id })
    t.strictSame(names.token, { name: 'mine', isDeleted: true })
    t.match((await service.overview(span, { channelId: 999 })).names, {
      channel: { name: '', isDeleted: true },
    })
  },
)
