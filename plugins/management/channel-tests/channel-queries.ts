/** Queries to the upstream of a saved channel: which of its keys is used, and what becomes of the answer. */
import type { Channel, ChannelKey } from '../../../kernel/contract/line/channel.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { Channels } from '../../services/channels/index.js'
import { unfit } from './answers.js'
import type { Row } from './rows.js'
import type { QueryResult, UpstreamQueries } from './upstream-queries/index.js'

export interface ChannelQueries {
  channel(id: number): Channel
  /** Throws `invalid_field` where the provider has no list, or the channel no key. */
  models(channel: Channel): Promise<QueryResult<readonly string[]>>
  /** Undefined: the provider has no such query. Throws `invalid_field` where it is not one account that would be queried. */
  balance(
    channel: Channel,
    row: Pick<Row, 'multi_key_mode'>,
  ): Promise<QueryResult<string> | undefined>
}

export function channelQueries(
  channels: Pick<Channels, 'get'>,
  queries: UpstreamQueries,
  unserved: (type: number) => string | undefined,
): ChannelQueries {
  return {
    channel(id) {
      const channel = channels.get(id)
      if (channel === undefined) throw new Refusal('gone_missing', { what: 'channel', param: 'id' })
      return channel
    },
    async models(channel) {
      const reported = await queries.models(channel, usableKey(channel))
      if (reported === undefined) {
        const reason = unserved(channel.type)
        throw unfit(reason ?? 'Channels of this type have no list of models to ask for.')
      }
      return reported
    },
    async balance(channel, { multi_key_mode: mode }) {
      if (mode !== '' || channel.keys.length > 1) {
        throw unfit('A channel with several keys has no one balance.')
      }
      return queries.balance(channel, usableKey(channel))
    },
  }
}

/** The first that is switched on, else the first: a channel that is off can be queried all the same. */
function usableKey({ keys }: Channel): ChannelKey {
  const key = keys.find(({ enabled }) => enabled) ?? keys[0]
  if (key === undefined) throw unfit('The channel has no key to ask with.')
  return key
}

/** The key in this place of a channel with several, counted from 0. */
export function keyAt({ keys }: Channel, index: number | undefined): ChannelKey | undefined {
  if (index === undefined) return undefined
  const key = keys[index]
  if (key === undefined) throw unfit(`The channel has no key ${index}.`, 'key_index')
  return key
}
