/** A task in the words of Kling, under the id the client knows. Times are Unix milliseconds. */
import { isObject, type JsonObject } from '../../../kernel/contract/json.js'
import { present } from '../../../kernel/toolkit/json/index.js'
import { textAt } from '../../../kernel/toolkit/task/index.js'
import type { ShownResult, TaskRecord, TaskStage } from '../../services/tasks/index.js'

export function enveloped(record: TaskRecord): JsonObject {
  return { code: 0, message: 'SUCCEED', request_id: record.requestId, data: taskObject(record) }
}

function taskObject(record: TaskRecord): JsonObject {
  const { state } = record
  return {
    task_id: record.taskId,
    task_status: words[state],
    task_status_msg: state === 'failed' ? record.reason : '',
    task_info: infoOf(record),
    ...(state === 'succeeded' && { task_result: { videos: videosOf(record) } }),
    created_at: record.createdAt,
    updated_at: record.updatedAt || record.createdAt,
  }
}

/** Clients know these four alone. */
const words: Readonly<Record<TaskStage, string>> = {
  submitting: 'submitted',
  queued: 'submitted',
  running: 'processing',
  unknown: 'processing',
  succeeded: 'succeed',
  failed: 'failed',
}

/** The client's own id for the task. */
function infoOf({ request }: TaskRecord): JsonObject {
  const metadata = isObject(request.metadata) ? request.metadata : {}
  return present({ external_task_id: textAt(metadata, 'external_task_id') })
}

function videosOf({ taskId, results }: TaskRecord): readonly JsonObject[] {
  return results
    .filter(({ type, url }) => type === 'video' && url !== undefined)
    .map((result) => videoOf(result, `${taskId}-${result.index}`))
}

function videoOf({ url, meta }: ShownResult, id: string): JsonObject {
  return present({ id: textAt(meta, 'id') ?? id, url, duration: textAt(meta, 'duration') })
}
