/** A media task as the Playground shows it to its owner. Its results are fetched by the session, at the path beside each. */
import type { JsonObject } from '../../../kernel/contract/json.js'
import { present } from '../../../kernel/toolkit/json/index.js'
import type { ShownResult, TaskRecord } from '../../services/tasks/index.js'

export function taskObject(task: TaskRecord): JsonObject {
  const { taskId, operation, action, model, group, state, percent, charged, cost } = task
  return {
    ...{ task_id: taskId, operation, action, model, group, state },
    percent: state === 'succeeded' ? 100 : Math.floor(percent),
    fail_reason: state === 'failed' ? task.reason : '',
    ...{ charged, cost: cost ?? null, quota: cost ?? charged },
    results: task.results.map((result) => resultObject(taskId, result)),
    request: task.request,
    created_at: seconds(task.createdAt),
    finish_time: seconds(task.finishedAt),
  }
}

function resultObject(taskId: string, { index, type, url, text }: ShownResult): JsonObject {
  const path = url === undefined ? undefined : `/pg/tasks/${taskId}/results/${index}`
  return present({ index, type, url: path, text })
}

function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000)
}
