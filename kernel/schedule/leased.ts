/**
 * A job under a lease: a run begins only where the lease could be had, and prolongs it while it lasts. Between runs the
 * lease stays with its holder, so that the other processes skip their turns.
 */
import type { Clock, Log } from '../contract/kit.js'
import type { Leases } from './leases.js'

export interface LeasedJob {
  run(): Promise<void>
  /** Gives the lease back, once no run is under way; who asks a second time waits for the first. Never rejects. */
  release(): Promise<void>
}

export interface LeasedDependencies {
  readonly name: string
  /** Interval of the job. */
  readonly ms: number
  readonly run: () => Promise<void> | void
  readonly leases: Leases
  readonly clock: Clock
  readonly log: Log
}

/** A holder that is only slow must not lose its lease to a job with a short interval. */
const leaseMsMin = 30_000

export function leasedJob({ name, ms, run, leases, clock, log }: LeasedDependencies): LeasedJob {
  const leaseMs = Math.max(ms, leaseMsMin)
  let held = false
  let releasing: Promise<void> | undefined

  function prolong(): () => void {
    let cancel = clock.after(leaseMs / 3, again)
    function again(): void {
      cancel = clock.after(leaseMs / 3, again)
      leases.take(name, leaseMs).catch((err: unknown) => {
        log.warn({ err, job: name }, 'the lease of a running job could not be prolonged')
      })
    }
    return () => cancel()
  }

  return {
    async run() {
      held = await leases.take(name, leaseMs)
      if (!held) return
      const stop = prolong()
      try {
        await run()
      } finally {
        stop()
      }
    },
    async release() {
      if (held) {
        held = false
        releasing = leases.release(name).catch((err: unknown) => {
          log.warn({ err, job: name }, 'the lease of a job could not be given back')
        })
      }
      await releasing
    },
  }
}
