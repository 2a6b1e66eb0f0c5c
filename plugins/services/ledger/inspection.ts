/**
 * The check of the invariants as the process runs it, every hour or because somebody asks: one at a time, what is
 * broken is logged and its accounts blocked, and the last result is kept.
 */
import type { Clock, Log } from '../../../kernel/contract/kit.js'
import type { Database } from '../../../kernel/contract/service.js'
import { blocking, type Finding, findBreaches, findingsMax } from './check.js'
import { invariants } from './invariants.js'
import type { Inspected, Inspection } from './ledger.js'

export function createInspection(database: Database, clock: Clock, log: Log): Inspection {
  let running: Promise<Inspected> | undefined
  let last: Inspected | undefined

  async function inspect(): Promise<Inspected> {
    const startedAt = clock.now()
    const findings = await findBreaches(database.knex)
    for (const finding of findings) log.error(finding, 'an invariant of the ledger is broken')
    await block(findings)
    last = { startedAt, ms: clock.now() - startedAt, invariants: reports(findings) }
    return last
  }

  /** Blocks the accounts that do not add up, and lifts the block from those that do again. */
  async function block(findings: readonly Finding[]): Promise<void> {
    const accounts = findings.flatMap(({ invariant, accountId }) =>
      blocking.has(invariant) && accountId !== undefined ? [accountId] : [],
    )
    await database.knex.raw(
      `UPDATE accounts SET blocked = (id = ANY (?::integer[]))
       WHERE blocked <> (id = ANY (?::integer[]))`,
      [accounts, accounts],
    )
  }

  return {
    run() {
      running ??= inspect().finally(() => {
        running = undefined
      })
      return running
    },
    state: () => ({ running: running !== undefined, last }),
  }
}

function reports(findings: readonly Finding[]): Inspected['invariants'] {
  return invariants.map(({ id, name, rule }) => {
    const own = findings.filter(({ invariant }) => invariant === id)
    const breaches = own.map(({ finding }) => finding)
    return { id, name, rule, breaches, hasMore: breaches.length === findingsMax }
  })
}
