/** Routes of the usage charts: what becomes of the family's query, and whose sums are requested. */
import t from 'tap'
import createData from '../../../plugins/management/data/index.js'
import type { ChartQuery, ChartRow, UsageLog } from '../../../plugins/services/usage-log/index.js'
import { FakeClock } from '../../kit/clock.js'
import { quietLog } from '../../kit/fakes.js'
import { data, settingsOf } from './management-fixture.js'

const ada = { userId: 7, username: 'ada', role: 1, group: 'default', via: 'session' } as const
const day = 86_400

const row: ChartRow = {
  at: 3_600,
  userId: 7,
  username: 'ada',
  model: 'm',
  count: 2,
  quota: 30n,
  tokens: 400n,
}

function charts(settings = { enabled: true, step: 'hour' }) {
  const requests: ChartQuery[] = []
  const log: Partial<UsageLog> = {
    async chart(query) {
      requests.push(query)
      return [row]
    },
  }
  const clock = new FakeClock()
  const area = createData({
    settings: settingsOf(settings),
    clock,
    log: quietLog,
    services: { 'usage-log': log as UsageLog },
  })
  return { area, requests, now: Math.floor(clock.now() / 1000) }
}

t.test("rows are the family's", async (t) => {
  const { area } = charts()
  t.strictSame(await data(area, 'all'), [
    {
      id: 1,
      user_id: 7,
      username: 'ada',
      model_name: 'm',
      created_at: 3_600,
      token_used: 400n,
      count: 2,
      quota: 30n,
    },
  ])
})

t.test('what is not requested is the last thirty days, in the steps of the option', async (t) => {
  const { area, requests, now } = charts({ enabled: true, step: 'day' })
  const usual = {
    ...{ from: now - 30 * day, to: now },
    ...{ top: undefined, userId: undefined, username: undefined },
  }
  await data(area, 'all', { query: { start_timestamp: '', username: '', default_time: '' } })
  t.strictSame(requests.pop(), { by: 'model', step: 'day', ...usual })
  await data(area, 'users', { query: { start_timestamp: '0' } })
  t.strictSame(requests.pop(), { by: 'user', step: 'day', ...usual })
  const query = { start_timestamp: '5', end_timestamp: '9', username: 'bob', default_time: 'week' }
  await data(area, 'all', { query })
  t.strictSame(requests.pop(), {
    by: 'model',
    step: 'week',
    from: 5,
    to: 9,
    top: undefined,
    userId: undefined,
    username: 'bob',
  })
  await data(area, 'users', { query: { default_time: 'all', top: '10' } })
  t.strictSame(requests.pop(), { by: 'user', ...usual, step: 'all', top: 10 })
  await t.rejects(data(area, 'users', { query: { top: '101' } }), { code: 'invalid_field' })
  const refused = { code: 'invalid_field', param: 'default_time' }
  await t.rejects(data(area, 'all', { query: { default_time: "hour'" } }), refused)
})

t.test('users see their own sums, whomever they ask for, a month at once (X12)', async (t) => {
  const { area, requests, now } = charts()
  const query = { username: 'bob', user_id: '1', start_timestamp: String(now - 31 * day) }
  await data(area, 'own', { principal: ada, query })
  t.strictSame(requests.pop(), {
    by: 'model',
    step: 'hour',
    from: now - 31 * day,
    to: now,
    top: undefined,
    userId: 7,
    username: undefined,
  })
  const longer = { start_timestamp: String(now - 31 * day - 1) }
  await t.rejects(data(area, 'own', { principal: ada, query: longer }), {
    code: 'invalid_field',
    param: 'start_timestamp',
  })
  await t.rejects(data(area, 'own', { query }), { code: 'unauthorized' })
  t.same(requests, [])
})

t.test('charts switched off are empty', async (t) => {
  const { area, requests } = charts({ enabled: false, step: 'hour' })
  for (const name of ['all', 'own', 'users']) t.same(await data(area, name, { principal: ada }), [])
  t.same(requests, [])
})
