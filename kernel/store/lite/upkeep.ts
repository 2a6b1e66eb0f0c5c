/**
 * What a server does for itself and the embedded database, a single process, does not: it never checkpoints while it
 * runs, so its log would grow without end, and never vacuums, so dead rows and old statistics would pile up.
 */
import type pg from 'pg'
import type { Clock, Log } from '../../contract/kit.js'

export interface UpkeepDependencies {
  readonly pool: pg.Pool
  readonly clock: Clock
  readonly log: Log
}

export interface Upkeep {
  /** Does what is due. Never rejects. */
  now(): Promise<void>
  /** Resolves when nothing runs any more. */
  stop(): Promise<void>
}

const everyMs = 60_000
/** Log written since the last checkpoint that makes one due. */
const logBytesMax = 64 * 1024 * 1024

const dueCheckpoint = `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn) > $1 AS due
  FROM pg_control_checkpoint()`

/** The thresholds a server starts its own vacuum and analyze at, with a larger floor. */
const dueTables = `SELECT format('%I.%I', schemaname, relname) AS name FROM pg_stat_user_tables
  WHERE n_dead_tup > 1000 + 0.2 * n_live_tup OR n_mod_since_analyze > 1000 + 0.1 * n_live_tup`

/** Looks every minute. Each statement lets the billing lane in before the next. */
export function startUpkeep({ pool, clock, log }: UpkeepDependencies): Upkeep {
  let running = Promise.resolve()
  let stopped = false
  let cancel = clock.after(everyMs, look)

  function look(): void {
    void now().then(() => {
      if (!stopped) cancel = clock.after(everyMs, look)
    })
  }

  function now(): Promise<void> {
    running = running.then(async () => {
      try {
        if (!stopped) await keepUp(pool)
      } catch (error) {
        log.warn({ err: error }, 'upkeep of the embedded database failed')
      }
    })
    return running
  }

  return {
    now,
    stop: () => {
      stopped = true
      cancel()
      return running
    },
  }
}

async function keepUp(pool: pg.Pool): Promise<void> {
  const tables = await pool.query<{ name: string }>(dueTables)
  for (const { name } of tables.rows) await pool.query(`VACUUM (ANALYZE) ${name}`)
  const checkpoint = await pool.query<{ due: boolean }>(dueCheckpoint, [logBytesMax])
  if (checkpoint.rows[0]?.due) await pool.query('CHECKPOINT')
}
