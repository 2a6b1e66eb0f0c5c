/** What the tries of a request met that counts here: fields their upstreams refused, each with the channel and the model it was sent to. */

import type { Failure } from '../../../kernel/contract/failure.js'
import type { Channel } from '../../../kernel/contract/line/channel.js'
import type { Settling } from '../../../kernel/contract/line/delivery.js'
import { maskedFailure, safeText } from '../../../kernel/toolkit/errors/index.js'
import { persistentText } from '../../../kernel/toolkit/service/index.js'
import { mappedModel } from '../../../kernel/toolkit/stage/index.js'
import { refusedFields, upstreamWords } from './refused-fields.js'
import type { Refusal } from './tally.js'

const messageCharsMax = 300
const modelCharsMax = 256

/** Most requests have no failed try. `channelOf` knows a channel as it is now; of one that is gone nothing counts. */
export function refusalsOf(
  settling: Settling,
  channelOf: (id: number) => Channel | undefined,
): readonly Refusal[] {
  const { model } = settling.state
  const refusals = settling.attempts.flatMap(({ channelId, keyId, failure }) =>
    refusalsIn(failure, { channel: channelOf(channelId), keyId, model }),
  )
  if (settling.kind === 'abandoned' || settling.delivery.failure === undefined) return refusals
  return [...refusals, ...refusalsIn(settling.delivery.failure, settling.state)]
}

interface Sent {
  readonly channel: Channel | undefined
  readonly keyId: number
  /** Under the name clients use. */
  readonly model: string
}

function refusalsIn(failure: Failure, { channel, keyId, model }: Sent): readonly Refusal[] {
  if (channel === undefined) return []
  const { text = '' } = channel.keys.find(({ id }) => id === keyId) ?? {}
  const masked = maskedFailure(failure, text)
  const upstreamModel = mappedModel(channel.modelMapping, model) ?? model
  return refusedFields(masked).map((field) => ({
    channelId: channel.id,
    model: persistentText(upstreamModel.slice(0, modelCharsMax)),
    field,
    status: failure.status,
    // One character is for the mark of what was cut.
    message: persistentText(safeText(upstreamWords(masked), messageCharsMax - 1)),
  }))
}
