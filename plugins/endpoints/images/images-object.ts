/** Images of a task: the answer its request would have had, and where the task stands. */
import type { JsonObject } from '../../../kernel/contract/json.js'
import { present } from '../../../kernel/toolkit/json/index.js'
import type { TaskRecord, TaskStage } from '../../services/tasks/index.js'

const statuses: Readonly<Record<TaskStage, string>> = {
  submitting: 'queued',
  queued: 'queued',
  running: 'in_progress',
  unknown: 'in_progress',
  succeeded: 'completed',
  failed: 'failed',
}

export function imagesObject(task: TaskRecord): JsonObject {
  const { taskId, state, reason, results, model, createdAt } = task
  return {
    task_id: taskId,
    model,
    status: statuses[state],
    created: Math.floor(createdAt / 1000),
    data: results.flatMap(({ url, meta }) =>
      url === undefined ? [] : present({ url, revised_prompt: meta?.actual_prompt }),
    ),
    error: state === 'failed' ? { code: 'image_generation_failed', message: reason } : null,
  }
}
