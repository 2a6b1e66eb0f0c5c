/** How this service refuses: `{code, message, request_id}`. An account in arrears gets a 400, like a mistake of the client's. */
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

/** Codes that know better than their status whose fault it is. */
const blames: Readonly<Record<string, Failure['blame']>> = {
  Arrearage: 'channel',
  InvalidApiKey: 'channel',
  ModelNotFound: 'channel',
  'AllocationQuota.FreeTierOnly': 'channel',
  DataInspectionFailed: 'client',
}

export function fieldsOf(body: JsonObject): ErrorFields | undefined {
  const fields = nestedError(body)
  const code = fields?.code
  return code !== undefined && Object.hasOwn(blames, code)
    ? { ...fields, blame: blames[code] }
    : fields
}
