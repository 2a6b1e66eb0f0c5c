/** Fields that the upstream of a channel refused, for admins: seen, and forgotten once they were. */

import joi from 'joi'
import type { Management, ManagementRequest } from '../../../kernel/contract/management.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { rowId } from '../../../kernel/toolkit/management/index.js'
import type { RefusedField } from '../../services/refusals/index.js'
import { type RefusedFieldRecord, refusalsCleared, refusedFieldList } from './responses.js'

const channelId = joi.object({ id: rowId.required() })

export default function create({ services }: Kit<'channels' | 'refusals'>): Management {
  const { channels, refusals } = services

  function channelOf({ params }: ManagementRequest): number {
    const id = Number(params.id)
    if (channels.get(id) === undefined) {
      throw new Refusal('gone_missing', { what: 'channel', param: 'id' })
    }
    return id
  }

  return {
    routes: {
      list: {
        params: channelId,
        response: refusedFieldList,
        handle: async (request) => (await refusals.of(channelOf(request))).map(record),
      },
      clear: {
        params: channelId,
        response: refusalsCleared,
        handle: async (request) => ({ cleared: await refusals.clear(channelOf(request)) }),
      },
    },
  }
}

function record({ firstSeen, lastSeen, ...rest }: RefusedField): RefusedFieldRecord {
  return { ...rest, first_seen: Math.floor(firstSeen), last_seen: Math.floor(lastSeen) }
}
