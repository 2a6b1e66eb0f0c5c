/** How this server refuses: `{detail}`. A model that is not running is a 400, though no client can start it. */
import type { JsonObject } from '../../kernel/contract/json.js'
import type { Adapter } from '../../kernel/contract/provider.js'
import {
  type ErrorFields,
  nestedError,
  upstreamFailure,
} from '../../kernel/toolkit/errors/index.js'

export const fail: Adapter['fail'] = (status, headers, head) =>
  upstreamFailure({ status, headers, head }, pick)

const notRunning = /model not found in the model list|model is not launched/i

function pick(body: JsonObject): ErrorFields | undefined {
  const fields = nestedError(body)
  return notRunning.test(fields?.message ?? '') ? { ...fields, blame: 'channel' } : fields
}
