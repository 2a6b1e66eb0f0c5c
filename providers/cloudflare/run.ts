/** The native endpoint, `/ai/run/<model>`: inputs of each model's own, and `{success, result, errors}` around most answers. */
import type { Failure } from '../../kernel/contract/failure.js'
import type { JsonObject } from '../../kernel/contract/json.js'
import type { WholeAnswer } from '../../kernel/contract/operation.js'
import type { AdapterBase } from '../../kernel/contract/provider.js'
import { failureOfError } from '../../kernel/toolkit/errors/index.js'
import { objectOf, replyObject } from '../../kernel/toolkit/json/index.js'
import { bearerRequest } from '../../kernel/toolkit/provider/index.js'
import { runUrl } from './address.js'
import { errorOf, fail } from './fail.js'

export const run: AdapterBase = {
  address: (_wire, channel, credentials, context) =>
    bearerRequest(runUrl(channel, context.model), credentials, { ...context, stream: false }),
  fail,
}

export function resultOf({ body }: WholeAnswer): JsonObject | undefined {
  return objectOf(replyObject(body)?.result)
}

/** Why a 200 has no result that can be used. */
export function failureOf({ body }: WholeAnswer): Failure {
  return failureOfError(errorOf(replyObject(body) ?? {}) ?? {}, 502)
}
