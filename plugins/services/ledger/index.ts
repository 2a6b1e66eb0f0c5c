/**
 * The ledger: every unit of quota is a row of a double-entry book, moved by the functions of
 * `0002-ledger.sql` alone. This file puts its parts together and keeps their hours.
 */

import type { Clock, Life } from '../../../kernel/contract/kit.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { createAbandoned } from './abandoned.js'
import { applyBatch } from './batch.js'
import { findBreaches } from './check.js'
import { CommitQueue } from './commit-queue.js'
import { createCorrections } from './corrections.js'
import { entriesPage } from './entries.js'
import { followPeers } from './gone-peers.js'
import { createHolds } from './holds.js'
import { createInspection } from './inspection.js'
import { createInstance } from './instance.js'
import type { Breach, Ledger } from './ledger.js'
import { claimKey } from './money-keys.js'
import { openHoldsPage } from './open-holds.js'
import { readOverview } from './overview.js'
import { createPeriods } from './periods.js'
import { sweepHolds } from './sweep.js'
import { createTaskMoney } from './task-money.js'
import { createWallets } from './wallets.js'

export type * from './ledger.js'

const markMs = 2_000
const beatMs = 5_000
const sweepMs = 5_000
const compareMs = 10_000
const checkMs = 3_600_000
/** How long a stop waits for a database that does not answer. */
const drainMs = 5_000

export default function create(
  kit: Kit<'database' | 'schedule' | 'system' | 'peers'>,
): Ledger & Life {
  const { services, clock, log } = kit
  const { database, schedule, system, peers } = services
  const instance = createInstance(database, system, log)
  const lane = new CommitQueue({
    apply: (batch) => applyBatch(database, instance.owner, batch),
    batchesMax: database.billingConnections,
    clock,
    log,
    renew: instance.beat,
  })
  const corrections = createCorrections(database, clock, log)
  const holds = createHolds({ queue: lane, log, correct: corrections.correct })
  const closeAbandoned = createAbandoned({ database, instance, holds, log })
  const wallets = createWallets(database, clock)
  const inspection = createInspection(database, clock, log)
  const jobs: { stop(): void }[] = []

  /** Corrections come of closes, so those are awaited first. */
  async function flushed(): Promise<void> {
    await lane.flushed()
    await corrections.flushed()
  }

  const sweep = () => sweepHolds(database, instance, log)
  const announce = followPeers({ peers, database, instance, sweep, log })

  async function check(): Promise<readonly Breach[]> {
    const findings = await database.dedicated(findBreaches)
    return findings.map(({ invariant, finding }) => ({ invariant, finding }))
  }

  async function start(): Promise<void> {
    await instance.register()
    announce()
    await sweep()
    jobs.push(
      schedule.every('ledger.mark', markMs, holds.mark),
      schedule.every('ledger.beat', beatMs, async () => {
        announce()
        await instance.beat()
      }),
      schedule.every('ledger.sweep', sweepMs, async () => {
        await sweep()
      }),
      schedule.every('ledger.compare', compareMs, async () => {
        await closeAbandoned()
      }),
      schedule.everyLeased('ledger.check', checkMs, inspection.due),
    )
  }

  async function stop(): Promise<void> {
    for (const job of jobs.splice(0)) job.stop()
    inspection.stop()
    holds.mark()
    if (!(await within(drainMs, flushed(), clock))) {
      log.error({}, 'the database did not take every settlement: the next start closes the rest')
      return
    }
    await instance.leave()
  }

  return {
    hold: holds.open,
    post: wallets.post,
    claimKey,
    openWallet: wallets.open,
    setWalletActive: wallets.setActive,
    wallets: wallets.of,
    periods: createPeriods(database),
    tasks: createTaskMoney(database),
    check,
    inspection,
    overview: () => readOverview(database.knex),
    openHolds: (page) => openHoldsPage(database.knex, page),
    entries: (query) => entriesPage(database.knex, query),
    sweep,
    flushed,
    start,
    stop,
  }
}

/** False: it took longer than that many milliseconds, and goes on. */
async function within(ms: number, work: Promise<void>, clock: Clock): Promise<boolean> {
  let cancel = () => {}
  const late = new Promise<false>((resolve) => {
    cancel = clock.after(ms, () => resolve(false))
  })
  const inTime = await Promise.race([work.then(() => true), late])
  cancel()
  return inTime
}
