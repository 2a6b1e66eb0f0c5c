/** How a channel stands, in one word with its reason: switched off, left alone for now, or well. */
import type { ChannelHealth } from '../../../api/breakers.js'
import type { Channel } from '../../../api/channels.js'
import { documentOf } from '../form/document.js'

export interface ChannelState {
  readonly tone: 'good' | 'warn' | 'bad' | 'quiet'
  /** Key of its text below `channels.health`. */
  readonly word:
    | 'on'
    | 'off'
    | 'offByGateway'
    | 'open'
    | 'trying'
    | 'parked'
    | 'reading'
    | 'untested'
    | 'unused'
    | 'wasWell'
    | 'hadFailed'
  readonly reason: string
  /** Unix seconds; 0: unknown. */
  readonly since: number
  /** Keys that are switched off, of a channel with several. */
  readonly keysOff: number
}

export function stateOf(channel: Channel, health?: ChannelHealth): ChannelState {
  const { status, channel_info } = channel
  const keysOff = Object.keys(channel_info.multi_key_status_list).length
  const { status_reason, status_time } = documentOf(channel.other_info)
  const why = { reason: String(status_reason ?? ''), since: Number(status_time ?? 0), keysOff }
  if (status === 3) return { tone: 'bad', word: 'offByGateway', ...why }
  if (status !== 1) return { tone: 'quiet', word: 'off', ...why }
  const now = restingState(health)
  if (now !== undefined) return { ...now, keysOff, since: 0 }
  return { ...knownState(channel, health), keysOff, since: health?.last_known?.at ?? 0 }
}

function restingState(health: ChannelHealth | undefined) {
  const { open = 0, half_open = 0, parked = 0, reason = '' } = health ?? {}
  if (open > 0) return { tone: 'bad', word: 'open', reason } as const
  if (parked > 0) return { tone: 'warn', word: 'parked', reason } as const
  if (half_open > 0) return { tone: 'warn', word: 'trying', reason } as const
  return undefined
}

/** Of a channel that has neither succeeded nor failed since the gateway started, what was known before is shown as that. */
function knownState({ test_time, used_quota }: Channel, health: ChannelHealth | undefined) {
  if (health === undefined) return { tone: 'quiet', word: 'reading', reason: '' } as const
  if (health.latencies.length > 0) return { tone: 'good', word: 'on', reason: '' } as const
  const { last_known } = health
  if (last_known?.well) return { tone: 'good', word: 'wasWell', reason: '' } as const
  if (last_known) return { tone: 'warn', word: 'hadFailed', reason: last_known.reason } as const
  const isNew = test_time === 0 && Number(used_quota) === 0
  return { tone: 'quiet', word: isNew ? 'untested' : 'unused', reason: '' } as const
}
