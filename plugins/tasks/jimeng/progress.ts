/** Tasks as the service reports them. An answer does not name its task: it is of the one that was asked for. */
import type { Body } from '../../../kernel/contract/body.js'
import type { Failure } from '../../../kernel/contract/failure.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { WholeAnswer } from '../../../kernel/contract/operation.js'
import type { Progress, Submission, TaskRef, TaskResult } from '../../../kernel/contract/task.js'
import { garbled } from '../../../kernel/toolkit/errors/index.js'
import { present } from '../../../kernel/toolkit/json/index.js'
import { jsonOf } from '../../../kernel/toolkit/operation/index.js'
import { answerObject, refAt, stateReader, textAt } from '../../../kernel/toolkit/task/index.js'
import { failureIn, isAudit } from './codes.js'

/** Tasks are kept for 12 hours; what is not found was, when it was submitted. */
const stateOf = stateReader({
  queued: ['in_queue'],
  running: ['generating'],
  succeeded: ['done'],
  failed: ['not_found', 'expired'],
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
  return { ref, keep: { req_key: textAt(jsonOf(wire), 'req_key') ?? '' } }
}

export function read(
  answer: WholeAnswer,
  [task]: readonly TaskRef[],
): readonly Progress[] | { readonly failure: Failure } {
  const body = answerObject(answer)
  if (task !== undefined && isAudit(body)) return [stopped(body, task.ref)]
  const failure = failureIn(body)
  if (failure !== undefined) return { failure }
  const named = textAt(body, 'data.task_id') ?? task?.ref
  return task === undefined || named !== task.ref ? [] : [progressOf(body, task.ref)]
}

/** A clip that may not be shown is refused with a status of its own. */
export function readRefusal(answer: WholeAnswer, { ref }: TaskRef): Progress | undefined {
  const body = answerObject(answer)
  return isAudit(body) ? stopped(body, ref) : undefined
}

function stopped(body: JsonObject, ref: string): Progress {
  const word = textAt(body, 'data.status')
  return present({ ref, state: 'failed', word, reason: textAt(body, 'message'), raw: body })
}

function progressOf(body: JsonObject, ref: string): Progress {
  const word = textAt(body, 'data.status')
  const state = stateOf(word ?? null)
  const results = state === 'succeeded' ? clipsOf(body) : []
  return present({
    ref,
    state,
    word,
    results: results.length > 0 ? results : undefined,
    reason: state === 'failed' ? word : undefined,
    raw: body,
  })
}

function clipsOf(body: JsonObject): readonly TaskResult[] {
  const url = textAt(body, 'data.video_url')
  const isAddress = url !== undefined && /^https?:\/\//i.test(url) && URL.canParse(url)
  return isAddress ? [{ type: 'video', url }] : []
}
