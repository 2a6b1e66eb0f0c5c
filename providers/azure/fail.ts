/**
 * How a resource refuses: `{error: {code, message, param, innererror}}`, or `{statusCode, message}` from the gate in
 * front of it. A filtered prompt is the client's; a deployment that cannot do what is requested is the channel's.
 */
import type { Failure } from '../../kernel/contract/failure.js'
import type { JsonObject } from '../../kernel/contract/json.js'
import {
  type ErrorFields,
  nestedError,
  upstreamFailure,
} from '../../kernel/toolkit/errors/index.js'

export function fail(
  status: number,
  headers: Readonly<Record<string, string>>,
  head: Buffer,
): Failure {
  return upstreamFailure({ status, headers, head }, pick)
}

const blames: Readonly<Record<string, Failure['blame']>> = {
  content_filter: 'client',
  ResponsibleAIPolicyViolation: 'client',
  // Seen in both spellings.
  OperationNotSupported: 'channel',
  OpperationNotSupported: 'channel',
  DeploymentNotFound: 'channel',
  InvalidApiVersionParameter: 'channel',
}

function pick(body: JsonObject): ErrorFields | undefined {
  const fields = nestedError(body)
  const { code, type } = fields ?? {}
  if (code === undefined || !Object.hasOwn(blames, code)) return fields
  // The only word for what happened is the code; the type is mostly null.
  return { ...fields, type: type ?? code, blame: blames[code] }
}
