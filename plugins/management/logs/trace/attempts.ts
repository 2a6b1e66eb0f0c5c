/** Every try of a request with its channel and key, those that failed and the one that was answered. */
import { requestMoments, tryMoments } from '../../../../kernel/toolkit/stage/index.js'
import type { Channels } from '../../../services/channels/index.js'
import type { RequestTrace } from '../../../services/usage-log/index.js'

export interface Attempt {
  readonly attempt: number
  readonly channel: number
  readonly channel_name: string
  readonly group: string
  /** Place of the key among those of its channel, from 1; 0: unknown. */
  readonly key_index: number
  readonly key_tail: string
  /** 0: none came. */
  readonly status: number
  readonly code: string
  readonly said: string
  readonly upstream_request_id: string
  readonly from: number
  readonly to: number
}

const errorType = 5

export function attemptsOf(trace: RequestTrace, channels: Channels): readonly Attempt[] {
  const { row, tried, channelId, upstreamRequestId = '' } = trace
  const failed = tried.map((one, at) => {
    const key = keyOf(channels, one.channel, one.keyId)
    const { channelName: channel_name, keyId: _, upstreamRequestId: id = '', ...facts } = one
    return {
      attempt: at + 1,
      channel_name,
      ...facts,
      ...key,
      ...spanOf(trace, at),
      upstream_request_id: id,
    }
  })
  const isAnswered = row.type !== errorType && channelId !== undefined && trace.times.length > 0
  if (!isAnswered) return failed
  const { channel_name, group } = row
  const at = tried.length
  return [
    ...failed,
    {
      ...{
        attempt: at + 1,
        channel: channelId,
        channel_name,
        group,
        status: 200,
        code: '',
        said: '',
      },
      ...keyOf(channels, channelId, trace.keyId),
      ...spanOf(trace, at),
      upstream_request_id: upstreamRequestId,
    },
  ]
}

const tailCharacters = 4
/** Of a shorter key the end is not shown. */
const tailFrom = 24

/** As the channel is now: a key that was deleted has no place any more. */
function keyOf(channels: Channels, channelId: number, keyId: number | undefined) {
  const keys = channels.get(channelId)?.keys ?? []
  const at = keyId === undefined && keys.length === 1 ? 0 : keys.findIndex(({ id }) => id === keyId)
  const text = keys[at]?.text ?? ''
  return { key_index: at + 1, key_tail: text.length < tailFrom ? '' : text.slice(-tailCharacters) }
}

function spanOf({ times, durationMs, row }: RequestTrace, at: number) {
  const first = requestMoments.length + at * tryMoments.length
  const [from = -1, ended = -1] = [times[first], times[first + tryMoments.length - 1]]
  // A reply that broke off has no end of its own.
  const to = ended >= 0 || row.type !== errorType ? ended : durationMs
  return { from: Math.max(0, from), to: Math.max(0, from, to) }
}
