/** Jobs that one process at a time does: several schedules over one database stand for several processes. */
import t from 'tap'
import { createLeases, type Leases } from '../../../kernel/schedule/leases.js'
import { createSchedule } from '../../../kernel/schedule/schedule.js'
import { FakeClock } from '../../kit/clock.js'
import { testDatabase } from '../../kit/database.js'
import { quietLog } from '../../kit/fakes.js'

const minute = 60_000

const database = await testDatabase(t)
const { knex } = database
const lapse = (name: string) =>
  knex('leases')
    .where({ name })
    .update({ until: knex.raw("clock_timestamp() - interval '1 second'") })
const holders = async (name: string) => (await knex('leases').where({ name })).length

/** A process with a job of that name, which counts its runs. */
function process(name: string) {
  const clock = new FakeClock()
  const schedule = createSchedule(clock, quietLog, createLeases(database, 'node'))
  const process = { runs: 0, schedule, clock, job: { stop() {}, async now() {} } }
  process.job = schedule.everyLeased(name, minute, () => {
    process.runs += 1
  })
  return process
}

t.test('of many processes one does the job, and goes on doing it', async (t) => {
  const all = Array.from({ length: 5 }, () => process('one'))
  for (const wanted of [1, 2, 3]) {
    await Promise.all(all.map(({ job }) => job.now()))
    t.same(
      all.map(({ runs }) => runs).sort(),
      [0, 0, 0, 0, wanted],
      `round ${wanted}, whoever asks first`,
    )
  }
  await Promise.all(all.map(({ schedule }) => schedule.stop()))
})

t.test('a holder that died is followed by another when its time is up', async (t) => {
  const [dead, alive] = [process('died'), process('died')]
  await dead.job.now()
  await alive.job.now()
  t.same([dead.runs, alive.runs], [1, 0])
  await lapse('died')
  await alive.job.now()
  t.same([dead.runs, alive.runs], [1, 1])
  await dead.job.now()
  t.equal(dead.runs, 1, 'should it come back, it waits like the others')
})

t.test('a holder that stops is followed at once', async (t) => {
  const [first, second] = [process('stops'), process('stops')]
  await first.job.now()
  await first.schedule.stop()
  t.equal(await holders('stops'), 0)
  await second.job.now()
  t.equal(second.runs, 1)
  await first.schedule.stop()
  t.equal(await holders('stops'), 1, 'nobody gives back what another holds')
})

t.test('a job that is stopped alone gives its lease back too', async (t) => {
  const [first, second] = [process('alone'), process('alone')]
  await first.job.now()
  first.job.stop()
  await first.schedule.stop()
  await second.job.now()
  t.equal(second.runs, 1)
})

t.test('jobs of different names do not hinder each other', async (t) => {
  const [one, other] = [process('name 1'), process('name 2')]
  await Promise.all([one.job.now(), other.job.now()])
  t.same([one.runs, other.runs], [1, 1])
})

/** Leases that are granted and remembered. */
function granting() {
  const requests: [string, number][] = []
  const leases: Leases = {
    async take(name, ms) {
      requests.push([name, ms])
      return true
    },
    async release() {},
  }
  return { requests, leases }
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

t.test('a lease outlasts a short interval, and is prolonged while a run lasts', async (t) => {
  const clock = new FakeClock()
  const { requests, leases } = granting()
  const schedule = createSchedule(clock, quietLog, leases)
  let finish: () => void = () => {}
  const job = schedule.everyLeased('long', 1000, () => new Promise((resolve) => (finish = resolve)))
  const run = job.now()
  await turn()
  t.same(requests, [['long', 30_000]])
  clock.advance(25_000)
  await turn()
  t.equal(requests.length, 3)
  job.stop()
  finish()
  await run
  clock.advance(60_000)
  t.equal(requests.length, 3, 'afterwards no more')
  t.equal(clock.pending, 0)
})

t.test(
  'a lease that cannot be had, prolonged or given back harms nothing but its turn',
  async (t) => {
    const clock = new FakeClock()
    const lines: string[] = []
    const note = (_: object, line: string) => void lines.push(line)
    const log = { ...quietLog, warn: note, error: note }
    let down = true
    const schedule = createSchedule(clock, log, {
      async take() {
        if (down) throw new Error('the database is away')
        return true
      },
      release: () => Promise.reject(new Error('the database is away')),
    })
    let runs = 0
    let finish: () => void = () => {}
    const job = schedule.everyLeased('frail', minute, () => {
      runs += 1
      return new Promise((resolve) => (finish = resolve))
    })
    await job.now()
    t.equal(runs, 0)
    down = false
    const run = job.now()
    await turn()
    t.equal(runs, 1)
    down = true
    clock.advance(20_000)
    await turn()
    finish()
    await run
    await schedule.stop()
    t.same(lines, [
      'a timed job failed; its next run comes',
      'the lease of a running job could not be prolonged',
      'the lease of a job could not be given back',
    ])
  },
)
