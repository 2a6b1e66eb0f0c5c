/** How this service refuses: `{code, reason, message, metadata}`, the code being the status. */
import type { Failure } from '../../../kernel/contract/failure.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import {
  type ErrorFields,
  failureOfError,
  garbled,
  statusIn,
  upstreamFailure,
} from '../../../kernel/toolkit/errors/index.js'
import { textAt } from '../../../kernel/toolkit/task/index.js'

export function fail(
  status: number,
  headers: Readonly<Record<string, string>>,
  head: Buffer,
): Failure {
  return upstreamFailure({ status, headers, head }, fieldsOf)
}

/** A refusal in place of a task. */
export function failureIn(body: JsonObject): Failure {
  const fields = fieldsOf(body)
  return fields.message === undefined && fields.type === undefined
    ? garbled()
    : failureOfError(fields, statusIn(body, fields))
}

/** Reasons that are about the account, whatever their status. */
const accountReasons = /credit|quota|throttl|unauthorized|forbidden/i

function fieldsOf(body: JsonObject): ErrorFields {
  const type = textAt(body, 'reason')
  const message = textAt(body, 'message')
  return {
    ...(message !== undefined && { message }),
    ...(type !== undefined && { type }),
    ...(type !== undefined && accountReasons.test(type) && { blame: 'channel' }),
  }
}
