/** The answer to a submission: the id of the task, or at once the addresses of pictures that were uploaded. */
import type { Failure } from '../../../kernel/contract/failure.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { WholeAnswer } from '../../../kernel/contract/operation.js'
import type { Submission, TaskResult } from '../../../kernel/contract/task.js'
import { garbled } from '../../../kernel/toolkit/errors/index.js'
import { answerObject, listAt, numberAt, refAt } from '../../../kernel/toolkit/task/index.js'
import { accepted, failureOfCode, notBegun } from './codes.js'
import { finished, pictureAt } from './results.js'

export function submitted(answer: WholeAnswer): Submission | { readonly failure: Failure } {
  const body = answerObject(answer)
  const code = numberAt(body, 'code')
  if (code === undefined) return { failure: garbled() }
  if (!accepted.has(code)) return { failure: failureOfCode(body) }
  const ref = refAt(body, 'result')
  if (ref !== undefined) return waiting(body, code, ref)
  const uploaded = listAt(body, 'result').flatMap((url) => pictureAt(url) ?? [])
  return uploaded.length === 0 ? { failure: garbled() } : done(body, uploaded)
}

/** What was not begun is done already, or waits for its dialog: only the task itself states which. */
function waiting(raw: JsonObject, code: number, ref: string): Submission {
  if (code !== notBegun) return { ref, progress: { state: 'queued', word: 'SUBMITTED', raw } }
  return { ref, progress: { state: 'queued', again: true, raw }, made: { counts: { piece: 0 } } }
}

/** The upstream keeps no task of it: what it made is kept here, and reported by the first poll. */
function done(raw: JsonObject, results: readonly TaskResult[]): Submission {
  const urls = results.map(({ url = '' }) => url)
  return { ref: urls[0]!, keep: { uploaded: urls }, progress: { ...finished(results), raw } }
}
