/** Reports of ended tasks to the addresses their clients named: noted in the ending transaction, written as they are sent (reports.md). */
import type { Knex } from 'knex'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Log } from '../../../kernel/contract/kit.js'
import type { SecretBox } from '../../../kernel/contract/services/secrets.js'
import { present } from '../../../kernel/toolkit/json/index.js'
import type { Notifications, WriteReport } from '../notifications/index.js'
import { type AddressOf, recordOf, type TaskRow, tasksOf } from './rows.js'
import type { ShownResult, TaskRecord, TaskStage } from './tasks.js'

export interface ReportDependencies {
  readonly notifications: Pick<Notifications, 'report'>
  readonly secrets: Pick<SecretBox, 'openText'>
  readonly log: Log
}

/** `succeeded_late`: it had failed already, and was paid back. */
type ReportEvent = 'task.finished' | 'task.succeeded_late'

/** Within the transaction of the event. Does nothing where the client named no address. */
export type NoteReport = (
  trx: Knex.Transaction,
  row: Pick<TaskRow, 'task_id' | 'user_id' | 'callback'>,
  event: ReportEvent,
) => Promise<void>

export function createReports({ notifications, secrets, log }: ReportDependencies): NoteReport {
  /** An envelope that cannot be opened is no reason to leave the money of a task open. */
  function addressOf({ task_id: task, callback }: Pick<TaskRow, 'task_id' | 'callback'>) {
    if (callback === null) return undefined
    try {
      return secrets.openText(callbackPlace(task), callback)
    } catch (err) {
      log.error({ err, task }, 'the address for the report of a task cannot be opened')
      return undefined
    }
  }

  return async (trx, row, event) => {
    const address = addressOf(row)
    if (address === undefined) return
    const { task_id: subject, user_id: userId } = row
    await notifications.report(userId, { address, event, subject, key: `${event}:${subject}` }, trx)
  }
}

/** Where the address of a task is sealed for. */
export function callbackPlace(taskId: string): string {
  return `tasks:${taskId}:callback`
}

export interface WritingDependencies {
  readonly knex: Knex
  readonly addressOf: AddressOf
}

/** The task as it is when its report is sent, so that the addresses of its results are good. */
export function createWriteReport({ knex, addressOf }: WritingDependencies): WriteReport {
  return async ({ event, subject, timestamp }) => {
    const row = await tasksOf(knex)
      .where({ task_id: subject, hidden: false } as never)
      .first<TaskRow | undefined>()
    if (row === undefined) return undefined
    return JSON.stringify({ type: event, timestamp, data: shownTask(recordOf(row, addressOf)) })
  }
}

/** The family's words for where a task stands. */
const words: Readonly<Record<TaskStage, string>> = {
  submitting: 'NOT_START',
  queued: 'QUEUED',
  running: 'IN_PROGRESS',
  unknown: 'UNKNOWN',
  succeeded: 'SUCCESS',
  failed: 'FAILURE',
}

function shownTask(task: TaskRecord): JsonObject {
  const { results, state } = task
  const main = results.find(({ url }) => url !== undefined)
  return {
    task_id: task.taskId,
    action: task.action,
    model: task.model,
    status: words[state],
    fail_reason: state === 'failed' ? task.reason : '',
    progress: `${task.percent}%`,
    submit_time: seconds(task.createdAt),
    start_time: seconds(task.startedAt),
    finish_time: seconds(task.finishedAt),
    result_url: main?.url ?? '',
    results: results.map(shownResult),
  }
}

function shownResult({ type, url, text, meta }: ShownResult): JsonObject {
  return present({ type, url, text, meta })
}

function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000)
}
