/** The channels that were tried, as rows of the usage log keep them. */

import type { Json } from '../../contract/json.js'
import type { AttemptTrace } from '../../contract/line/attempt.js'

export function attemptChain(attempts: readonly AttemptTrace[]): readonly Json[] {
  return attempts.map(({ channelId, group, failure }) => ({
    channel: channelId,
    group,
    status: failure.status,
    code: failure.code,
  }))
}
