/** Breakers for admins: which keys and models are left alone for now, why and until when; and their reset. */

import joi from 'joi'
import type { Management, ManagementRequest } from '../../../kernel/contract/management.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import {
  pagedQuery,
  plainText,
  readField,
  rowId,
} from '../../../kernel/toolkit/management/index.js'
import type { BreakerScope, BreakerStatus } from '../../services/health/index.js'
import { healthOf } from './health-of.js'
import { type BreakerRecord, breakerPage, breakersReset, channelHealthList } from './responses.js'

interface ListQuery {
  readonly p: number
  readonly page_size: number
  readonly channel_id?: number
}

interface HealthQuery {
  readonly ids: readonly number[]
}

interface ResetBody {
  readonly key_id?: number
  readonly model?: string
}

const listQuery = pagedQuery({ channel_id: rowId.empty('') })
/** As many as a page has rows, and more. */
const idsMax = 1_000
const healthQuery = joi
  .object({ ids: readField(idList, plainText).required() })
  .prefs({ stripUnknown: true })
const resetParams = joi.object({ id: rowId.required() })
const resetBody = joi
  .object({ key_id: rowId, model: joi.string().max(256) })
  .prefs({ stripUnknown: true })

type BreakersKit = Kit<'channels' | 'health' | 'database' | 'changes'>

export default function create({ services }: BreakersKit): Management {
  const { channels, health, database, changes } = services

  async function list({ query }: ManagementRequest<ListQuery>) {
    const { channel_id, page_size } = query
    const page = Math.max(query.p, 1)
    const all = (await health.breakersOfAll())
      .filter(({ channelId }) => channel_id === undefined || channelId === channel_id)
      .toSorted((a, b) => a.channelId - b.channelId || a.keyId - b.keyId || order(a, b))
    const items = all.slice((page - 1) * page_size, page * page_size).map(record)
    return { page, page_size, total: all.length, items }
  }

  function record({ channelId, keyId, retryAt, ...rest }: BreakerStatus): BreakerRecord {
    const { model, state, failures, outcomes, reason } = rest
    return {
      channel_id: channelId,
      channel_name: channels.get(channelId)?.name ?? '',
      key_id: keyId,
      model,
      state,
      failures,
      outcomes,
      retry_at: Math.ceil(retryAt / 1000),
      reason,
    }
  }

  /** Returns how many a process of this address had; those elsewhere are notified too. */
  async function reset({ params, body }: ManagementRequest<unknown, ResetBody>) {
    const channelId = Number(params.id)
    if (channels.get(channelId) === undefined) {
      throw new Refusal('gone_missing', { what: 'channel', param: 'id' })
    }
    const scope: BreakerScope = { channelId, keyId: body.key_id, model: body.model }
    const count = await health.resetOfAll(scope)
    await database.knex.transaction((trx) => changes.note(trx, 'breakers', JSON.stringify(scope)))
    await changes.settled()
    return { reset: count }
  }

  return {
    routes: {
      list: { query: listQuery, response: breakerPage, handle: list },
      health: {
        query: healthQuery,
        response: channelHealthList,
        handle: ({ query }: ManagementRequest<HealthQuery>) => healthOf(services, query.ids),
      },
      reset: { params: resetParams, body: resetBody, response: breakersReset, handle: reset },
    },
  }
}

/** `3,17`; each once. */
function idList(text: unknown): readonly number[] {
  if (typeof text !== 'string' || !/^\d{1,9}(?:,\d{1,9})*$/.test(text)) {
    throw new Error('must be ids with commas between them')
  }
  const ids = [...new Set(text.split(',').map(Number))]
  if (ids.length > idsMax) throw new Error(`has more than ${idsMax} ids`)
  return ids
}

function order(a: BreakerStatus, b: BreakerStatus): number {
  return a.model < b.model ? -1 : 1
}
