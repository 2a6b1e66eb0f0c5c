/** Rows of `tasks` and `task_states`, and a task as its owner may see it. */
import type { Knex } from 'knex'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { OperationName } from '../../../kernel/contract/names.js'
import type { TaskQuantities, TaskRef } from '../../../kernel/contract/task.js'
import type { KeptResult } from './kept-results.js'
import type { Unshown } from './kept-text.js'
import type { ShownResult, TaskRecord, TaskStage } from './tasks.js'

export interface TaskRow {
  readonly id: bigint
  readonly task_id: string
  readonly request_id: string
  readonly user_id: number
  readonly token_id: number | null
  readonly group_name: string
  readonly operation: OperationName
  readonly action: string
  readonly platform: string
  readonly model: string
  readonly upstream_model: string
  readonly channel_id: number
  readonly key_id: number
  readonly upstream_ref: string | null
  readonly keep: JsonObject
  readonly origin_id: bigint | null
  readonly state: TaskStage
  readonly word: string
  readonly percent: number
  readonly reason: string
  readonly request: JsonObject
  readonly results: readonly KeptResult[]
  readonly raw: JsonObject
  readonly billing: 'open' | 'charged' | 'final'
  readonly charged: bigint | null
  readonly cost: bigint | null
  readonly terms: JsonObject | null
  readonly requested: TaskQuantities | null
  readonly made: Partial<TaskQuantities> | null
  readonly delta_off: boolean | null
  readonly late_success: boolean
  readonly callback: string | null
  readonly sent_at: Date | null
  readonly accepted_at: Date | null
  readonly started_at: Date | null
  readonly finished_at: Date | null
  readonly created_at: Date
  readonly updated_at: Date
  readonly poll_at: Date | null
  readonly poll_failures: number
  readonly deadline_at: Date | null
  readonly hidden: boolean
  readonly stored: readonly number[]
  readonly cancel_at: Date | null
}

export interface StateRow {
  readonly task: bigint
  readonly state: TaskStage
  readonly word: string
  readonly reason: string
  readonly at: Date
}

export function tasksOf(knex: Knex): Knex.QueryBuilder<TaskRow> {
  return knex<TaskRow>('tasks')
}

/** Whether a text can be the id of a task at all: what a client writes may hold what no database takes. */
export function isTaskId(text: string): boolean {
  return /^[\w-]{1,64}$/.test(text)
}

/** The id clients know a request's task by; nobody has to keep which belongs to which. */
export function taskIdOf(requestId: string): string {
  return `task_${requestId.slice('req_'.length)}`
}

/** As an adapter knows it. */
export function refOf(row: TaskRow): TaskRef {
  const { upstream_ref: ref, action, upstream_model: model, keep } = row
  return { ref: ref ?? '', action, model, keep }
}

/** What is not shown of a task in its upstream's words. */
export function unshownOf(row: TaskRow, secrets: readonly string[] = []): Unshown {
  return { secrets, ref: row.upstream_ref ?? undefined, taskId: row.task_id }
}

/** Makes the address of a result the client can use; undefined: the upstream's own. */
export type AddressOf = (row: TaskRow, result: KeptResult, index: number) => string | undefined

export function recordOf(row: TaskRow, addressOf: AddressOf, originId?: string): TaskRecord {
  return {
    taskId: row.task_id,
    requestId: row.request_id,
    userId: row.user_id,
    operation: row.operation,
    action: row.action,
    platform: row.platform,
    model: row.model,
    group: row.group_name,
    state: row.state,
    word: row.word,
    percent: row.percent,
    reason: row.reason,
    results: row.results.map((result, index) => shown(row, result, index, addressOf)),
    request: row.request,
    raw: row.raw,
    charged: Number(row.charged ?? 0),
    ...(row.billing === 'final' && { cost: Number(row.cost ?? 0) }),
    ...(originId !== undefined && { originId }),
    createdAt: row.created_at.getTime(),
    startedAt: row.started_at?.getTime() ?? 0,
    finishedAt: row.finished_at?.getTime() ?? 0,
    updatedAt: row.updated_at.getTime(),
  }
}

/** What only the channel's key opens is never shown with the upstream's address. */
function shown(row: TaskRow, result: KeptResult, index: number, addressOf: AddressOf): ShownResult {
  const { url, keyed, inline: _, ...rest } = result
  const address = addressOf(row, result, index) ?? (keyed === true ? undefined : url)
  return { ...rest, index, ...(address !== undefined && { url: address }) }
}

/** Words of one upstream that are kept: one that uses a new word at every poll has no end of them. */
const wordsMax = 400

/** Within a transaction: the next line of a task's history. */
export async function noteState(
  trx: Knex.Transaction,
  { id, state, word, reason }: Pick<TaskRow, 'id' | 'state' | 'word' | 'reason'>,
  at: Date,
): Promise<void> {
  if (state === 'queued' || state === 'running' || state === 'unknown') {
    const [last] = await trx('task_states')
      .where({ task: id })
      .offset(wordsMax - 1)
      .limit(1)
      .select('id')
    if (last !== undefined) return
  }
  await trx('task_states').insert({ task: id, state, word, reason, at })
}
