/**
 * Timed jobs of this process: each runs every so many milliseconds, never twice at once. A run that fails is
 * logged and the next one comes; a run that takes longer than its interval skips the times it missed.
 */
import type { Clock, Log } from '../contract/kit.js'
import type { Schedule } from '../contract/services/schedule.js'
import { type LeasedJob, leasedJob } from './leased.js'
import type { Leases } from './leases.js'

export interface GatewaySchedule extends Schedule {
  /** Ends every job and waits for those that are running. Jobs requested later never run. */
  stop(): Promise<void>
}

interface Job {
  stop(): void
  now(): Promise<void>
  /** Once stopped: nothing runs any more, and the lease is given back. */
  idle(): Promise<void>
}

export function createSchedule(clock: Clock, log: Log, leases: Leases): GatewaySchedule {
  const jobs = new Set<Job>()
  let stopped = false

  function begin(name: string, ms: number, run: () => Promise<void> | void, lease?: LeasedJob) {
    const job = createJob(clock, ms, guarded(name, run, log), lease)
    jobs.add(job)
    if (stopped) job.stop()
    return {
      stop() {
        job.stop()
        void job.idle().then(() => jobs.delete(job))
      },
      now: job.now,
    }
  }

  return {
    every: (name, ms, run) => begin(name, ms, run),
    everyLeased(name, ms, run) {
      const lease = leasedJob({ name, ms, run, leases, clock, log })
      return begin(name, ms, lease.run, lease)
    },
    async stop() {
      stopped = true
      for (const job of jobs) job.stop()
      await Promise.all(Array.from(jobs, (job) => job.idle()))
    },
  }
}

function guarded(name: string, run: () => Promise<void> | void, log: Log): () => Promise<void> {
  return async () => {
    try {
      await run()
    } catch (err) {
      log.error({ err, job: name }, 'a timed job failed; its next run comes')
    }
  }
}

function createJob(
  clock: Clock,
  ms: number,
  run: () => Promise<void>,
  lease: LeasedJob | undefined,
): Job {
  let running: Promise<void> | undefined
  let queued: Promise<void> | undefined
  let stopped = false

  const start = () => {
    running = run().finally(() => {
      running = undefined
    })
    return running
  }
  const tick = () => {
    cancel = clock.after(ms, tick)
    if (running === undefined) start()
  }
  let cancel = clock.after(ms, tick)

  return {
    stop() {
      stopped = true
      cancel()
    },
    /** A whole run that began after this call; callers that wait for the same one share it. */
    async now() {
      if (stopped) return
      if (running === undefined) return start()
      queued ??= running.then(() => {
        queued = undefined
        return stopped ? undefined : (running ?? start())
      })
      return queued
    },
    async idle() {
      await queued
      await running
      await lease?.release()
    },
  }
}
