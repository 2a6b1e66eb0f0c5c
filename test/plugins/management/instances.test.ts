/** Processes that serve one database: each states that it is there, and those that went silent can be reported. */
import t, { type Test } from 'tap'
import type { Schedule } from '../../../kernel/contract/services/schedule.js'
import { createTraffic } from '../../../kernel/http/traffic.js'
import { createSchedule } from '../../../kernel/schedule/schedule.js'
import { createInstances } from '../../../plugins/management/system-info/instances/index.js'
import { FakeClock } from '../../kit/clock.js'
import { testDatabase } from '../../kit/database.js'
import { quietLive, quietLog } from '../../kit/fakes.js'
import { fakeSystem } from './management-fixture.js'

const database = await testDatabase(t)

t.beforeEach(async () => {
  await database.knex('system_instances').delete()
})

const silent: Schedule = {
  every: () => ({ stop() {}, async now() {} }),
  everyLeased: () => ({ stop() {}, async now() {} }),
}

/** One process of the database. Its heart beats at its start, and again only where a schedule is given. */
async function processOf(t: Test, nodeName: string, clock: FakeClock, schedule = silent) {
  const system = { ...fakeSystem(clock), nodeName }
  const instances = createInstances({
    clock,
    services: { database, schedule, system, live: quietLive, traffic: createTraffic(quietLog) },
  })
  await instances.start?.()
  t.teardown(() => instances.stop?.())
  return instances
}

t.test('each process is seen by the others, with what it states of itself', async (t) => {
  const clock = new FakeClock()
  const one = await processOf(t, 'one', clock)
  const two = await processOf(t, 'two', clock)
  const listed = await one.list()
  t.match(listed, [
    { nodeName: 'one', online: true, startedAt: new Date(clock.now()) },
    { nodeName: 'two', online: true, lastSeenAt: new Date(clock.now()) },
  ])
  t.match(listed[0]?.info, {
    version: 'v1.0.5-preview.4',
    pid: process.pid,
    node_version: process.version,
    hostname: String,
    memory: { rss: Number, heap_used: Number },
    uptime_s: 0,
    event_loop_delay_p99_ms: Number,
    load: [Number, Number, Number],
    usage_anomalies: 0,
    database: database.kind,
  })
  await two.stop?.()
  t.match(await one.list(), [{ nodeName: 'one' }])
  t.equal((await one.list()).length, 1, 'who ends in order takes its record along')
})

t.test('a heart beats every 15 s', async (t) => {
  const clock = new FakeClock()
  const schedule = createSchedule(clock, quietLog, {} as never)
  const one = await processOf(t, 'one', clock, schedule)
  const begun = clock.now()
  clock.advance(14_999)
  t.match(await one.list(), [{ lastSeenAt: new Date(begun) }])
  clock.advance(1)
  await schedule.stop()
  t.match(await one.list(), [{ lastSeenAt: new Date(begun + 15_000), startedAt: new Date(begun) }])
})

t.test(
  '[API-3] exactly at the threshold an instance stays, a millisecond later it goes',
  async (t) => {
    const clock = new FakeClock()
    const gone = await processOf(t, 'gone', clock)
    clock.advance(1)
    await processOf(t, 'edge', clock)
    clock.advance(90_000 - 1)
    const here = await processOf(t, 'here', clock)
    t.match(await here.list(), [
      { nodeName: 'edge', online: true },
      { nodeName: 'gone', online: true },
      {},
    ])
    t.equal(await here.removeStale(), 0)
    clock.advance(1)
    t.match(await here.list(), [
      { online: true },
      { nodeName: 'gone', online: false },
      { online: true },
    ])
    t.equal(await here.removeStale(), 1)
    t.strictSame(
      (await here.list()).map(({ nodeName }) => nodeName),
      ['edge', 'here'],
    )
    clock.advance(1)
    t.equal(await gone.removeStale(), 1, 'whoever asks')
    t.strictSame(
      (await here.list()).map(({ nodeName }) => nodeName),
      ['here'],
    )
  },
)

t.test(
  'one that is online cannot be removed, one that is silent can, an unknown one is reported',
  async (t) => {
    const clock = new FakeClock()
    const one = await processOf(t, 'one', clock)
    await t.rejects(one.remove('one'), { code: 'conflict' })
    clock.advance(90_000)
    await t.rejects(one.remove('one'), { code: 'conflict' })
    clock.advance(1)
    await one.remove('one')
    t.strictSame(await one.list(), [])
    await t.rejects(one.remove('one'), { code: 'gone_missing' })
  },
)

t.test('a process that comes back under its name takes its record over', async (t) => {
  const clock = new FakeClock()
  const old = await processOf(t, 'node', clock)
  clock.advance(200_000)
  const young = await processOf(t, 'node', clock)
  t.match(await young.list(), [{ online: true, startedAt: new Date(clock.now()) }])
  await old.stop?.()
  t.equal((await young.list()).length, 1, 'the old one leaves the record of the young one alone')
})
