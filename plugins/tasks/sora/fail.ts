/** How this service refuses: `{error: {message, type, param, code}}`. A spent budget is a 400 at times. */
import type { Failure } from '../../../kernel/contract/failure.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import {
  type ErrorFields,
  nestedError,
  upstreamFailure,
} from '../../../kernel/toolkit/errors/index.js'

export function fail(
  status: number,
  headers: Readonly<Record<string, string>>,
  head: Buffer,
): Failure {
  return upstreamFailure({ status, headers, head }, fieldsOf)
}

/** Codes and types that are about the operator's account, whatever their status. */
const accountTrouble: ReadonlySet<string> = new Set([
  'account_deactivated',
  'billing_hard_limit_reached',
  'billing_not_active',
  'insufficient_quota',
  'invalid_api_key',
])

export function fieldsOf(body: JsonObject): ErrorFields | undefined {
  const fields = nestedError(body)
  const words = [fields?.code, fields?.type]
  const isAccount = words.some((word) => word !== undefined && accountTrouble.has(word))
  return isAccount ? { ...fields, blame: 'channel' } : fields
}
