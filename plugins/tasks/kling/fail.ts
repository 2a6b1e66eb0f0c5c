/** How this service refuses: `{code, message, request_id}` with a code other than 0, whatever the status. */
import type { Failure } from '../../../kernel/contract/failure.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import {
  type ErrorFields,
  failureOfError,
  garbled,
  upstreamFailure,
} from '../../../kernel/toolkit/errors/index.js'
import { numberAt, textAt } from '../../../kernel/toolkit/task/index.js'

export function fail(
  status: number,
  headers: Readonly<Record<string, string>>,
  head: Buffer,
): Failure {
  return upstreamFailure({ status, headers, head }, fieldsOf)
}

/** The failure inside an answer of status 200. Undefined: it holds none. */
export function failureIn(body: JsonObject): Failure | undefined {
  const code = numberAt(body, 'code')
  if (code === undefined) return garbled()
  return code === 0 ? undefined : failureOfError(fieldsOf(body), statusOf(code))
}

function fieldsOf(body: JsonObject): ErrorFields {
  const code = numberAt(body, 'code')
  const message = textAt(body, 'message')
  const isAccount = code !== undefined && code >= 1000 && code < 1200
  return {
    ...(message !== undefined && { message }),
    ...(code !== undefined && { code: String(code) }),
    // Keys, debts and used-up packages, some of them with a status of the client's faults.
    ...(isAccount && { blame: 'channel' }),
  }
}

const statuses: Readonly<Record<number, number>> = {
  1101: 402,
  1102: 402,
  1103: 403,
  1202: 404,
  1203: 404,
  1302: 429,
  1303: 429,
  1304: 429,
  5001: 503,
  5002: 504,
}

/** The status the service documents for a code. */
function statusOf(code: number): number {
  const known = statuses[code]
  if (known !== undefined) return known
  if (code >= 1000 && code < 1100) return 401
  if (code >= 1100 && code < 1200) return 402
  return code >= 1200 && code < 1400 ? 400 : 500
}
