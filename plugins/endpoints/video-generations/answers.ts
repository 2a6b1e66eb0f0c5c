/** A task in the words of `/v1/video/generations`. */
import type { JsonObject } from '../../../kernel/contract/json.js'
import { present } from '../../../kernel/toolkit/json/index.js'
import type { ShownResult, TaskRecord, TaskStage } from '../../services/tasks/index.js'

/** The family's words for where a task stands. */
const words: Readonly<Record<TaskStage, string>> = {
  submitting: 'NOT_START',
  queued: 'QUEUED',
  running: 'IN_PROGRESS',
  unknown: 'UNKNOWN',
  succeeded: 'SUCCESS',
  failed: 'FAILURE',
}

/** The answer to a submission. */
export function submitted(task: TaskRecord): JsonObject {
  return {
    id: task.taskId,
    task_id: task.taskId,
    object: 'video',
    model: task.model,
    status: task.state === 'queued' || task.state === 'submitting' ? 'queued' : 'in_progress',
    progress: task.percent,
    created_at: seconds(task.createdAt),
  }
}

/** What a client fetches. `data` holds what the upstream reports, in its own words. */
export function fetched(task: TaskRecord): JsonObject {
  const { results } = task
  const main = results.find(({ type }) => type === 'video') ?? results[0]
  return {
    code: 'success',
    message: '',
    data: {
      task_id: task.taskId,
      action: task.action,
      status: statusOf(task),
      fail_reason: task.state === 'failed' ? task.reason : '',
      progress: `${task.state === 'succeeded' ? 100 : Math.floor(task.percent)}%`,
      submit_time: seconds(task.createdAt),
      start_time: seconds(task.startedAt),
      finish_time: seconds(task.finishedAt),
      result_url: main?.url ?? '',
      results: results.map(shownResult),
      data: task.raw,
    },
  }
}

/** One that waits is `SUBMITTED` where the upstream calls it so. */
function statusOf({ state, word }: TaskRecord): string {
  return state === 'queued' && /^submitted$/i.test(word) ? 'SUBMITTED' : words[state]
}

function shownResult({ type, url, text, meta }: ShownResult): JsonObject {
  return present({ type, url, text, meta })
}

function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000)
}
