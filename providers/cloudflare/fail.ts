/**
 * How this service refuses: `{success: false, errors: [{code, message}]}`. Some of its 400s are about the account,
 * the token or a model it does not have, which no client can do anything about.
 */
import type { JsonObject } from '../../kernel/contract/json.js'
import type { Adapter } from '../../kernel/contract/provider.js'
import {
  type ErrorFields,
  nestedError,
  upstreamFailure,
} from '../../kernel/toolkit/errors/index.js'

export const fail: Adapter['fail'] = (status, headers, head) =>
  upstreamFailure({ status, headers, head }, errorOf)

/** No such model; no route to this account; a token that is none. */
const channelCodes: ReadonlySet<string | undefined> = new Set(['5007', '7000', '7003', '6003'])

export function errorOf(body: JsonObject): ErrorFields | undefined {
  const fields = nestedError(body)
  return channelCodes.has(fields?.code) ? { ...fields, blame: 'channel' } : fields
}
