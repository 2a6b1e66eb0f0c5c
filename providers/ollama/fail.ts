/**
 * How this service refuses: `{error: {message, type}}` at the endpoints of other makers' forms, `{error: "…"}` elsewhere and
 * within a stream. Mostly the status shows whose fault it is; a model the server cannot run is nobody's request.
 */
import type { Failure } from '../../kernel/contract/failure.js'
import type { JsonObject } from '../../kernel/contract/json.js'
import {
  type ErrorFields,
  failureOfError,
  nestedError,
  upstreamFailure,
} from '../../kernel/toolkit/errors/index.js'
import { modelTroubles } from './model-troubles.js'

export function fail(
  status: number,
  headers: Readonly<Record<string, string>>,
  head: Buffer,
): Failure {
  return upstreamFailure({ status, headers, head }, pick)
}

/** The failure a line of a stream is in truth; the status of the answer has long been 200. */
export function failureOfLine(line: JsonObject): Failure | undefined {
  if (line.error === undefined || line.error === null) return undefined
  return failureOfError({ blame: 'upstream', ...pick(line) }, 500)
}

/** The stream ended without its last line. */
export function brokenOff(): Failure {
  return failureOfError({ blame: 'upstream' }, 502)
}

/** In front of the server's own words, for the operator: what has to be done about it. */
function pick(body: JsonObject): ErrorFields | undefined {
  const fields = nestedError(body)
  const message = fields?.message ?? ''
  const trouble = modelTroubles.find(({ words }) => words.test(message))
  if (trouble === undefined) return fields
  return { ...fields, message: `${trouble.meaning} ${message}`, blame: 'channel' }
}
