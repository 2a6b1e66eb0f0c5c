/**
 * How this service refuses: `{error: {message, type}}` at the endpoints of other makers' forms, `{error: "…"}`
 * elsewhere. Mostly the status shows whose fault it is; a model the server cannot load is nobody's request.
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

/** Words of a 400 that is about the server: a model it has not pulled or has no memory for (seen 2025-2026). */
const serverTrouble = /try pulling it first|requires more system memory/i

function pick(body: JsonObject): ErrorFields | undefined {
  const fields = nestedError(body)
  return serverTrouble.test(fields?.message ?? '') ? { ...fields, blame: 'channel' } : fields
}
