/** What nobody else ends: tasks out of time, and those whose process died on the way (M7). */
import type { Knex } from 'knex'
import type { Clock, Log } from '../../../kernel/contract/kit.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import type { Ledger } from '../ledger/index.js'
import { cancelledAndGone, type EndTask } from './ending.js'
import { doubtMs } from './line.js'
import type { NoteReport } from './reports.js'
import { noteState, type TaskRow, tasksOf } from './rows.js'
import type { Storing } from './storing.js'

export interface SweepingDependencies {
  readonly database: Pick<Database, 'knex'>
  readonly ledger: Pick<Ledger, 'tasks'>
  readonly end: EndTask
  readonly noteReport: NoteReport
  readonly clock: Clock
  readonly log: Log
  readonly timeoutMinutes: () => number
  readonly retentionDays: () => number
  readonly expire: Storing['expire']
  alert(
    row: Pick<TaskRow, 'task_id' | 'channel_id'>,
    reason: string,
    trx: Knex.Transaction,
  ): Promise<void>
}

/** Rows of one round. */
const most = 200
/** A submission may take this long: a process that is alive ends it by itself. */
const abandonedMs = 60_000
/** No submission takes longer, whatever became of its hold. */
const submittingMs = 3_600_000
const dayMs = 86_400_000
/** Of one run; the next takes what is left. */
const forgetBatches = 100

export function createSweeping(dependencies: SweepingDependencies) {
  const { ledger, end, noteReport, clock, log, alert } = dependencies
  const { knex } = dependencies.database
  const before = (ms: number) => new Date(clock.now() - ms)

  /** Holds whose process is gone: what the row says of them decides. */
  async function abandoned(): Promise<void> {
    const requestIds = await ledger.tasks.abandoned(before(abandonedMs), most)
    await each(requestIds, async (requestId) => {
      const row = await rowOf(requestId)
      // First the row, then its money: who still lives and has it accepted meanwhile is charged.
      if (row?.state === 'submitting') await neverAnswered(row)
      const { billing, charged } = (await rowOf(requestId)) ?? {}
      if (billing === 'charged') await ledger.tasks.charge(requestId, charged ?? undefined)
      else if (await ledger.tasks.release(requestId))
        log.warn({ requestId }, 'released an abandoned task')
    })
  }

  function rowOf(requestId: string): Promise<TaskRow | undefined> {
    return tasksOf(knex)
      .where({ request_id: requestId } as never)
      .first<TaskRow | undefined>()
  }

  /** One that cannot be dealt with keeps no other back. */
  async function each<T>(found: readonly T[], deal: (one: T) => Promise<void>): Promise<void> {
    for (const one of found) {
      try {
        await deal(one)
      } catch (err) {
        log.error({ err }, 'the sweep could not deal with a task')
      }
    }
  }

  /** Its process died, or could not write any more. */
  async function neverAnswered(row: TaskRow): Promise<void> {
    const wasSent = row.sent_at !== null
    const reason = wasSent
      ? 'The gateway stopped while the upstream was being called. Whether it accepted the task is not known; nothing was charged.'
      : 'The gateway stopped before the task was sent to an upstream. Nothing was charged.'
    const at = new Date(clock.now())
    await knex.transaction(async (trx) => {
      const [ended] = await tasksOf(trx)
        .where({ id: row.id, state: 'submitting' } as never)
        .update({
          ...{
            state: wasSent ? 'unknown' : 'failed',
            reason,
            billing: 'final',
            charged: 0,
            cost: 0,
          },
          ...{ updated_at: at, finished_at: wasSent ? null : at },
          deadline_at: wasSent ? new Date(clock.now() + doubtMs) : null,
        } as never)
        .returning<TaskRow[]>('*')
      if (ended === undefined) return
      await noteState(trx, ended, at)
      if (wasSent) await alert(row, reason, trx)
      else await noteReport(trx, ended, 'task.finished')
    })
  }

  /** Rows whose hold was closed without them. */
  async function leftSubmitting(): Promise<void> {
    const rows = await tasksOf(knex)
      .where({ state: 'submitting' } as never)
      .where('created_at', '<', before(submittingMs))
      .orderBy('created_at')
      .limit(most)
    await each(rows, neverAnswered)
  }

  async function outOfTime(): Promise<void> {
    const rows: TaskRow[] = await tasksOf(knex)
      .where('deadline_at', '<=', new Date(clock.now()))
      .orderBy('deadline_at')
      .limit(most)
    await each(rows, (row) => (row.billing === 'charged' ? expire(row) : settleDoubt(row)))
  }

  async function expire(row: TaskRow): Promise<void> {
    if (row.cancel_at !== null) {
      await end(row, { ...cancelledAndGone, word: row.word, raw: row.raw })
      return
    }
    const reason = `The task did not end within ${dependencies.timeoutMinutes()} minutes.`
    await end(row, { state: 'failed', reason, word: row.word, raw: row.raw })
  }

  /** Nothing was charged, and nobody reported it: it has failed. */
  async function settleDoubt(row: TaskRow): Promise<void> {
    const at = new Date(clock.now())
    await knex.transaction(async (trx) => {
      const [ended] = await tasksOf(trx)
        .where({ id: row.id, state: 'unknown', billing: 'final' } as never)
        .update({ state: 'failed', finished_at: at, updated_at: at, deadline_at: null } as never)
        .returning<TaskRow[]>('*')
      if (ended === undefined) return
      await noteState(trx, ended, at)
      await noteReport(trx, ended, 'task.finished')
    })
  }

  async function forget(): Promise<void> {
    const days = dependencies.retentionDays()
    if (days === 0) return dependencies.expire()
    const ended = before(days * dayMs)
    await dependencies.expire(ended)
    for (let batch = 0; batch < forgetBatches; batch += 1) {
      // Those with files wait until the last of them is gone.
      const old = knex('tasks')
        .select('id')
        .where('finished_at', '<', ended)
        .whereNotExists(knex('task_stored').where('task', knex.ref('tasks.id')).select('task'))
      const deleted = await knex('tasks')
        .whereIn('id', old.orderBy('finished_at').limit(most))
        .delete()
      if (deleted < most) return
    }
  }

  return {
    async sweep(): Promise<void> {
      await abandoned()
      await leftSubmitting()
      await outOfTime()
    },
    forget,
  }
}
