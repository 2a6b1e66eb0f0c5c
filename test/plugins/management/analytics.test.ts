/** The area of analytics: who may read whose usage, and what is refused. */
import t from 'tap'
import createAnalytics from '../../../plugins/management/analytics/index.js'
import type {
  DaySpan,
  RankingQuery,
  UsageLog,
  UsageScope,
} from '../../../plugins/services/usage-log/index.js'
import { FakeClock } from '../../kit/clock.js'
import { quietLog } from '../../kit/fakes.js'
import { data, settingsOf } from './management-fixture.js'

const ada = { userId: 7, username: 'ada', role: 1, group: 'default', via: 'session' } as const
const sums = {
  ...{ requests: 2n, errors: 1n, quota: 30n, inputTokens: 9n, cacheReadTokens: 4n },
  ...{ cacheWriteTokens: 0n, outputTokens: 5n },
}

function analytics() {
  const asked: (UsageScope & Partial<RankingQuery> & DaySpan)[] = []
  const log: Partial<UsageLog> = {
    async overview(span, scope) {
      asked.push({ ...span, ...scope })
      return { isWhole: true, step: 'day', totals: sums, before: sums, series: [], names: {} }
    },
    async ranking(query) {
      asked.push(query)
      return { items: [], others: sums }
    },
    async errorCounts(span, scope) {
      asked.push({ ...span, ...scope })
      return [{ code: 'rate_limit', status: 429, errors: 3n }]
    },
  }
  const area = createAnalytics({
    settings: settingsOf({}),
    clock: new FakeClock(),
    log: quietLog,
    services: { 'usage-log': log as UsageLog },
  })
  return { area, asked }
}

const june = { from: '2024-06-01', to: '2024-06-30' }

t.test('admins read everybody, or one of them', async (t) => {
  const { area, asked } = analytics()
  const found = await data(area, 'overview', { query: { ...june, channel: '3' } })
  t.match(found, { as_of: 0, totals: { cache_read_tokens: 4n, latency: null } })
  t.match(asked.pop(), { from: Date.UTC(2024, 5, 1) / 1000, channelId: 3, userId: undefined })
  await data(area, 'errors', { query: { ...june, user: '9', model: 'm' } })
  t.match(asked.pop(), { userId: 9, model: 'm' })
  await data(area, 'ranking', { query: { ...june, dimension: 'token', limit: '' } })
  t.match(asked.pop(), { dimension: 'token', order: 'quota', limit: 20, userId: undefined })
})

t.test('users read their own, whomever they ask for (X12)', async (t) => {
  const { area, asked } = analytics()
  for (const name of ['overviewOwn', 'errorsOwn']) {
    await data(area, name, { principal: ada, query: { ...june, user: '1', channel: '3' } })
    t.match(asked.pop(), { userId: 7, channelId: undefined })
    await t.rejects(data(area, name, { query: june }), { code: 'unauthorized' })
  }
  const query = { ...june, dimension: 'model', user: '1' }
  await data(area, 'rankingOwn', { principal: ada, query })
  t.match(asked.pop(), { userId: 7 })
  await t.rejects(data(area, 'rankingOwn', { query }), { code: 'unauthorized' })
  for (const dimension of ['channel', 'user']) {
    const refused = data(area, 'rankingOwn', { principal: ada, query: { ...june, dimension } })
    await t.rejects(refused, { code: 'invalid_field', param: 'dimension' })
  }
  t.same(asked, [])
})

t.test('what makes no sense is refused by its name', async (t) => {
  const { area } = analytics()
  const refused: readonly (readonly [object, string])[] = [
    [{ from: '2024-06-31' }, 'from'],
    [{ to: '1st of June' }, 'to'],
    [{ from: undefined }, 'from'],
    [{ to: '2024-05-31' }, 'to'],
    [{ from: '2023-06-01' }, 'from'],
    [{ model: 'm', channel: 3 }, 'channel'],
    [{ model: 'm', group: 'g' }, 'group'],
    [{ group: 'g', token: 4 }, 'token'],
    [{ model: 'm', token: 4 }, 'token'],
    [{ user: 2, channel: 3 }, 'channel'],
    [{ token: -1 }, 'token'],
  ]
  for (const [query, param] of refused) {
    const read = data(area, 'overview', { query: { ...june, ...query } })
    await t.rejects(read, { code: 'invalid_field', param }, JSON.stringify(query))
  }
  for (const narrowed of [{ model: 'm' }, { group: 'g' }, { token: '4' }, { channel: '3' }]) {
    const param = Object.keys(narrowed)[0]
    for (const name of ['ranking', 'rankingOwn']) {
      const query = { ...june, dimension: 'model', ...narrowed }
      const read = data(area, name, { principal: ada, query })
      await t.rejects(read, { code: 'invalid_field', param }, `${name} of one ${param}`)
    }
  }
  const query = { ...june, dimension: 'model', user: '2' }
  await data(area, 'ranking', { query })
  const bad = [{ dimension: 'channel' }, { order: 'name' }, { limit: 101 }]
  for (const one of bad) {
    const param = Object.keys(one)[0]
    const read = data(area, 'ranking', { query: { ...query, ...one } })
    await t.rejects(read, { code: 'invalid_field', param })
  }
})
