/** A task as OpenAI's object `video`. Beside it stand `task_id` and the address of the clip, which clients of the family look for. */
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import { textAt } from '../../../kernel/toolkit/task/index.js'
import type { TaskRecord, TaskStage } from '../../services/tasks/index.js'

const statuses: Readonly<Record<TaskStage, string>> = {
  submitting: 'queued',
  queued: 'queued',
  running: 'in_progress',
  unknown: 'in_progress',
  succeeded: 'completed',
  failed: 'failed',
}

export function videoObject(task: TaskRecord): JsonObject {
  const { taskId, state, request, raw } = task
  const isDone = state === 'succeeded'
  return {
    id: taskId,
    object: 'video',
    created_at: seconds(task.createdAt),
    completed_at: isDone ? seconds(task.finishedAt) : null,
    expires_at: null,
    status: statuses[state],
    progress: isDone ? 100 : Math.floor(task.percent),
    model: task.model,
    prompt: textAt(request, 'prompt') ?? null,
    seconds:
      textAt(request, 'seconds') ?? textAt(request, 'duration') ?? textAt(raw, 'seconds') ?? '',
    size: textAt(request, 'size') ?? textAt(raw, 'size') ?? '',
    remixed_from_video_id: (task.action === 'remix' ? task.originId : undefined) ?? null,
    error: state === 'failed' ? { code: 'video_generation_failed', message: task.reason } : null,
    task_id: taskId,
    metadata: metadataOf(task),
  }
}

/** `url` is the one of the clip; `urls` are all there are. */
function metadataOf({ results }: TaskRecord): Json {
  const urls = results.flatMap(({ url }) => url ?? [])
  const main = results.find(({ type }) => type === 'video')?.url ?? urls[0]
  return main === undefined ? {} : { url: main, urls }
}

function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000)
}
