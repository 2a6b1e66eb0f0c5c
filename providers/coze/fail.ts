/**
 * How this service refuses: `{code, msg}`, mostly in a 200. The code shows whose fault it is, and which status it
 * amounts to.
 */
import type { Failure } from '../../kernel/contract/failure.js'
import type { JsonObject } from '../../kernel/contract/json.js'
import type { Adapter } from '../../kernel/contract/provider.js'
import {
  type ErrorFields,
  failureOfError,
  nestedError,
  upstreamFailure,
} from '../../kernel/toolkit/errors/index.js'
import { errorCodes } from './error-codes.js'

export const fail: Adapter['fail'] = (status, headers, head) =>
  upstreamFailure({ status, headers, head }, pick)

/** An error inside a 200 or a stream. */
export function failureOfCode(error: JsonObject): Failure {
  return failureOfError(pick(error) ?? {}, knownIn(error)?.status ?? 502)
}

/** A 400 of the transport about the key, the bot or the account is no fault of the client. */
function pick(error: JsonObject): ErrorFields | undefined {
  const fields = nestedError({ code: error.code, msg: error.msg })
  const known = knownIn(error)
  return known === undefined ? fields : { ...fields, blame: known.blame }
}

function knownIn({ code }: JsonObject) {
  return typeof code === 'number' || typeof code === 'string'
    ? errorCodes.get(String(code))
    : undefined
}
