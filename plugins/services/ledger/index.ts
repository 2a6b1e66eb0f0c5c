/**
 * The ledger: every unit of quota is a row of a double-entry book, moved by the functions of
 * `0002-ledger.sql` alone. This file puts its parts together and keeps their hours.
 */

import type { Life } from '../../../kernel/contract/kit.js'
import type { Charge } from '../../../kernel/contract/line/money.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { createAbandoned } from './abandoned.js'
import { applyBatch } from './batch.js'
import { findBreaches } from './check.js'
import { CommitQueue } from './commit-queue.js'
import { entriesPage } from './entries.js'
import { createHolds } from './holds.js'
import { createInspection } from './inspection.js'
import { createInstance } from './instance.js'
import type { Breach, Ledger } from './ledger.js'
import { claimKey } from './money-keys.js'
import { openHoldsPage } from './open-holds.js'
import { readOverview } from './overview.js'
import { untilTaken } from './repeated.js'
import { createWallets } from './wallets.js'

export type * from './ledger.js'

const markMs = 2_000
const beatMs = 5_000
const sweepMs = 5_000
const compareMs = 10_000
const checkMs = 3_600_000
const sweepMax = 200
/** How long a stop waits for a database that does not answer. */
const drainMs = 5_000

export default function create(kit: Kit<'database' | 'schedule' | 'system'>): Ledger & Life {
  const { services, clock, log } = kit
  const { database, schedule, system } = services
  const instance = createInstance(database, system, log)
  const lane = new CommitQueue({
    apply: (batch) => applyBatch(database, instance.owner, batch),
    batchesMax: database.billingConnections,
    clock,
    log,
    renew: instance.beat,
  })
  const holds = createHolds({ queue: lane, log, correct })
  const closeAbandoned = createAbandoned({ database, instance, holds, log })
  const corrections = new Set<Promise<unknown>>()
  const wallets = createWallets(database, clock)
  const inspection = createInspection(database, clock, log)
  const jobs: { stop(): void }[] = []

  /** The truth of a late owner: it waits for the database as every other close does. */
  async function correct(requestId: string, quota: bigint, payload: string): Promise<Charge> {
    const statement = {
      name: 'billing-correct',
      text: 'SELECT quota, shortfall FROM billing_correct($1, $2, $3)',
      values: [requestId, quota, payload],
    }
    const taken = untilTaken(
      clock,
      () => database.billing(statement),
      (err) => log.warn({ err, requestId }, 'a correction fails and will be tried again'),
    )
    corrections.add(taken)
    const { rows } = await taken.finally(() => corrections.delete(taken))
    const cost = BigInt(rows[0].quota)
    const state = cost > 0n ? 'settled' : 'released'
    return { state, quota: cost, shortfall: BigInt(rows[0].shortfall) }
  }

  /** Corrections come of closes, so those are awaited first. */
  async function flushed(): Promise<void> {
    await lane.flushed()
    await Promise.allSettled(corrections)
  }

  async function sweep(): Promise<number> {
    let total = 0
    for (;;) {
      const { rows } = await database.billing({
        name: 'billing-sweep',
        text: 'SELECT billing_sweep($1, $2, $3) AS closed',
        values: [sweepMax, instance.owner.instance, instance.owner.epoch],
      })
      const { closed } = rows[0]
      total += closed
      if (closed === 0) break
    }
    if (total > 0) log.warn({ requests: total }, 'closed holds whose owner was gone')
    return total
  }

  async function check(): Promise<readonly Breach[]> {
    const findings = await database.dedicated(findBreaches)
    return findings.map(({ invariant, finding }) => ({ invariant, finding }))
  }

  async function start(): Promise<void> {
    await instance.register()
    await sweep()
    jobs.push(
      schedule.every('ledger.mark', markMs, holds.mark),
      schedule.every('ledger.beat', beatMs, async () => {
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
    let cancel: () => void = () => undefined
    const late = new Promise<'late'>((resolve) => {
      cancel = clock.after(drainMs, () => resolve('late'))
    })
    const ended = await Promise.race([flushed(), late])
    cancel()
    if (ended === 'late') {
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
