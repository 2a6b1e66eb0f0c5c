/** What is read with each scrape: money set aside, notices waiting, connections, breakers. */
import type { Clock } from '../../../kernel/contract/kit.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import type { Health } from '../health/index.js'

/** Name → number; a label is part of the name. */
export type Readings = Readonly<Record<string, number>>

export interface GaugeDependencies {
  readonly database: Database
  readonly health: Health
  readonly clock: Clock
}

/** A database that is slower than this counts as down: Prometheus waits 10 s by itself. */
const databaseMs = 3000
const waitingMax = 10_000

/** Of this process. */
export function ownGauges({ database, health }: GaugeDependencies): Readings {
  return { ...breakers(health), ...pool(database) }
}

function breakers(health: Health): Readings {
  const counts = { open: 0, 'half-open': 0, parked: 0 }
  for (const { state } of health.breakers()) counts[state] += 1
  return Object.fromEntries(
    Object.entries(counts).map(([state, count]) => [`waybill_breakers{state="${state}"}`, count]),
  )
}

/** Of management work; knex does not declare its pool. */
function pool({ knex }: Database): Readings {
  const { numUsed, numFree, numPendingAcquires } = knex.client.pool
  const counts = { used: numUsed, free: numFree, waiting: numPendingAcquires }
  return Object.fromEntries(
    Object.entries(counts).map(([state, count]) => [
      `waybill_database_connections{state="${state}"}`,
      Number(count.call(knex.client.pool)),
    ]),
  )
}

/** The same for every process. */
export async function storedGauges({
  database: { knex },
  clock,
}: GaugeDependencies): Promise<Readings> {
  let cancel = () => {}
  const late = new Promise<never>((_, reject) => {
    cancel = clock.after(databaseMs, () => reject(new Error('the database is too slow')))
  })
  const requested = knex.raw(
    `SELECT
       (SELECT count(*) FROM billing_requests WHERE state = 'reserved') AS holds,
       (SELECT coalesce(sum(reserved), 0) FROM billing_requests WHERE state = 'reserved') AS held,
       (SELECT count(*) FROM (
          SELECT 1 FROM outbox WHERE state = 'waiting' LIMIT ${waitingMax}) AS found) AS waiting,
       (SELECT (failure IS NOT NULL)::integer FROM ledger_checks) AS check_failed,
       (SELECT extract(epoch FROM checked_at)::float8 FROM ledger_checks) AS checked_at,
       (SELECT coalesce(sum(jsonb_array_length(each -> 'breaches')), 0)::integer FROM ledger_checks,
          jsonb_array_elements(coalesce(report -> 'invariants', '[]')) AS each) AS breaches`,
  )
  try {
    const { rows } = await Promise.race([requested, late])
    return {
      waybill_database_up: 1,
      waybill_holds: Number(rows[0].holds),
      waybill_held_quota: Number(rows[0].held),
      waybill_outbox_waiting: Number(rows[0].waiting),
      waybill_ledger_check_failed: rows[0].check_failed,
      waybill_ledger_checked_timestamp_seconds: rows[0].checked_at ?? 0,
      waybill_ledger_breaches: rows[0].breaches,
    }
  } catch {
    return { waybill_database_up: 0 }
  } finally {
    cancel()
  }
}
