/**
 * When each API key was used last: remembered in memory, and written once a minute for the keys that were used. Nobody
 * is notified of these writes, so that keys stay in memory. A charge writes the time as well; the later one stays.
 */
import type { Clock } from '../../../kernel/contract/kit.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import type { Schedule } from '../../../kernel/contract/services/schedule.js'

const writeMs = 60_000
const rowsMax = 10_000
/** Keys remembered while the database does not answer; a further one is written when it is used again. */
const usesMax = 50_000

/** Locks tokens in the order in which billing locks them. */
const write = `
  WITH stale AS MATERIALIZED (
    SELECT t.id, to_timestamp(u.seconds) AS used_at
    FROM unnest($1::integer[], $2::double precision[]) AS u (id, seconds)
    JOIN tokens t ON t.id = u.id
    WHERE t.accessed_at IS NULL OR t.accessed_at < to_timestamp(u.seconds)
    ORDER BY t.id
    FOR NO KEY UPDATE OF t
  )
  UPDATE tokens t SET accessed_at = stale.used_at FROM stale WHERE t.id = stale.id`

export interface LastUse {
  note(tokenId: number): void
  start(): void
  stop(): Promise<void>
}

export interface LastUseDependencies {
  readonly database: Database
  readonly schedule: Schedule
  readonly clock: Clock
}

export function lastUse({ database, schedule, clock }: LastUseDependencies): LastUse {
  /** Token id → Unix seconds, which fit a small integer: a use of a known key allocates nothing. */
  const uses = new Map<number, number>()
  let job: ReturnType<Schedule['every']> | undefined

  function note(tokenId: number): void {
    if (uses.size >= usesMax && !uses.has(tokenId)) return
    uses.set(tokenId, Math.floor(clock.now() / 1000))
  }

  async function flush(): Promise<void> {
    if (uses.size === 0) return
    const batch = taken()
    try {
      const values = [batch.map(([id]) => id), batch.map(([, seconds]) => seconds)]
      await database.query({ name: 'identity_last_use', text: write, values })
    } catch (error) {
      for (const [id, seconds] of batch) if (!uses.has(id)) uses.set(id, seconds)
      throw error
    }
  }

  /** Those that have waited longest, and no more than one statement takes. */
  function taken(): readonly (readonly [number, number])[] {
    const batch: (readonly [number, number])[] = []
    for (const use of uses) {
      if (batch.length === rowsMax) break
      batch.push(use)
      uses.delete(use[0])
    }
    return batch
  }

  return {
    note,
    start() {
      job = schedule.every('identity.last-use', writeMs, flush)
    },
    async stop() {
      await job?.now()
      job?.stop()
    },
  }
}
