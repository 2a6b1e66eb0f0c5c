/** Records of channels, with what stands in other tables: their keys in numbers, and what was used of them. */
import type { Database } from '../../../kernel/contract/services/database.js'
import type { Providers } from '../../../kernel/contract/services/providers.js'
import type { ChannelRow, Channels } from '../../services/channels/index.js'
import type { UsageLog } from '../../services/usage-log/index.js'
import { channelRecord } from './channel-record.js'
import { keyFacts } from './key-facts.js'

export interface ChannelRecord extends ReturnType<typeof channelRecord> {
  /** No plugin serves the type of the channel, or the one that does has failed: it is not called. */
  readonly plugin_missing: boolean
}

export type Records = (rows: readonly ChannelRow[]) => Promise<readonly ChannelRecord[]>

export function recording(options: {
  readonly database: Database
  readonly usage: UsageLog
  readonly channels: Channels
  readonly providers: Providers
}): Records {
  const { database, usage, channels, providers } = options
  return async (rows) => {
    const several = rows.filter((row) => row.multi_key_mode !== '').map((row) => row.id)
    const [keys, used] = await Promise.all([
      keyFacts(database.knex, several),
      usage.channelUsage(rows.map((row) => row.id)),
    ])
    return rows.map((row) => ({
      ...channelRecord(row, {
        visible: channels.edits.visible(row),
        keys: keys.get(row.id),
        used: used.get(row.id),
      }),
      plugin_missing: !providers.knows(row.type),
    }))
  }
}
