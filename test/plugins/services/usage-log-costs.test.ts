/** Sums of what upstreams charge: the same as the rows, whenever those come, and they stay when the rows go. */
import t, { type Test } from 'tap'
import { databaseKind } from '../../kit/database.js'
import { start, usageFixture } from './usage-log-fixture.js'

const gateway = await usageFixture(t)
const { database, service, add } = gateway
const { knex } = database
const startSeconds = start / 1_000

t.before(() => knex('users').insert({ username: 'ada', password_hash: '' }))
t.beforeEach(async () => {
  await gateway.empty()
  await knex('usage_cost_days').delete()
  await knex('upstream_costs').delete()
})

const ofCall = (request_id: string, created_at: unknown, cost: number | null) => ({
  ...{ request_id, part: 1, created_at, cost, channel_id: 7, user_id: 1 },
  ...{ model_name: 'm', upstream_model: 'up', group_name: 'default' },
})

/** Rows of the seconds `from` to `to`: charges with a cost, charges without, refunds, and calls that were not charged. */
async function rowsOf(from: number, to: number): Promise<void> {
  for (let n = from; n < to; n += 1) {
    const more = { quota: n, channel_id: 7, model_name: 'm', upstream_model: 'up' }
    await add(`r${n}`, {
      ...more,
      type: n % 5 === 4 ? 6 : 2,
      upstream_cost: n % 3 === 0 ? null : n - 3,
    })
    const at = new Date(start + n * 1_000)
    if (n % 2 === 0)
      await knex('upstream_costs').insert(ofCall(`c${n}`, at, n % 4 === 0 ? null : n))
  }
}

async function mustAddUp(t: Test): Promise<void> {
  const { rows } = await knex.raw(`
    SELECT (SELECT sum(upstream_cost) FROM usage_log) + (SELECT coalesce(sum(cost), 0) FROM upstream_costs) AS cost,
      sum(CASE type WHEN 6 THEN -quota ELSE quota END) FILTER (WHERE upstream_cost IS NOT NULL) AS cost_quota
    FROM usage_log`)
  for (const table of ['usage_stat_days', 'usage_stat_hours']) {
    for (const kind of ['all', 'channel', 'model', 'user', 'group']) {
      const [sums] = await knex(table)
        .where({ kind })
        .sum('cost as cost')
        .sum('cost_quota as cost_quota')
      t.strictSame(sums, rows[0], `${table} ${kind}`)
    }
  }
  const [billed] = await knex('usage_cost_days')
    .where({ channel_id: 7, upstream_model: 'up' })
    .sum('cost as cost')
  t.equal(billed?.cost, rows[0].cost, 'by the model that is asked for')
}

t.test('rows that come after their hour was summed are added to it', async (t) => {
  await rowsOf(0, 40)
  await service.roll()
  await mustAddUp(t)
  for (const from of [40, 80]) {
    await knex('usage_mark').update({ rolled_until: new Date(start + from * 1_000) })
    await rowsOf(from, from + 40)
    await service.roll()
    await service.roll()
    await mustAddUp(t)
  }
})

t.test('an hour that has calls and no charges is summed', async (t) => {
  await knex('upstream_costs').insert(ofCall('c1', new Date(start), 5))
  await service.roll()
  const [day] = await knex('usage_stat_days').where({ kind: 'channel', id: 7 })
  t.match(day, { cost: 5n, cost_quota: 0n, requests: 0n })
})

t.test(
  'rows of a transaction that ends late are waited for',
  { skip: databaseKind !== 'postgresql' && 'one connection' },
  async (t) => {
    await rowsOf(0, 10)
    const now = knex.raw("now() - interval '2 minutes'")
    const late = await knex.transaction()
    // Its time is that of its beginning, and nobody sums beyond that.
    await late('upstream_costs').insert(ofCall('late', late.raw('now()'), 9))
    await knex('upstream_costs').insert(ofCall('early', now, 4))
    await service.roll()
    const [{ rolled_until: mark }] = await knex('usage_mark')
    const [{ created_at: begun }] = await late('upstream_costs').where({ request_id: 'late' })
    t.ok(mark <= begun)
    await late.commit()
  },
)

t.test('a step takes so many rows of the log at most, and so many costs', async (t) => {
  const moment = (n: number) => new Date(start + n * 1_000)
  await add('r0', { quota: 1, created_at: moment(0) })
  for (let n = 0; n < 6; n += 1) await knex('upstream_costs').insert(ofCall(`c${n}`, moment(n), 1))
  await add('r6', { quota: 1, created_at: moment(6) })
  const step = async () => (await knex.raw("SELECT usage_roll(2, '0 s') AS more")).rows[0].more
  for (const cost of [2, 4]) {
    t.equal(await step(), true)
    const [summed] = await knex('usage_cost_days').sum('cost as cost')
    t.equal(Number(summed?.cost), cost)
  }
  t.equal(await step(), false)
  const [summed] = await knex('usage_cost_days').sum('cost as cost')
  t.equal(Number(summed?.cost), 6)
})

t.test('costs of calls go with the log, in batches, and their sums stay', async (t) => {
  await add('r1', { quota: 1 })
  await knex.raw(
    `INSERT INTO upstream_costs
       (request_id, part, created_at, channel_id, user_id, model_name, upstream_model, group_name, cost)
     SELECT 'r' || n, 1, ?::timestamptz + n * interval '1 second', 7, 1, 'm', 'up', 'default', n
     FROM generate_series(1, 3200) n`,
    [new Date(start)],
  )
  const deleted: number[] = []
  const heard = (response: { rowCount: number }, query: { sql: string }) => {
    if (query.sql.startsWith('DELETE FROM upstream_costs')) deleted.push(response.rowCount)
  }
  knex.on('query-response', heard)
  await service.trim(startSeconds + 3_101)
  knex.removeListener('query-response', heard)
  t.same(deleted, [1_000, 1_000, 1_000, 100])
  const [left] = await knex('upstream_costs').count('* as count').min('created_at as first')
  t.match(left, { count: 100n, first: new Date(start + 3_101_000) })
  const [billed] = await knex('usage_cost_days').sum('cost as cost')
  t.equal(Number(billed?.cost), (3_200 * 3_201) / 2)
})

t.test('costs not summed yet are not deleted', async (t) => {
  const young = ofCall('c1', knex.raw("now() - interval '20 seconds'"), 5)
  await knex('upstream_costs').insert(young)
  await service.trim(Date.now() / 1_000 + 60)
  t.equal((await knex('upstream_costs')).length, 1)
})
