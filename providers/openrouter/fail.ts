/**
 * How this service refuses: `{error: {code, message, metadata}}`, with the status as code. A flagged prompt shares its
 * status with a key that may not, and a time limit of a model behind it is no mistake of the client's.
 */
import type { Failure } from '../../kernel/contract/failure.js'
import { isObject, type JsonObject } from '../../kernel/contract/json.js'
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

function pick(body: JsonObject, status: number): ErrorFields | undefined {
  const fields = nestedError(body)
  if (status === 403 && isFlagged(body)) return { ...fields, blame: 'client' }
  return status === 408 ? { ...fields, blame: 'upstream' } : fields
}

/** Moderation reports its reasons and what it flagged. */
function isFlagged({ error }: JsonObject): boolean {
  const metadata = isObject(error) ? error.metadata : undefined
  return isObject(metadata) && (Array.isArray(metadata.reasons) || 'flagged_input' in metadata)
}
