/**
 * Reads of one answer: all of one moment, so that sums and the rows not summed yet never overlap, and bounded in time.
 */
import type { Knex } from 'knex'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { Condition } from './condition.js'

/** Rows as the query names them. */
// biome-ignore lint/suspicious/noExplicitAny: each query knows its own columns.
export type Read = (query: Condition) => Promise<readonly any[]>

const statementMs = 2_000

export async function snapshot<T>(knex: Knex, read: (runQuery: Read) => Promise<T>): Promise<T> {
  try {
    return await knex.transaction(
      async (trx) => {
        // Compiling a plan, or sharing it among processes, costs more than these queries take.
        await trx.raw(
          `SELECT set_config('statement_timeout', '${statementMs}', true), set_config('jit', 'off', true),
             set_config('max_parallel_workers_per_gather', '0', true), set_config('work_mem', '32MB', true)`,
        )
        return await read(async ({ sql, values }) => (await trx.raw(sql, [...values])).rows)
      },
      { isolationLevel: 'repeatable read', readOnly: true },
    )
  } catch (error) {
    throw tooSlow(error) ? new Refusal('invalid_field', tooSlowDetails) : error
  }
}

const tooSlowDetails = {
  reason:
    'This search takes too long; narrow the span of time, or name a user, a model or a channel.',
  param: 'start_timestamp',
}

function tooSlow(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '57014'
}
