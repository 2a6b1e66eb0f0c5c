/** The database, as services and management areas use it. */
import type { Knex } from 'knex'
import type { QueryResult } from 'pg'

/**
 * One dialect over PostgreSQL or the embedded PGlite. Values come out the same everywhere: int8 (so `count(*)` and
 * `sum` of integers too) as `bigint`, numeric as `string`, timestamptz as `Date`, bytea as `Buffer`. Sessions run in
 * UTC and READ COMMITTED; a statement ends after 5 s (PostgreSQL), a transaction that is idle for 5 s is rolled
 * back (both). `SET LOCAL` only. On PGlite an open transaction keeps everyone else out.
 */
export interface Database {
  readonly kind: 'postgresql' | 'pglite'
  /** Management work: query builder, transactions, objection models (bind per query). */
  readonly knex: Knex
  /** Short single statements outside a transaction, by raw pg: reads of the hot path. Named on PostgreSQL only. */
  query(statement: Statement): Promise<QueryResult>
  /** The billing lane: its connections alone run billing functions, with named statements. */
  billing(statement: Statement): Promise<QueryResult>
  /**
   * Runs work that takes longer than a statement may, on a connection of its own without that limit. When the signal
   * aborts, what runs is cancelled in the database (PostgreSQL) or ends with its statement (PGlite), and the promise
   * rejects with the reason of the signal.
   */
  dedicated<Result>(
    run: (query: DedicatedQuery) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result>
  /** How many billing statements may run at once. */
  readonly billingConnections: number
  /** Resolves when the database answers; rejects within 2 s when it does not. */
  probe(): Promise<void>
}

/** Rejects with the reason of the signal once that has aborted. */
export type DedicatedQuery = (text: string, values?: readonly unknown[]) => Promise<QueryResult>

export interface Statement {
  /** Prepared under this name where the connection keeps prepared statements. */
  readonly name: string
  readonly text: string
  readonly values: readonly unknown[]
}
