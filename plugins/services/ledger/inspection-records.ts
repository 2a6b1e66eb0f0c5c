/** What came of checks of the books, in the database: the blocks on accounts, the last report, the last failure. */
import type { Log } from '../../../kernel/contract/kit.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import { blocking, type Finding } from './check.js'
import type { Inspected, InspectionState } from './ledger.js'

export interface InspectionRecords {
  /** Blocks the accounts that do not add up, and lifts the block from those that do again. */
  block(findings: readonly Finding[]): Promise<void>
  store(inspected: Inspected): Promise<void>
  /** A check that did not come to its end shows nothing of the books, so nobody is blocked or freed by it. Never rejects. */
  storeFailure(reason: string): Promise<void>
  /** `kept`: the failure of the last check, whichever process ran it. */
  read(): Promise<Pick<InspectionState, 'last' | 'wholeAt'> & { kept: InspectionState['failed'] }>
  /** The whole book was last looked at longer ago than so many milliseconds. */
  isWholeDue(everyMs: number): Promise<boolean>
}

export function inspectionRecords({ knex }: Database, log: Log): InspectionRecords {
  return {
    async block(findings) {
      const accounts = findings.flatMap(({ invariant, accountId }) =>
        blocking.has(invariant) && accountId !== undefined ? [accountId] : [],
      )
      await knex.raw(
        `UPDATE accounts SET blocked = (id = ANY (?::integer[]))
         WHERE blocked <> (id = ANY (?::integer[]))`,
        [accounts, accounts],
      )
    },
    async store(inspected) {
      await knex.raw(
        'UPDATE ledger_checks SET report = ?::jsonb, checked_at = now(), failure = NULL, failed_at = NULL',
        [JSON.stringify(inspected)],
      )
    },
    async storeFailure(reason) {
      await knex
        .raw('UPDATE ledger_checks SET failure = ?, failed_at = now()', [reason.slice(0, 500)])
        .catch((err: unknown) => log.warn({ err }, 'the failure of the check could not be stored'))
    },
    async read() {
      const { rows } = await knex.raw(
        'SELECT report, failure, failed_at, whole_at FROM ledger_checks',
      )
      const { report, failure, failed_at, whole_at }: StateRow = rows[0]
      const kept = failure === null ? undefined : { at: failed_at?.getTime() ?? 0, reason: failure }
      return { last: report ?? undefined, kept, wholeAt: whole_at?.getTime() }
    },
    async isWholeDue(everyMs) {
      const { rows } = await knex.raw(
        `SELECT whole_at IS NULL OR whole_at < now() - ? * interval '1 ms' AS whole FROM ledger_checks`,
        [everyMs],
      )
      return rows[0].whole
    },
  }
}

interface StateRow {
  readonly report: Inspected | null
  readonly failure: string | null
  readonly failed_at: Date | null
  readonly whole_at: Date | null
}
