/**
 * How this service refuses: `{object: "error", message, type, param, code}`, a list of fields in `detail`, which may
 * itself stand in `message`. A model it does not have is answered as 400.
 */
import type { Failure } from '../../kernel/contract/failure.js'
import { isObject, type Json, type JsonObject } from '../../kernel/contract/json.js'
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

function pick(body: JsonObject): ErrorFields | undefined {
  const fields = nestedError(body)
  const named = firstDetail(isObject(body.message) ? body.message.detail : body.detail)
  if (named !== undefined) return { ...fields, ...named }
  return fields?.type === 'invalid_model' ? { ...fields, blame: 'channel' } : fields
}

/** The first field at fault: where it stands below the body, and what is wrong with it. */
function firstDetail(detail: Json | undefined): ErrorFields | undefined {
  const [first] = Array.isArray(detail) ? detail : []
  if (!isObject(first) || typeof first.msg !== 'string') return undefined
  const place = Array.isArray(first.loc) ? first.loc.filter((part) => part !== 'body') : []
  const param = place.join('.')
  return param === '' ? { message: first.msg } : { message: `${param}: ${first.msg}`, param }
}
