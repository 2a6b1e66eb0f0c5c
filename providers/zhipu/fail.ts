/**
 * How this service refuses: `{error: {code, message}}` with numbers of its own. An empty account and the service's own
 * load share the status 429, and a model it does not have is a 400; the number distinguishes them.
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

const blames: Readonly<Record<string, Failure['blame']>> = {
  // The account: not active, unknown, locked, in arrears, not to be read, banned.
  1110: 'channel',
  1111: 'channel',
  1112: 'channel',
  1113: 'channel',
  1120: 'channel',
  1121: 'channel',
  // The model or the method is not there, or not for this account.
  1211: 'channel',
  1220: 'channel',
  1221: 'channel',
  1222: 'channel',
  // Pace, daily limit, limits and end of a plan.
  1302: 'channel',
  1303: 'channel',
  1304: 'channel',
  1308: 'channel',
  1309: 'channel',
  1310: 'channel',
  1311: 'channel',
  1313: 'channel',
  // The service: its flow, its network, its load.
  1230: 'upstream',
  1234: 'upstream',
  1305: 'upstream',
  1312: 'upstream',
  // Sensitive content.
  1301: 'client',
}

function pick(body: JsonObject): ErrorFields | undefined {
  const fields = nestedError(body)
  const blame = fields?.code === undefined ? undefined : blames[fields.code]
  return blame === undefined ? fields : { ...fields, blame }
}
