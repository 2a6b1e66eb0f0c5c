/** Channels: where calls go, for admins. Paths and fields of the family (family.md 2.6); keys go in and never out. */
import type { Kit } from '../../../kernel/contract/kit.js'
import type { Management, ManagementRequest } from '../../../kernel/contract/management.js'
import { type ChannelRow, channelRecord } from './channel-row.js'
import {
  type ChannelChanges,
  type ChannelSearch,
  channelChanges,
  channelId,
  channelSearch,
  creation,
  type NewChannel,
} from './forms.js'
import { channelStore } from './store.js'

export default function create({
  services,
}: Kit<'database' | 'changes' | 'providers' | 'catalog' | 'secrets'>): Management {
  const channels = channelStore(services)

  async function list({ query }: ManagementRequest<ChannelSearch>) {
    const { rows, total, typeCounts } = await channels.page(query)
    return {
      page: Math.max(query.p, 1),
      page_size: query.page_size,
      total,
      type_counts: typeCounts,
      items: rows.map(record),
    }
  }

  async function read(request: ManagementRequest) {
    return record(await channels.get(Number(request.params.id)))
  }

  async function createChannel(request: ManagementRequest<unknown, NewChannel>) {
    return record(await channels.create(request.body))
  }

  async function update(request: ManagementRequest<unknown, ChannelChanges>) {
    return record(await channels.update(request.body))
  }

  async function remove(request: ManagementRequest) {
    await channels.remove(Number(request.params.id))
    return null
  }

  function record(row: ChannelRow) {
    return channelRecord(row, channels.fields(row.type))
  }

  return {
    routes: {
      list: { query: channelSearch, handle: list },
      search: { query: channelSearch, handle: list },
      read: { params: channelId, handle: read },
      create: { body: creation, handle: createChannel },
      update: { body: channelChanges, handle: update },
      remove: { params: channelId, handle: remove },
    },
  }
}
