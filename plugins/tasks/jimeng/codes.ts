/**
 * How this service refuses: `{code, message, request_id}` with a code other than 10000, or, before it reads a request, the
 * `ResponseMetadata.Error` of all services of VolcEngine.
 */
import type { Failure } from '../../../kernel/contract/failure.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import {
  type ErrorFields,
  failureOfError,
  garbled,
  upstreamFailure,
} from '../../../kernel/toolkit/errors/index.js'
import { numberAt, textAt } from '../../../kernel/toolkit/task/index.js'

const accepted = 10_000

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
  if (code === accepted) return undefined
  const fields = fieldsOf(body)
  if (code === undefined && fields.type === undefined) return garbled()
  return failureOfError(fields, code === undefined ? 502 : statusOf(code))
}

/** Codes of the content filter: of pictures, texts, clips and sounds, before and after a clip is made. */
export function isAudit(body: JsonObject): boolean {
  return /^50[45]1[1-9]$/.test(textAt(body, 'code') ?? '')
}

/** Words for what is wrong with the key, the account or its rights. */
const accountWords =
  /signature|access.?key|credential|token|denied|unauthorized|forbidden|overdue|limit/i
/** Rights of the account, whatever the status. */
const noRight = 50_400

function fieldsOf(body: JsonObject): ErrorFields {
  const code = textAt(body, 'code')
  const type = textAt(body, 'ResponseMetadata.Error.Code')
  const message = textAt(body, 'ResponseMetadata.Error.Message') ?? textAt(body, 'message')
  const isOwn = /^5052[0-2]$/.test(code ?? '')
  const isAccount = Number(code) === noRight || (type !== undefined && accountWords.test(type))
  return {
    ...(message !== undefined && { message }),
    ...(type !== undefined && { type }),
    ...(code !== undefined && { code }),
    ...(isAccount && { blame: 'channel' }),
    // The filter itself failed, which the service answers with a status of the client's faults.
    ...(isOwn && { blame: 'upstream' }),
  }
}

/** The status the service documents for a code. */
function statusOf(code: number): number {
  if (code === noRight) return 403
  if (code === 50_429 || code === 50_430) return 429
  if (code >= 50_500 && code <= 50_509) return 500
  return code >= 50_200 && code < 50_600 ? 400 : 500
}
