/** The numbers this service gives its errors: `base_resp.status_code`, mostly inside a 200. Each stands for a status. */
import type { Failure } from '../../../kernel/contract/failure.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import {
  type ErrorFields,
  failureOfError,
  nestedError,
  upstreamFailure,
} from '../../../kernel/toolkit/errors/index.js'
import { numberAt, textAt } from '../../../kernel/toolkit/task/index.js'

const statuses: Readonly<Record<number, number>> = {
  1000: 500,
  1001: 504,
  1002: 429,
  1004: 401,
  1008: 402,
  1013: 500,
  1024: 500,
  1026: 400,
  1027: 400,
  1033: 500,
  1039: 429,
  1041: 429,
  1042: 400,
  2013: 400,
  2045: 429,
  2049: 401,
  2056: 429,
  2061: 403,
}

/** Faults of the account, whatever status they came with. */
const accountTrouble: ReadonlySet<number> = new Set([401, 402, 403, 429])

export function fail(
  status: number,
  headers: Readonly<Record<string, string>>,
  head: Buffer,
): Failure {
  return upstreamFailure({ status, headers, head }, (body) => fieldsOf(body) ?? nestedError(body))
}

/** The failure inside an answer of status 200. Undefined: it holds none. */
export function failureIn(body: JsonObject): Failure | undefined {
  const fields = fieldsOf(body)
  return fields && failureOfError(fields, statuses[Number(fields.code)] ?? 502)
}

function fieldsOf(body: JsonObject): ErrorFields | undefined {
  const code = numberAt(body, 'base_resp.status_code') ?? 0
  if (code === 0) return undefined
  const message = textAt(body, 'base_resp.status_msg')
  const status = statuses[code]
  return {
    code: String(code),
    ...(message !== undefined && { message }),
    ...(status !== undefined && { blame: blameOf(status) }),
  }
}

function blameOf(status: number): Failure['blame'] {
  if (accountTrouble.has(status)) return 'channel'
  return status < 500 ? 'client' : 'upstream'
}
