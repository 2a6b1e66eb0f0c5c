/** Errors as clients of Kling read them: a code other than 0 out of its table, and a sentence. */
import type { ClientError, Format } from '../../../kernel/contract/format.js'
import { errorObject, errorWords } from '../../../kernel/toolkit/task/index.js'

export default function create(): Format {
  return errorWords('kling', (error) => ({
    status: error.status,
    // The id of the request stands in the headers.
    body: {
      code: codeOf(error),
      message: error.message,
      request_id: '',
      error: errorObject(error),
    },
  }))
}

/** Refusals the service has a code of its own for. */
const ofRefusal: Readonly<Record<string, number>> = {
  missing_credential: 1001,
  prompt_blocked: 1301,
}

const ofStatus: Readonly<Record<number, number>> = {
  401: 1002,
  402: 1102,
  403: 1103,
  404: 1203,
  405: 1202,
  429: 1302,
  503: 5001,
  504: 5002,
}

const invalidRequest = 1201
const noBalance = 1102
const internal = 5000

function codeOf({ status, code, type }: ClientError): number {
  const own = Object.hasOwn(ofRefusal, code) ? ofRefusal[code] : undefined
  if (own !== undefined) return own
  if (status === 403 && type === 'billing_error') return noBalance
  return ofStatus[status] ?? (status < 500 ? invalidRequest : internal)
}
