/**
 * How this service refuses: `{code, message, data}`. A model it does not have, and an account without balance, come
 * as statuses that also mean other things; their numbers do not.
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
  return upstreamFailure({ status, headers, head }, pick)
}

/** The model does not exist or is disabled, the balance does not suffice. */
const channelCodes: ReadonlySet<string | undefined> = new Set(['20012', '30003', '30001'])

function pick(body: JsonObject): ErrorFields | undefined {
  const fields = nestedError(body)
  return channelCodes.has(fields?.code) ? { ...fields, blame: 'channel' } : fields
}
