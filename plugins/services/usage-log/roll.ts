/**
 * Keeps the sums: every few minutes, in short steps. `usage_roll` makes each step once, whatever dies and however many
 * processes try.
 */
import type { Clock } from '../../../kernel/contract/kit.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import type { Schedule } from '../../../kernel/contract/services/schedule.js'
import type { Options } from '../options/index.js'

export interface Roll {
  /** Sums rows. */
  rows(): Promise<void>
  /** The same, takes what was summed before there were days into its days, and what was logged before there were analytics. */
  now(): Promise<void>
  start(): void
  stop(): void
}

/** Rows of one step: on the embedded database everybody else waits for it. */
const stepRows = { postgresql: 2_000, pglite: 250 } as const
/** Rows this young wait: their transaction may not be on the list of sessions yet. */
const margin = '60 seconds'
const lookMs = 60_000
const minuteMs = 60_000

export function createRoll(dependencies: {
  readonly database: Database
  readonly schedule: Schedule
  readonly options: Options
  readonly clock: Clock
}): Roll {
  const { database, schedule, options, clock } = dependencies
  let lastAt = Number.NEGATIVE_INFINITY
  let job: { stop(): void } | undefined
  let stopped = false

  async function rows(): Promise<void> {
    lastAt = clock.monotonic()
    await whileMore('SELECT usage_roll(?, ?::interval) AS more', stepRows[database.kind], margin)
  }

  async function now(): Promise<void> {
    await rows()
    await whileMore('SELECT usage_fill_days() AS more')
    await whileMore('SELECT usage_fill_stats(?) AS more', stepRows[database.kind])
    await whileMore('SELECT usage_fill_key_days(?) AS more', stepRows[database.kind])
    await whileMore('SELECT usage_rank_day() AS more')
  }

  async function whileMore(step: string, ...values: readonly (number | string)[]): Promise<void> {
    for (let more = true; more && !stopped; ) {
      const { rows } = await database.knex.raw(step, [...values])
      more = rows[0].more
    }
  }

  /** Read each time, so that an edit counts at once. A minute off is due: looks are not to the millisecond. */
  function isDue(): boolean {
    const option = options.list().find(({ key }) => key === 'DataExportInterval')
    const everyMs = Number(option?.value ?? 1) * minuteMs
    return clock.monotonic() - lastAt > everyMs - minuteMs / 2
  }

  return {
    rows,
    now,
    start() {
      job = schedule.every('usage-log.roll', lookMs, async () => {
        if (isDue()) await now()
      })
    },
    stop() {
      stopped = true
      job?.stop()
    },
  }
}
