/** Notes of changed rows, which keep the memory of every process in step with the tables. */
import type { Knex } from 'knex'

/** Keeps the memory of every process in step with the tables (kernel/README.md section 6). Never used on the billing path. */
export interface Changes {
  /** Inside a management transaction: every process is notified of this row, or these, once the transaction commits. */
  note(trx: Knex.Transaction, topic: string, id: RowId | readonly RowId[]): Promise<void>
  /** Is called with changed rows in batches; one may come twice. Awaited before the next batch of the topic. */
  on(topic: string, listener: (ids: ReadonlySet<string>) => Promise<void> | void): void
  /**
   * Resolves when every note committed before this call has been received in this process, and in those that share its address: read your
   * own writes.
   */
  settled(): Promise<void>
}

export type RowId = number | string
