/** Where the results of a task are for those who read it, and their bytes. */
import type { Knex } from 'knex'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { ReadContent } from './content.js'
import { wholeResult } from './kept-results.js'
import { shownId } from './line.js'
import type { createReading } from './reading.js'
import { type AddressOf, refOf, type TaskRow } from './rows.js'
import type { ReadStored } from './stored-content.js'
import type { SignedAddresses, TaskResults } from './tasks.js'

export interface ResultsDependencies {
  readonly knex: Knex
  readonly reading: Pick<ReturnType<typeof createReading>, 'rowOf'>
  readonly fetching: ReadContent
  readonly readStored: ReadStored
}

/** An address of this gateway where it has the bytes or the client can do nothing with the upstream's, and none for a text. */
export function createAddresses({ of }: Pick<SignedAddresses, 'of'>): AddressOf {
  return ({ task_id: taskId, user_id: userId, operation, stored }, { keyed, inline }, index) =>
    keyed === true || inline === true || stored.includes(index)
      ? of({ taskId, userId, operation }, index)
      : undefined
}

export function createResults({
  knex,
  reading,
  fetching,
  readStored,
}: ResultsDependencies): TaskResults['content'] {
  return async (taskId, index, request) => {
    const row = await reading.rowOf(taskId)
    const result = row.results[index]
    if (result === undefined || row.hidden) {
      throw new Refusal('task_result_missing', { task: shownId(taskId) })
    }
    const stored = row.stored.includes(index) ? await readStored(row, index, request) : undefined
    return (
      stored ??
      fetching(placedTask(row), await wholeResult(knex, row.id, { ...result, index }), request)
    )
  }
}

/** A task as it lies with its upstream. */
export function placedTask(row: TaskRow): Parameters<ReadContent>[0] {
  const { task_id: taskId, operation, channel_id: channelId, key_id: keyId } = row
  return { taskId, operation, channelId, keyId, ref: refOf(row) }
}
