/** Tasks as the service reports them, in answers to polls and at the address of a request's callback alike. */
import type { Failure } from '../../../kernel/contract/failure.js'
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import type { WholeAnswer } from '../../../kernel/contract/operation.js'
import type {
  Progress,
  Submission,
  TaskCallback,
  TaskQuantities,
  TaskRef,
  TaskResult,
} from '../../../kernel/contract/task.js'
import { failureOfError, garbled, statusIn } from '../../../kernel/toolkit/errors/index.js'
import { present } from '../../../kernel/toolkit/json/index.js'
import {
  answerObject,
  numberAt,
  refAt,
  stateReader,
  textAt,
  timeOf,
} from '../../../kernel/toolkit/task/index.js'
import { fieldsOf } from './fail.js'

const stateOf = stateReader({
  queued: ['queued'],
  running: ['running'],
  succeeded: ['succeeded'],
  failed: ['failed', 'cancelled', 'expired'],
})

/** The id, and nothing else. */
export function submitted(answer: WholeAnswer): Submission | { readonly failure: Failure } {
  const body = answerObject(answer)
  const ref = refAt(body, 'id')
  return ref === undefined ? { failure: failureIn(body) } : { ref }
}

export function read(
  answer: WholeAnswer,
  refs: readonly TaskRef[],
): readonly Progress[] | { readonly failure: Failure } {
  const body = answerObject(answer)
  const named = textAt(body, 'id')
  if (named === undefined) return { failure: failureIn(body) }
  return refs.some(({ ref }) => ref === named) ? [progressOf(body, named)] : []
}

export function notice({ body }: TaskCallback, { ref }: TaskRef): Progress | undefined {
  const report = answerObject({ status: 200, headers: {}, body })
  return textAt(report, 'id') === ref ? progressOf(report, ref) : undefined
}

/** An error in place of a task. */
function failureIn(body: JsonObject): Failure {
  if (body.error === undefined) return garbled()
  const fields = fieldsOf(body) ?? {}
  return failureOfError(fields, statusIn(body, fields))
}

function progressOf(task: JsonObject, ref: string): Progress {
  const word = textAt(task, 'status')
  const state = stateOf(word ?? null)
  const results = state === 'succeeded' ? resultsOf(task) : []
  return present({
    ref,
    state,
    word,
    results: results.length > 0 ? results : undefined,
    reason: state === 'failed' ? (textAt(task, 'error.message') ?? word) : undefined,
    made: state === 'succeeded' ? madeOf(task) : undefined,
    createdAt: timeOf(task.created_at),
    updatedAt: timeOf(task.updated_at),
    raw: task,
  })
}

function resultsOf(task: JsonObject): readonly TaskResult[] {
  const clip = addressAt(task, 'content.video_url')
  const file = addressAt(task, 'content.file_url')
  const frame = addressAt(task, 'content.last_frame_url')
  const meta = present({
    duration: secondsOf(task),
    resolution: textAt(task, 'resolution'),
    ratio: textAt(task, 'ratio'),
    framespersecond: numberAt(task, 'framespersecond'),
    seed: numberAt(task, 'seed'),
  })
  return [
    ...(clip === undefined ? [] : [{ type: 'video', url: clip, meta } as const]),
    ...(file === undefined ? [] : [{ type: 'file', url: file } as const]),
    ...(frame === undefined ? [] : [{ type: 'image', url: frame } as const]),
  ]
}

/** The service bills the tokens of its output. */
function madeOf(task: JsonObject): Partial<TaskQuantities> | undefined {
  const token = countAt(task, 'usage.completion_tokens') ?? countAt(task, 'usage.total_tokens')
  const second = secondsOf(task)
  const resolution = textAt(task, 'resolution')
  const counts = present({ token, second }) as Record<string, number>
  if (Object.keys(counts).length === 0 && resolution === undefined) return undefined
  return { counts, ...(resolution !== undefined && { dimensions: { resolution } }) }
}

/** Either `duration` or `frames` is reported. */
function secondsOf(task: JsonObject): number | undefined {
  const frames = countAt(task, 'frames')
  const perSecond = countAt(task, 'framespersecond')
  return countAt(task, 'duration') ?? (frames && perSecond && frames / perSecond)
}

function countAt(task: JsonObject, path: string): number | undefined {
  const count = numberAt(task, path)
  return count !== undefined && count > 0 ? count : undefined
}

function addressAt(task: Json, path: string): string | undefined {
  const url = textAt(task, path)
  return url !== undefined && /^https?:\/\//i.test(url) && URL.canParse(url) ? url : undefined
}
