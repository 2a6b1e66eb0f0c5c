/**
 * How this service refuses: `{error: {code, message, type, param}}`. Its own load shares the status 429 with the limits of an
 * account.
 */
import type { Failure } from '../../../kernel/contract/failure.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import {
  type ErrorFields,
  nestedError,
  upstreamFailure,
} from '../../../kernel/toolkit/errors/index.js'

export function fail(
  status: number,
  headers: Readonly<Record<string, string>>,
  head: Buffer,
): Failure {
  return upstreamFailure({ status, headers, head }, fieldsOf)
}

/** Codes that know better than their status whose fault it is. */
const blames: Readonly<Record<string, Failure['blame']>> = {
  ServerOverloaded: 'upstream',
  'InvalidEndpoint.ClosedEndpoint': 'channel',
}

export function fieldsOf(body: JsonObject): ErrorFields | undefined {
  const fields = nestedError(body)
  const { code } = fields ?? {}
  if (code === undefined || !Object.hasOwn(blames, code)) return fields
  return { ...fields, blame: blames[code] }
}
