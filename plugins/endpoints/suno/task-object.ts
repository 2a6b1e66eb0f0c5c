/** A task in the words of Suno-API, under the id the client knows. Times are Unix seconds. */
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { textAt } from '../../../kernel/toolkit/task/index.js'
import type { TaskRecord } from '../../services/tasks/index.js'

export function enveloped(data: Json): JsonObject {
  return { code: 'success', message: '', data }
}

export function taskObject(record: TaskRecord): JsonObject {
  const { state } = record
  return {
    task_id: record.taskId,
    action: record.action.toUpperCase(),
    status: statusOf(record),
    fail_reason: state === 'failed' ? record.reason : '',
    submit_time: seconds(record.createdAt),
    start_time: seconds(record.startedAt),
    finish_time: seconds(record.finishedAt),
    progress: `${state === 'succeeded' ? 100 : record.percent}%`,
    result_url: record.results.find(({ url }) => url !== undefined)?.url ?? '',
    data: dataOf(record),
  }
}

/** Clips, or the lyrics. Until its first report there is only the answer to the submission, whose data is the upstream's id. */
function dataOf({ raw, results }: TaskRecord): Json {
  const { data = null } = raw
  if (raw.code !== undefined || typeof data !== 'object') return null
  const text = results.find(({ type }) => type === 'text')?.text
  // What is kept of the upstream's answer may be cut; a result is whole.
  return isObject(data) && text !== undefined && textAt(data, 'text') !== text
    ? { ...data, text }
    : data
}

const underWay: ReadonlySet<string> = new Set(['NOT_START', 'SUBMITTED', 'QUEUED', 'IN_PROGRESS'])

/** The upstream's word where it has not ended; how it ended is for the gateway to state. */
function statusOf({ state, word }: TaskRecord): string {
  if (state === 'succeeded') return 'SUCCESS'
  if (state === 'failed') return 'FAILURE'
  if (underWay.has(word)) return word
  if (state === 'submitting') return 'NOT_START'
  return { queued: 'QUEUED', running: 'IN_PROGRESS', unknown: 'UNKNOWN' }[state]
}

function seconds(ms: number): number {
  return Math.floor(ms / 1000)
}
