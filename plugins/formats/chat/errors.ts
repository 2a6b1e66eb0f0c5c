/** Errors in the chat format: how clients are told, and how an upstream's error in place of an answer is recognised. */
import type { Failure } from '../../../kernel/contract/failure.js'
import type { ClientError } from '../../../kernel/contract/format.js'
import { isObject, type JsonObject } from '../../../kernel/contract/json.js'
import { breakingIn, sseData } from '../../../kernel/wire/sse.js'
import {
  type ErrorFields,
  failureOfError,
  nestedError,
} from '../../../kernel/wire/upstream-failure.js'
import { objectOf } from './fields.js'

export function encodeError(error: ClientError) {
  return { status: error.status, body: errorBody(error) }
}

/** No terminator follows: a broken stream is not a finished one (failures.md S5). */
export function encodeStreamError(error: ClientError, at?: { readonly begun: boolean }): Buffer {
  return breakingIn(sseData(errorBody(error)), at?.begun === true)
}

function errorBody({ message, type, param, code }: ClientError): JsonObject {
  return { error: { message, type, param, code } }
}

/** The failure a 200 body or a chunk is in truth (failures.md M14); undefined for a proper one. */
export function failureIn(body: JsonObject): Failure | undefined {
  if (!isError(body)) return undefined
  const fields = nestedError(body) ?? {}
  return failureOfError(fields, statusOf(body, fields))
}

/** What is wrong with a whole reply: an error in disguise, or nothing this format knows (failures.md M14). */
export function failureOfReply(body: JsonObject): Failure | undefined {
  return failureIn(body) ?? (Array.isArray(body.choices) ? undefined : garbled())
}

/** What an upstream sent cannot be read at all. */
export function garbled(): Failure {
  return failureOfError({ blame: 'upstream' }, 200)
}

function isError(body: JsonObject): boolean {
  const { error } = body
  if (isObject(error) || (typeof error === 'string' && error !== '')) return true
  if (body.choices !== undefined) return false
  return body.object === 'error' || typeof body.message === 'string' || typeof body.msg === 'string'
}

/** Inside a 200 only the body knows what went wrong: a status as code, else the words for it. */
function statusOf(body: JsonObject, { type = '', code = '' }: ErrorFields): number {
  const error = objectOf(body.error) ?? body
  const told = [error.status, error.code, body.code].map(Number)
  const status = told.find((one) => Number.isInteger(one) && one >= 400 && one <= 599)
  if (status !== undefined) return status
  const words = `${type} ${code}`
  return wordedStatuses.find(([pattern]) => pattern.test(words))?.[1] ?? 502
}

const wordedStatuses: readonly (readonly [pattern: RegExp, status: number])[] = [
  [/quota|billing|balance|arrear/i, 402],
  [/rate.?limit|too.?many|throttl/i, 429],
  [/api.?key|authenticat|unauthor/i, 401],
  [/permission|forbidden|access.?denied/i, 403],
  [/model.?not.?found|no.?such.?model/i, 404],
  [/overload|unavailable/i, 503],
  [/timeout/i, 504],
  [/invalid|context.?length|content.?(filter|policy)|bad.?request|unsupported/i, 400],
]
