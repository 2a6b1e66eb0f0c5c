/** The envelope of every answer: `{code: "success", message, data}`. Any other word is a refusal. */
import type { Failure } from '../../../kernel/contract/failure.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { WholeAnswer } from '../../../kernel/contract/operation.js'
import type { Submission } from '../../../kernel/contract/task.js'
import {
  failureOfError,
  garbled,
  nestedError,
  statusIn,
  upstreamFailure,
} from '../../../kernel/toolkit/errors/index.js'
import { answerObject, refAt } from '../../../kernel/toolkit/task/index.js'

/** `data` is the id; some gateways answer with the task instead. */
export function submitted(answer: WholeAnswer): Submission | { readonly failure: Failure } {
  const body = answerObject(answer)
  const failure = failureIn(body)
  if (failure !== undefined) return { failure }
  const ref = refAt(body, 'data') ?? refAt(body, 'data.task_id')
  if (ref === undefined) return { failure: garbled() }
  return { ref, progress: { state: 'queued', word: 'SUBMITTED', raw: body } }
}

export function failureIn(body: JsonObject): Failure | undefined {
  const { code } = body
  if (code === 'success' || code === 200) return undefined
  if (code === undefined) return garbled()
  const fields = nestedError(body) ?? {}
  return failureOfError(fields, statusIn(body, fields))
}

export function fail(status: number, headers: Readonly<Record<string, string>>, head: Buffer) {
  return upstreamFailure({ status, headers, head })
}
