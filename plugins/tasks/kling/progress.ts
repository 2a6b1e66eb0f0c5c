/** Tasks as the service reports them: in answers to polls, and at the address of a request's callback. */

import type { Body } from '../../../kernel/contract/body.js'
import type { Failure } from '../../../kernel/contract/failure.js'
import { isObject, type JsonObject } from '../../../kernel/contract/json.js'
import type { WholeAnswer } from '../../../kernel/contract/operation.js'
import type {
  Progress,
  Submission,
  TaskCallback,
  TaskQuantities,
  TaskRef,
  TaskResult,
} from '../../../kernel/contract/task.js'
import { garbled } from '../../../kernel/toolkit/errors/index.js'
import { objectsOf, present } from '../../../kernel/toolkit/json/index.js'
import { jsonOf } from '../../../kernel/toolkit/operation/index.js'
import {
  answerObject,
  listAt,
  numberAt,
  objectAt,
  refAt,
  stateReader,
  textAt,
  timeOf,
} from '../../../kernel/toolkit/task/index.js'
import { failureIn } from './fail.js'
import { kindOf } from './path.js'

const stateOf = stateReader({
  queued: ['submitted'],
  running: ['processing'],
  succeeded: ['succeed'],
  failed: ['failed'],
})

export function submitted(
  answer: WholeAnswer,
  wire: Body,
): Submission | { readonly failure: Failure } {
  const body = answerObject(answer)
  const failure = failureIn(body)
  if (failure !== undefined) return { failure }
  const ref = refAt(body, 'data.task_id')
  if (ref === undefined) return { failure: garbled() }
  const kind = kindOf(jsonOf(wire))
  const { ref: _, ...progress } = progressOf(objectAt(body, 'data'), ref, kind, body)
  return { ref, keep: { kind }, progress }
}

export function read(
  answer: WholeAnswer,
  refs: readonly TaskRef[],
): readonly Progress[] | { readonly failure: Failure } {
  const body = answerObject(answer)
  const failure = failureIn(body)
  if (failure !== undefined) return { failure }
  const task = objectAt(body, 'data')
  const named = textAt(task, 'task_id')
  const found = refs.find(({ ref }) => ref === named)
  return found === undefined ? [] : [progressOf(task, found.ref, found.keep.kind, body)]
}

/** The task alone, or in the envelope of an answer. */
export function notice({ body }: TaskCallback, { ref, keep }: TaskRef): Progress | undefined {
  const report = answerObject({ status: 200, headers: {}, body })
  const task = isObject(report.data) ? report.data : report
  return textAt(task, 'task_id') === ref ? progressOf(task, ref, keep.kind, report) : undefined
}

function progressOf(task: JsonObject, ref: string, kind: unknown, raw: JsonObject): Progress {
  const word = textAt(task, 'task_status')
  const state = stateOf(word ?? null)
  const results = state === 'succeeded' ? clipsOf(task) : []
  return present({
    ref,
    state,
    word,
    results: results.length > 0 ? results : undefined,
    reason: state === 'failed' ? (textAt(task, 'task_status_msg') ?? word) : undefined,
    made: madeOf(results, kind),
    createdAt: timeOf(task.created_at),
    updatedAt: timeOf(task.updated_at),
    raw,
  })
}

function clipsOf(task: JsonObject): readonly TaskResult[] {
  return objectsOf([...listAt(task, 'task_result.videos')]).flatMap((clip) => {
    const url = addressAt(clip, 'url')
    if (url === undefined) return []
    const meta = {
      id: textAt(clip, 'id'),
      duration: numberAt(clip, 'duration'),
      watermark_url: addressAt(clip, 'watermark_url'),
    }
    return [{ type: 'video', url, meta: present(meta) }]
  })
}

/**
 * Lengths are reported to the frame and paid by the second. Of an extended clip the whole is reported, though only the new part
 * is paid.
 */
function madeOf(
  results: readonly TaskResult[],
  kind: unknown,
): Partial<TaskQuantities> | undefined {
  const lengths = results.map(({ meta }) => Math.round(numberAt(meta, 'duration') ?? 0))
  if (kind === 'video-extend' || lengths.length === 0) return undefined
  if (lengths.some((seconds) => seconds <= 0)) return undefined
  const second = lengths.reduce((sum, seconds) => sum + seconds, 0)
  return { counts: { second, piece: lengths.length } }
}

function addressAt(clip: JsonObject, field: string): string | undefined {
  const url = textAt(clip, field)
  return url !== undefined && /^https?:\/\//i.test(url) && URL.canParse(url) ? url : undefined
}
