/** Tasks of the proxy as it lists and reports them. */
import type { Failure } from '../../../kernel/contract/failure.js'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import type { WholeAnswer } from '../../../kernel/contract/operation.js'
import type { Progress, TaskRef } from '../../../kernel/contract/task.js'
import { garbled } from '../../../kernel/toolkit/errors/index.js'
import { objectsOf, parsedText } from '../../../kernel/toolkit/json/index.js'
import {
  listAt,
  numberAt,
  stateReader,
  textAt,
  timeOf,
} from '../../../kernel/toolkit/task/index.js'
import { failureOfCode } from './codes.js'
import { finished, pictureAt, resultsOf } from './results.js'

const stateOf = stateReader({
  queued: ['NOT_START', 'SUBMITTED', 'MODAL'],
  running: ['IN_PROGRESS'],
  succeeded: ['SUCCESS'],
  failed: ['FAILURE', 'CANCEL'],
})

export function readList(
  answer: WholeAnswer,
  refs: readonly TaskRef[],
): readonly Progress[] | { readonly failure: Failure } {
  const uploads = refs.flatMap(uploadOf)
  const listed = parsedText(answer.body.toString('utf8'))
  if (!Array.isArray(listed)) return uploads.length > 0 ? uploads : { failure: failureOf(listed) }
  const wanted = new Set(refs.map(({ ref }) => ref))
  const named = objectsOf(listed).flatMap((task) => {
    const ref = textAt(task, 'id')
    return ref !== undefined && wanted.has(ref) ? [progressOf(task, ref)] : []
  })
  return [...uploads, ...named]
}

/** Pictures that were uploaded were there at once, and are no task of the upstream. */
function uploadOf({ ref, keep }: TaskRef): readonly Progress[] {
  const results = listAt(keep, 'uploaded').flatMap((url) => pictureAt(url) ?? [])
  return results.length === 0 ? [] : [{ ref, ...finished(results), raw: { result: keep.uploaded } }]
}

function failureOf(answer: Json | undefined): Failure {
  return isObject(answer) && answer.code !== undefined ? failureOfCode(answer) : garbled()
}

export function progressOf(task: JsonObject, ref: string): Progress {
  const word = textAt(task, 'status')
  const state = stateOf(word ?? null)
  const percent = percentOf(task.progress)
  const results = resultsOf(task, ref, state)
  const reason = state === 'failed' ? (textAt(task, 'failReason') ?? word) : undefined
  const createdAt = timeOf(task.submitTime)
  const updatedAt = timeOf(task.finishTime) ?? timeOf(task.startTime)
  return {
    ref,
    state,
    ...(word !== undefined && { word }),
    ...(percent !== undefined && { percent }),
    ...(results.length > 0 && { results }),
    ...(reason !== undefined && { reason }),
    ...(createdAt !== undefined && { createdAt }),
    ...(updatedAt !== undefined && { updatedAt }),
    raw: task,
  }
}

/** `50%`. */
function percentOf(progress: Json | undefined): number | undefined {
  const stated = typeof progress === 'string' ? progress.replace('%', '') : progress
  const percent = numberAt({ stated }, 'stated')
  return percent === undefined ? undefined : Math.min(Math.max(Math.round(percent), 0), 100)
}
