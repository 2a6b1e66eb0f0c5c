/**
 * The check of the books as the gateway runs it, every hour or on request: one at a time in a process, what is
 * broken is logged and its accounts blocked, and what came of it stands in the database for every process to show.
 */
import type { Clock, Log } from '../../../kernel/contract/kit.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import { blocking, type Finding, findingsMax } from './check.js'
import { invariants } from './invariants.js'
import type { Inspected, Inspection, InspectionState } from './ledger.js'
import { type Walked, walk } from './walk.js'

type Scope = Inspected['scope']

/** Rows of one part: on the embedded database billing waits while one is looked at. */
const partRows = { postgresql: 50_000, pglite: 2_000 } as const
/** How often the whole book is looked at, not only what is new. */
const wholeEveryMs = 24 * 3_600_000

export interface HouseInspection extends Inspection {
  /** The hourly run: what is new, and once a day everything. */
  due(): Promise<void>
  /** Ends what runs. */
  stop(): void
}

interface Run {
  readonly scope: Scope
  readonly result: Promise<Inspected>
  readonly controller: AbortController
  /** Who waits for it; the last to leave ends it. */
  waiting: number
}

export function createInspection(database: Database, clock: Clock, log: Log): HouseInspection {
  let current: Run | undefined
  let failed: { readonly at: number; readonly reason: string } | undefined

  async function run(scope: Scope = 'whole', signal?: AbortSignal): Promise<Inspected> {
    // One that looks at less does not answer for the whole.
    while (current && current.scope !== scope && scope === 'whole') {
      await current.result.catch(() => undefined)
    }
    current ??= begin(scope)
    return joined(current, signal)
  }

  function begin(scope: Scope): Run {
    const controller = new AbortController()
    const result = inspect(scope, controller.signal).finally(() => {
      current = undefined
    })
    result.catch(() => undefined)
    return { scope, result, controller, waiting: 0 }
  }

  async function inspect(scope: Scope, signal: AbortSignal): Promise<Inspected> {
    const startedAt = clock.now()
    const begun = clock.monotonic()
    try {
      const rows = partRows[database.kind]
      const walked = await database.dedicated((query) => walk({ query, scope, rows }), signal)
      for (const finding of walked.findings) {
        log.error(finding, 'an invariant of the ledger is broken')
      }
      await block(walked.findings)
      const ms = Math.round(clock.monotonic() - begun)
      const inspected = reportOf(walked, { startedAt, ms })
      await told(inspected)
      failed = undefined
      return inspected
    } catch (error) {
      if (!signal.aborted) await tellFailure(error, startedAt)
      throw error
    }
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

  async function told(inspected: Inspected): Promise<void> {
    await database.knex.raw(
      'UPDATE ledger_checks SET report = ?::jsonb, checked_at = now(), failure = NULL, failed_at = NULL',
      [JSON.stringify(inspected)],
    )
  }

  /** A check that did not come to its end says nothing of the books, so nobody is blocked or freed by it. */
  async function tellFailure(error: unknown, at: number): Promise<void> {
    const reason = error instanceof Error ? error.message : String(error)
    failed = { at, reason }
    log.error({ err: error }, 'the check of the ledger failed: nothing is known of the books')
    await database.knex
      .raw('UPDATE ledger_checks SET failure = ?, failed_at = now()', [reason.slice(0, 500)])
      .catch((err: unknown) => log.warn({ err }, 'the failure of the check could not be stored'))
  }

  async function state(): Promise<InspectionState> {
    const { rows } = await database.knex.raw(
      'SELECT report, failure, failed_at, whole_at FROM ledger_checks',
    )
    const { report, failure, failed_at, whole_at }: StateRow = rows[0]
    const kept = failure === null ? undefined : { at: failed_at?.getTime() ?? 0, reason: failure }
    return {
      running: current !== undefined,
      last: report ?? undefined,
      failed: failed ?? kept,
      wholeAt: whole_at?.getTime(),
    }
  }

  async function due(): Promise<void> {
    const { rows } = await database.knex.raw(
      `SELECT whole_at IS NULL OR whole_at < now() - ? * interval '1 ms' AS whole FROM ledger_checks`,
      [wholeEveryMs],
    )
    await run(rows[0].whole ? 'whole' : 'new')
  }

  return { run, due, state, stop: () => current?.controller.abort(stopped()) }
}

/** Whoever leaves gets a result at once; the check goes on while anybody waits for it. */
function joined(run: Run, signal?: AbortSignal): Promise<Inspected> {
  run.waiting += 1
  return new Promise((resolve, reject) => {
    const leave = () => {
      run.waiting -= 1
      if (run.waiting === 0) run.controller.abort(signal?.reason)
      reject(signal?.reason)
    }
    if (signal?.aborted) return leave()
    signal?.addEventListener('abort', leave, { once: true })
    run.result.then(resolve, reject).finally(() => signal?.removeEventListener('abort', leave))
  })
}

function stopped(): Error {
  return new Error('The gateway stops.')
}

interface StateRow {
  readonly report: Inspected | null
  readonly failure: string | null
  readonly failed_at: Date | null
  readonly whole_at: Date | null
}

function reportOf(
  { scope, findings, verified }: Walked,
  times: Pick<Inspected, 'startedAt' | 'ms'>,
): Inspected {
  const reports = invariants.map(({ id, name, rule }) => {
    const own = findings.filter(({ invariant }) => invariant === id)
    const breaches = own.slice(0, findingsMax).map(({ finding }) => finding)
    return { id, name, rule, breaches, hasMore: own.length >= findingsMax }
  })
  return { ...times, scope, verified, invariants: reports }
}
