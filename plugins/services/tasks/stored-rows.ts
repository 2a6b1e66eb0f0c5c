/** Rows of `task_stored`: results that are stored, or were to be. A task is locked before its rows here. */
import type { Knex } from 'knex'
import type { StoredFile, TaskStorage } from '../task-storage/index.js'
import { type TaskRow, tasksOf } from './rows.js'
import type { StoredResult } from './tasks.js'

export interface StoredRow extends StoredFile {
  readonly task: bigint
  readonly result: number
  readonly state: 'pending' | 'stored' | 'failed' | 'leaving'
  readonly mime: string
  readonly bytes: bigint
  readonly tries: number
  readonly reason: string
  readonly next_at: Date | null
  readonly stored_at: Date | null
}

export function storedOf(knex: Knex): Knex.QueryBuilder<StoredRow> {
  return knex<StoredRow>('task_stored')
}

/** Within the transaction that ends a task. */
export type NoteResults = (trx: Knex.Transaction, row: TaskRow, at: Date) => Promise<void>

const storedTypes: ReadonlySet<string> = new Set(['image', 'video', 'audio'])

/** Notes the results that are to be stored, where any are. */
export function createNoteResults(storage: Pick<TaskStorage, 'place'>): NoteResults {
  return async (trx, row, at) => {
    const place = storage.place()
    if (place === undefined || row.state !== 'succeeded') return
    const rows = row.results.flatMap(({ type, url, inline, keyed }, result) => {
      const hasBytes = url !== undefined || inline === true || keyed === true
      if (!hasBytes || !storedTypes.has(type)) return []
      const name = `${at.toISOString().slice(0, 7)}/${row.task_id}-${result}`
      return [{ task: row.id, result, place, name, next_at: at }]
    })
    if (rows.length > 0) await trx('task_stored').insert(rows).onConflict().ignore()
  }
}

/** Within a transaction that has locked these tasks: their files leave, and are shown no more. */
export async function letGo(
  trx: Knex.Transaction,
  tasks: readonly bigint[],
  at: Date,
): Promise<void> {
  // One that is being fetched leaves when that is over.
  await storedOf(trx)
    .whereIn('task', tasks as never)
    .whereNot('state', 'leaving' as never)
    .update({ state: 'leaving', next_at: trx.raw('greatest(next_at, ?)', [at]) } as never)
  await tasksOf(trx)
    .whereIn('id', tasks as never)
    .update({ stored: '{}' } as never)
}

export interface KeepingTimes {
  /** Days a file is kept; 0: as long as its task. */
  readonly fileDays: number
  /** Days a task is kept after its end; 0: for ever. */
  readonly taskDays: number
  readonly finishedAt: Date | null
}

/** As admins see it. */
export function storedResult(file: StoredRow, times: KeepingTimes): StoredResult {
  const { result, state, place, name, tries, reason } = file
  return {
    ...{ index: result, state, place, name, tries, reason },
    ...{ bytes: Number(file.bytes), nextAt: file.next_at?.getTime() ?? 0 },
    storedAt: file.stored_at?.getTime() ?? 0,
    keptUntil: state === 'stored' ? keptUntil(file, times) : 0,
  }
}

const dayMs = 86_400_000

function keptUntil({ stored_at }: StoredRow, times: KeepingTimes): number {
  const { fileDays, taskDays, finishedAt } = times
  const ends = [
    ...(fileDays > 0 && stored_at !== null ? [stored_at.getTime() + fileDays * dayMs] : []),
    ...(taskDays > 0 && finishedAt !== null ? [finishedAt.getTime() + taskDays * dayMs] : []),
  ]
  return ends.length === 0 ? 0 : Math.min(...ends)
}
