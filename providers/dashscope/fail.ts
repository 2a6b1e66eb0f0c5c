/**
 * How this service refuses: `{error: {code, message, type}}` in compatible mode, `{code, message}` in its own. An account
 * in arrears is answered as 400, like a mistake of the client's.
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

/** Codes of both spellings that know better than their status whose fault it is. */
const blames: Readonly<Record<string, Failure['blame']>> = {
  Arrearage: 'channel',
  InvalidApiKey: 'channel',
  invalid_api_key: 'channel',
  ModelNotFound: 'channel',
  model_not_found: 'channel',
  DataInspectionFailed: 'client',
  data_inspection_failed: 'client',
}

export function pick(body: JsonObject): ErrorFields | undefined {
  const fields = nestedError(body)
  const word = [fields?.code, fields?.type].find(
    (one) => one !== undefined && Object.hasOwn(blames, one),
  )
  return word === undefined ? fields : { ...fields, blame: blames[word] }
}
