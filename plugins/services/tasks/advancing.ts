/** A report of an upstream on a task that goes on: its state and words, never its money. */
import type { Clock } from '../../../kernel/contract/kit.js'
import type { Changes } from '../../../kernel/contract/services/changes.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import type { Progress } from '../../../kernel/contract/task.js'
import { merged } from './cost.js'
import type { EndTask } from './ending.js'
import { keptMade } from './kept-made.js'
import { type KeptResult, keptResults } from './kept-results.js'
import { keptAnswer, keptWord } from './kept-text.js'
import { percentOf } from './line.js'
import { taskNews } from './news.js'
import { noteState, type TaskRow, tasksOf, unshownOf } from './rows.js'
import { storedJson, storedKeep } from './stored-json.js'

export interface AdvancingDependencies {
  readonly database: Pick<Database, 'knex'>
  readonly changes: Pick<Changes, 'note'>
  readonly clock: Clock
  readonly end: EndTask
}

/** Takes what an upstream reports. `pollAt`: when it is asked next. */
export type Advance = (
  row: TaskRow,
  progress: Progress,
  options: { readonly pollAt: Date; readonly secrets: readonly string[] },
) => Promise<void>

export function createAdvancing({ database, changes, clock, end }: AdvancingDependencies): Advance {
  const { knex } = database

  return async (row, progress, { pollAt, secrets }) => {
    const { state } = progress
    if (state === 'succeeded' || state === 'failed') {
      await end(row, { ...endOf(progress), state, secrets })
      return
    }
    const at = new Date(clock.now())
    const unshown = unshownOf(row, secrets)
    const word = keptWord(progress.word, unshown)
    const keep = progress.keep && storedKeep(progress.keep)
    const made = keptMade(progress.made)
    const values = {
      ...{ state, word, percent: Math.max(row.percent, percentOf(progress.percent, row.percent)) },
      ...(keep !== undefined && { keep }),
      ...(progress.results !== undefined && {
        // Bytes are kept once they are the last.
        results: storedJson(withoutBytes(keptResults(progress.results, unshown).results)),
      }),
      ...(made !== undefined && { made: storedJson(merged(row.made ?? undefined, made)) }),
      raw: storedJson(keptAnswer(progress.raw, unshown)),
      started_at: state === 'running' ? (row.started_at ?? at) : row.started_at,
      ...{ updated_at: at, poll_at: progress.again === true ? at : pollAt, poll_failures: 0 },
    }
    // One that has ended stays ended, whatever its upstream says afterwards.
    const open = { id: row.id, billing: 'charged' } as never
    const isSame = row.state === state && row.word === word
    if (isSame && row.percent === values.percent) {
      await tasksOf(knex)
        .where(open)
        .update(values as never)
      return
    }
    await knex.transaction(async (trx) => {
      const [changed] = await tasksOf(trx)
        .where(open)
        .update(values as never)
        .returning<TaskRow[]>(['id', 'user_id', 'state', 'word', 'reason'])
      if (changed === undefined) return
      if (!isSame) await noteState(trx, changed, at)
      await changes.note(trx, taskNews, changed.user_id)
    })
  }
}

function withoutBytes(results: readonly KeptResult[]): readonly KeptResult[] {
  return results.filter(({ inline }) => inline !== true)
}

function endOf({ word, results, reason, made, raw }: Progress) {
  return { word, results, reason, made, raw }
}
