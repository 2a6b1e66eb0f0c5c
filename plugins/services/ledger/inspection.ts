/**
 * The check of the books as the gateway runs it, every hour or on request: one at a time in a process, what is
 * broken is logged and its accounts blocked, and what came of it stands in the database for every process to show.
 */
import type { Clock, Log } from '../../../kernel/contract/kit.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import { findingsMax } from './check.js'
import { inspectionRecords } from './inspection-records.js'
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
  const records = inspectionRecords(database, log)
  let current: Run | undefined
  /** Of this process, whether or not it could be stored. */
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
      await records.block(walked.findings)
      const ms = Math.round(clock.monotonic() - begun)
      const inspected = reportOf(walked, { startedAt, ms })
      await records.store(inspected)
      failed = undefined
      return inspected
    } catch (error) {
      if (!signal.aborted) {
        failed = { at: startedAt, reason: error instanceof Error ? error.message : String(error) }
        log.error({ err: error }, 'the check of the ledger failed: nothing is known of the books')
        await records.storeFailure(failed.reason)
      }
      throw error
    }
  }

  async function state(): Promise<InspectionState> {
    const { kept, ...stored } = await records.read()
    return { running: current !== undefined, ...stored, failed: failed ?? kept }
  }

  async function due(): Promise<void> {
    await run((await records.isWholeDue(wholeEveryMs)) ? 'whole' : 'new')
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
