/**
 * Errors of Google's services: `{error: {code, status, message, details}}` (AIP-193, google.aip.dev/193), in a list where
 * a stream was requested. A fault of the operator's key, project or account has status 400 all the same, though no client
 * can do anything about it; the details tell it apart.
 */
import type { Failure } from '../../contract/failure.js'
import { isObject, type Json, type JsonObject } from '../../contract/json.js'
import {
  type ErrorFields,
  type UpstreamAnswer,
  upstreamFailure,
} from '../errors/upstream-failure.js'
import { objectOf, parsedText } from '../json/fields.js'

export interface GoogleErrorFacts {
  /** Reasons of an `ErrorInfo` that are about the operator's key, project or account. */
  readonly channelReasons: ReadonlySet<string>
  /** Messages that another project or region may not get. Absent: only the reasons count. */
  readonly channelMessages?: RegExp
  /** Takes out of a message what only the operator may read. Absent: the message stays as it is. */
  readonly masked?: (message: string) => string
}

/** Never throws. A body of another shape is read by the rules that hold everywhere. */
export function googleFailure(answer: UpstreamAnswer, facts: GoogleErrorFacts): Failure {
  const error = errorIn(answer.head)
  if (error === undefined) return upstreamFailure(answer)
  const head = Buffer.from(JSON.stringify({ error }))
  const failure = upstreamFailure({ ...answer, head }, () => fieldsOf(error, facts))
  const retryAfterMs = failure.retryAfterMs ?? retryDelay(error)
  return retryAfterMs === undefined ? failure : { ...failure, retryAfterMs }
}

function fieldsOf(error: JsonObject, facts: GoogleErrorFacts): ErrorFields {
  const message = text(error.message)
  const reason = text(detail(error, 'ErrorInfo')?.reason) ?? ''
  const isChannel =
    facts.channelReasons.has(reason) ||
    error.status === 'FAILED_PRECONDITION' ||
    facts.channelMessages?.test(message ?? '') === true
  return {
    message: message && (facts.masked?.(message) ?? message),
    type: text(error.status) ?? text(error.type),
    param: violated(error),
    ...(isChannel && { blame: 'channel' }),
  }
}

/** The field a bad request names first. */
function violated(error: JsonObject): string | undefined {
  const violations = detail(error, 'BadRequest')?.fieldViolations
  const [first] = Array.isArray(violations) ? violations : []
  return isObject(first) ? text(first.field) : undefined
}

const longestParkMs = 24 * 3_600_000

/** As in `"retryDelay": "37.5s"`. */
function retryDelay(error: JsonObject): number | undefined {
  const reported = text(detail(error, 'RetryInfo')?.retryDelay)
  const seconds = /^(\d{1,9}(?:\.\d{1,9})?)s$/.exec(reported ?? '')?.[1]
  if (seconds === undefined) return undefined
  return Math.min(Math.ceil(Number(seconds) * 1000), longestParkMs)
}

function detail({ details }: JsonObject, type: string): JsonObject | undefined {
  if (!Array.isArray(details)) return undefined
  return details
    .filter(isObject)
    .find((one) => text(one['@type'])?.endsWith(`google.rpc.${type}`) === true)
}

function errorIn(head: Buffer): JsonObject | undefined {
  const value = parsedText(head.toString('utf8'))
  const body = objectOf(Array.isArray(value) ? value[0] : value)
  return objectOf(body?.error)
}

function text(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
