/**
 * How this service refuses: `{code, msg}`, mostly in a 200. The code shows whose fault it is; the status it amounts to
 * is given here.
 */
import type { Failure } from '../../kernel/contract/failure.js'
import type { Json, JsonObject } from '../../kernel/contract/json.js'
import type { Adapter } from '../../kernel/contract/provider.js'
import {
  type ErrorFields,
  failureOfError,
  nestedError,
  upstreamFailure,
} from '../../kernel/toolkit/errors/index.js'

export const fail: Adapter['fail'] = (status, headers, head) =>
  upstreamFailure({ status, headers, head }, pick)

/** An error inside a 200 or a stream. */
export function failureOfCode(error: JsonObject): Failure {
  return failureOfError(pick(error) ?? {}, statuses[codeOf(error.code)] ?? 502)
}

/** Not expressed here: another channel may do better. */
const statuses: Readonly<Record<string, number>> = {
  '4000': 400,
  '4011': 402,
  '4013': 429,
  '4015': 404,
  '4028': 402,
  '4100': 401,
  '4101': 403,
  '4200': 404,
  '5000': 500,
  '700012006': 401,
}

/** A 400 of the transport about the key, the bot or the account is no fault of the client. */
function pick({ code, msg }: JsonObject): ErrorFields | undefined {
  const fields = nestedError({ code, msg })
  const status = statuses[codeOf(code)]
  return status === undefined || status === 400 || status === 500
    ? fields
    : { ...fields, blame: 'channel' }
}

function codeOf(code: Json | undefined): string {
  return typeof code === 'number' || typeof code === 'string' ? String(code) : ''
}
