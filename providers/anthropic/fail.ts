/**
 * How this service refuses: `{type: "error", error: {type, message}}`. Mostly the status shows whose fault it is; an
 * account without credit or switched off is answered as 400, though no client can do anything about it.
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

/** Words of a 400 that is about the operator's account (seen 2025-2026). */
const accountTrouble =
  /credit balance is too low|organization has been disabled|workspace api usage limits|usage limits?\. you will regain/i

/** The field a 400 names in front of its sentence, such as `max_tokens: …`. */
const namedField = /^([a-z_]+(?:\.[a-z0-9_]+)*): /

function pick(body: JsonObject): ErrorFields | undefined {
  const fields = nestedError(body)
  if (fields?.message === undefined) return fields
  if (accountTrouble.test(fields.message)) return { ...fields, blame: 'channel' }
  const param = fields.param ?? namedField.exec(fields.message)?.[1]
  return param === undefined ? fields : { ...fields, param }
}
