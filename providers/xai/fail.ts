/**
 * How this service refuses: `{code, error}` with sentences in both, or nested as others do. A bad key is answered as 400;
 * content against its rules as 403, like an account without credit.
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
  return upstreamFailure({ status, headers, head }, (body) => pick(body, status))
}

const badKey = /(?:incorrect|invalid) api key|no api key/i
const againstRules = /usage guidelines|safety_check/i

function pick(body: JsonObject, status: number): ErrorFields | undefined {
  const fields = nestedError(body)
  const message = fields?.message ?? ''
  if (status === 400 && badKey.test(message)) return { ...fields, blame: 'channel' }
  return status === 403 && againstRules.test(message) ? { ...fields, blame: 'client' } : fields
}
