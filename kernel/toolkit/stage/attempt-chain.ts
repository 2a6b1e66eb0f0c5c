/** The channels that were tried, as rows of the usage log keep them. */

import type { Json } from '../../contract/json.js'
import type { AttemptTrace } from '../../contract/line/attempt.js'
import { operatorMessage } from '../errors/masked-failure.js'

/** Of what an upstream said. */
const charactersMax = 500

export function attemptChain(attempts: readonly AttemptTrace[]): readonly Json[] {
  return attempts.map(({ channelId, keyId, group, failure }) => {
    const { status, code, upstreamRequestId } = failure
    const said = operatorMessage(failure).slice(0, charactersMax)
    const line = { channel: channelId, key: keyId, group, status, code, said }
    return upstreamRequestId === undefined ? line : { ...line, upstream_id: upstreamRequestId }
  })
}
