/**
 * Errors as clients of Jimeng read them: a code other than 10000 out of its table, and a sentence. Of a key that is not taken the
 * error is the one all services of VolcEngine share, which refuse it before they read the request.
 */
import type { ClientError, Format } from '../../../kernel/contract/format.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import { errorObject, errorWords } from '../../../kernel/toolkit/task/index.js'

export default function create(): Format {
  return errorWords('jimeng', (error) => ({
    status: error.status,
    body: { ...wordsOf(error), error: errorObject(error) },
  }))
}

/** The id of the request stands in the headers. */
function wordsOf(error: ClientError): JsonObject {
  const { status, message } = error
  if (status === 401) {
    const refused = { Code: 'InvalidCredential', Message: message }
    return { ResponseMetadata: { RequestId: '', Error: refused } }
  }
  const code = codeOf(error)
  return { code, data: null, message, request_id: '', status: code }
}

const invalidRequest = 50_200
const noRight = 50_400
const blockedPrompt = 50_412
const tooMany = 50_429
const internal = 50_500

function codeOf({ status, code }: ClientError): number {
  if (code === 'prompt_blocked') return blockedPrompt
  if (status === 403) return noRight
  if (status === 429) return tooMany
  return status < 500 ? invalidRequest : internal
}
