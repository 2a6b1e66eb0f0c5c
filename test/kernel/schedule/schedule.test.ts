/** Timed jobs of a process, on a clock that moves when reported. */
import t from 'tap'
import type { Leases } from '../../../kernel/schedule/leases.js'
import { createSchedule } from '../../../kernel/schedule/schedule.js'
import { systemClock } from '../../../kernel/schedule/system-clock.js'
import { FakeClock } from '../../kit/clock.js'
import { quietLog } from '../../kit/fakes.js'

/** For jobs that need none. */
const noLeases: Leases = {
  take: () => Promise.reject(new Error('no leases here')),
  release: () => Promise.reject(new Error('no leases here')),
}

/** A job that ends when reported. */
function gatedJob() {
  const gates: (() => void)[] = []
  const job = { runs: 0, running: 0, most: 0 }
  return {
    job,
    async run() {
      job.runs += 1
      job.running += 1
      job.most = Math.max(job.most, job.running)
      await new Promise<void>((resolve) => gates.push(resolve))
      job.running -= 1
    },
    finish: async () => {
      gates.shift()?.()
      await turn()
    },
  }
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

t.test('a job runs after each interval, not before the first', async (t) => {
  const clock = new FakeClock()
  let runs = 0
  createSchedule(clock, quietLog, noLeases).every('count', 1000, () => {
    runs += 1
  })
  clock.advance(999)
  t.equal(runs, 0)
  for (const wanted of [1, 2, 3]) {
    clock.advance(wanted === 1 ? 1 : 1000)
    await turn()
    t.equal(runs, wanted)
  }
})

t.test('a job never runs twice at once; times it missed are skipped', async (t) => {
  const clock = new FakeClock()
  const { job, run, finish } = gatedJob()
  createSchedule(clock, quietLog, noLeases).every('slow', 1000, run)
  clock.advance(5000)
  t.strictSame(job, { runs: 1, running: 1, most: 1 })
  await finish()
  clock.advance(1000)
  t.strictSame(job, { runs: 2, running: 1, most: 1 })
  await finish()
})

t.test('a failure is logged with the name of the job and the next run comes', async (t) => {
  const clock = new FakeClock()
  const logged: object[] = []
  const log = { ...quietLog, error: (fields: object) => void logged.push(fields) }
  let runs = 0
  const job = createSchedule(clock, log, noLeases).every('frail', 1000, () => {
    runs += 1
    throw new Error(`run ${runs}`)
  })
  clock.advance(1000)
  await turn()
  clock.advance(1000)
  await turn()
  await job.now()
  t.equal(runs, 3)
  t.match(logged, [{ job: 'frail', err: { message: 'run 1' } }, { err: { message: 'run 2' } }, {}])
})

t.test('now answers when a whole run that began after the call is over', async (t) => {
  const clock = new FakeClock()
  const { job, run, finish } = gatedJob()
  const handle = createSchedule(clock, quietLog, noLeases).every('slow', 1000, run)
  clock.advance(1000)
  let answered = 0
  const both = [handle.now(), handle.now()].map((one) => one.then(() => (answered += 1)))
  await finish()
  t.strictSame({ ...job, answered }, { runs: 2, running: 1, most: 1, answered: 0 })
  await finish()
  await Promise.all(both)
  t.equal(job.runs, 2, 'callers that wait for the same run share it')
})

t.test('a stopped job runs no more and leaves no timer', async (t) => {
  const clock = new FakeClock()
  let runs = 0
  const job = createSchedule(clock, quietLog, noLeases).every('count', 1000, () => {
    runs += 1
  })
  job.stop()
  clock.advance(5000)
  await job.now()
  t.equal(runs, 0)
  t.equal(clock.pending, 0)
})

t.test('stopping the schedule waits for what runs, and takes no new job', async (t) => {
  const clock = new FakeClock()
  const schedule = createSchedule(clock, quietLog, noLeases)
  const { job, run, finish } = gatedJob()
  schedule.every('slow', 1000, run)
  clock.advance(1000)
  let stopped = false
  const stopping = schedule.stop().then(() => {
    stopped = true
  })
  await turn()
  t.equal(stopped, false)
  await finish()
  await stopping
  schedule.every('late', 1000, run)
  clock.advance(5000)
  t.equal(job.runs, 1)
  t.equal(clock.pending, 0)
})

t.test('the clock of the machine tells the time and takes a timer back', async (t) => {
  t.ok(Math.abs(systemClock.now() - Date.now()) < 1000)
  const before = systemClock.monotonic()
  let cancelled = false
  systemClock.after(0, () => {
    cancelled = true
  })()
  await new Promise<void>((resolve) => {
    // A timer of the clock keeps no process alive, so this one does.
    const alive = setInterval(() => {}, 1000)
    systemClock.after(5, () => {
      clearInterval(alive)
      resolve()
    })
  })
  t.equal(cancelled, false)
  t.ok(systemClock.monotonic() > before)
})

t.test('a delay longer than a timer of the runtime takes does not fire at once', async (t) => {
  let fired = false
  const cancel = systemClock.after(2 ** 31 + 1000, () => {
    fired = true
  })
  await new Promise<void>((resolve) => setTimeout(resolve, 5))
  cancel()
  t.equal(fired, false)
})
