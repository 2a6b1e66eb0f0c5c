/** A task in the words of Jimeng, under the id the client knows. */
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { TaskRecord, TaskStage } from '../../services/tasks/index.js'

export function accepted({ taskId, requestId }: TaskRecord): JsonObject {
  return succeeded({ task_id: taskId }, requestId)
}

export function resultObject(record: TaskRecord): JsonObject {
  const { state, requestId } = record
  if (state === 'failed') return failed(record)
  const url = record.results.find(({ type }) => type === 'video')?.url ?? ''
  const data = {
    task_id: record.taskId,
    status: words[state],
    video_url: state === 'succeeded' ? url : '',
  }
  return succeeded(data, requestId)
}

const words: Readonly<Record<TaskStage, string>> = {
  submitting: 'in_queue',
  queued: 'in_queue',
  running: 'generating',
  unknown: 'generating',
  succeeded: 'done',
  failed: 'done',
}

const success = 10_000
/** The service's own for what went wrong inside. */
const internal = 50_500

function succeeded(data: JsonObject, requestId: string): JsonObject {
  return { code: success, data, message: 'Success', request_id: requestId, status: success }
}

/** A task that failed is done, under a code other than that of success: the upstream's where it is one of these. */
function failed({ taskId, requestId, reason, raw }: TaskRecord): JsonObject {
  const { code: reported } = raw
  const isCode = typeof reported === 'number' && reported > 50_000 && reported < 51_000
  const code = isCode ? reported : internal
  const data = { task_id: taskId, status: words.failed, video_url: '' }
  return { code, data, message: reason, request_id: requestId, status: code }
}
