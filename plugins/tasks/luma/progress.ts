/** Generations as the service reports them: in answers, and at the address of a request's callback. */

import type { Failure } from '../../../kernel/contract/failure.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { WholeAnswer } from '../../../kernel/contract/operation.js'
import type {
  Progress,
  Submission,
  TaskCallback,
  TaskRef,
  TaskResult,
} from '../../../kernel/contract/task.js'
import { failureOfError, garbled, nestedError } from '../../../kernel/toolkit/errors/index.js'
import { present } from '../../../kernel/toolkit/json/index.js'
import {
  answerObject,
  refAt,
  stateReader,
  textAt,
  timeOf,
} from '../../../kernel/toolkit/task/index.js'

const stateOf = stateReader({
  queued: ['queued', 'pending'],
  running: ['dreaming', 'processing'],
  succeeded: ['completed'],
  failed: ['failed'],
})

export function submitted(answer: WholeAnswer): Submission | { readonly failure: Failure } {
  const body = answerObject(answer)
  const ref = refAt(body, 'id')
  if (ref === undefined) return { failure: failureIn(body) }
  const { ref: _, ...progress } = progressOf(body, ref)
  return { ref, progress }
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

/** Not signed: that the address cannot be guessed, and the id is the task's, is what makes it genuine. */
export function notice({ body }: TaskCallback, { ref }: TaskRef): Progress | undefined {
  const report = answerObject({ status: 200, headers: {}, body })
  return textAt(report, 'id') === ref ? progressOf(report, ref) : undefined
}

function failureIn(body: JsonObject): Failure {
  const fields = nestedError(body)
  return fields?.message === undefined
    ? garbled()
    : failureOfError({ ...fields, blame: 'upstream' }, 200)
}

function progressOf(raw: JsonObject, ref: string): Progress {
  const word = textAt(raw, 'state')
  const state = stateOf(word ?? null)
  const results = state === 'succeeded' ? clipsOf(raw) : []
  return present({
    ref,
    state,
    word,
    results: results.length > 0 ? results : undefined,
    reason: state === 'failed' ? (textAt(raw, 'failure_reason') ?? word) : undefined,
    createdAt: timeOf(raw.created_at),
    raw,
  })
}

function clipsOf(raw: JsonObject): readonly TaskResult[] {
  const url = addressAt(raw, 'assets.video')
  if (url === undefined) return []
  const meta = present({ cover_url: addressAt(raw, 'assets.image') })
  return [{ type: 'video', url, meta }]
}

function addressAt(raw: JsonObject, path: string): string | undefined {
  const url = textAt(raw, path)
  return url !== undefined && /^https?:\/\//i.test(url) && URL.canParse(url) ? url : undefined
}
