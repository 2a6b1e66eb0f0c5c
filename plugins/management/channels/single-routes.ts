/** Routes of single channels and of their lists. */
import type {
  Answer,
  ManagementRequest,
  ManagementRoute,
} from '../../../kernel/contract/management.js'
import type { Catalog } from '../../../kernel/contract/services/catalog.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import { channelTypeField, noData } from '../../../kernel/toolkit/management/index.js'
import type { ChannelRow, Channels, CopyOptions, Creation } from '../../services/channels/index.js'
import type { Health } from '../../services/health/index.js'
import type { Pricing } from '../../services/pricing/index.js'
import type { UsageLog } from '../../services/usage-log/index.js'
import type { Verification } from '../../services/verification/index.js'
import { copyQuery, type StatusForm, statusForm } from './bulk-forms.js'
import { adminName } from './caller.js'
import { channelRecord } from './channel-record.js'
import { destinationText } from './destination-text.js'
import { withCostTerms } from './fields/cost-terms.js'
import { channelChanges, channelId, creation, type SeenChanges } from './forms.js'
import { channelPage } from './page.js'
import type { ChannelRecord, Records } from './records.js'
import { redirectRight } from './redirect-right.js'
import { noSuchChannel } from './refusals.js'
import * as responses from './responses.js'
import { type ChannelSearch, channelSearch } from './search-form.js'
import { secretWrites } from './secret-writes.js'
import { unchangedSince } from './unchanged-since.js'

interface SingleServices {
  readonly database: Database
  readonly channels: Channels
  readonly catalog: Pick<Catalog, 'channelTypes'>
  readonly verification: Verification
  readonly health: Health
  readonly pricing: Pick<Pricing, 'costTerms'>
  readonly 'usage-log': UsageLog
}

export function singleRoutes(
  {
    database,
    channels,
    catalog,
    verification,
    health,
    pricing,
    'usage-log': usage,
  }: SingleServices,
  records: Records,
): Readonly<Record<string, ManagementRoute>> {
  const { edits } = channels
  const { knex } = database

  async function list({ query }: ManagementRequest<ChannelSearch>) {
    const found = await channelPage({ knex, channels, health, usage }, query)
    return {
      page: Math.max(query.p, 1),
      page_size: query.page_size,
      total: found.total,
      type_counts: found.typeCounts,
      tag_counts: found.tagCounts,
      items: await records(found.rows),
    }
  }

  async function record(id: number): Promise<ChannelRecord | undefined> {
    const row = await knex('channels').where({ id }).first<ChannelRow | undefined>()
    return (await records([row ?? noSuchChannel()]))[0]
  }

  async function create(request: ManagementRequest<unknown, Creation>): Promise<Answer> {
    const channel = withCostTerms(request.body.channel, pricing)
    const ids = await edits.create({ ...request.body, channel }, adminName(request))
    const [first] = ids
    const alone = request.body.mode !== 'batch' && first !== undefined
    return { answer: true, data: alone ? await record(first) : null, beside: { ids } }
  }

  async function update(request: ManagementRequest<unknown, SeenChanges>): Promise<Answer> {
    const { seen = {}, ...changes } = withCostTerms(request.body, pricing)
    const elsewhere = await edits.update(changes, adminName(request), {
      unchanged: (row) => unchangedSince(seen, channelRecord(row, { visible: edits.visible(row) })),
      mayRedirect: redirectRight(verification, request),
    })
    const data = await record(changes.id)
    const fields = `fields: ${Object.keys(changes)
      .filter((name) => name !== 'id')
      .join(', ')}`
    if (elsewhere === undefined) return { answer: true, data, audit: { detail: fields } }
    const [before, after] = [elsewhere.before, elsewhere.after].map(destinationText)
    const detail = `calls go to ${after}; before to ${before}; ${fields}`
    return { answer: true, data, audit: { detail, before, after } }
  }

  async function setStatus(request: ManagementRequest<unknown, StatusForm>) {
    const which = { ids: [idOf(request)] }
    some(await edits.setStatus(which, request.body.status, adminName(request)))
    return true
  }

  async function remove(request: ManagementRequest) {
    some(await edits.remove({ ids: [idOf(request)] }))
    return null
  }

  async function copy(request: ManagementRequest<CopyOptions>) {
    return { id: await edits.copy(idOf(request), request.query) }
  }

  const type = channelTypeField(catalog)
  return {
    list: {
      query: channelSearch(type),
      response: responses.channelPage,
      searches: true,
      handle: list,
    },
    search: {
      query: channelSearch(type),
      response: responses.channelPage,
      searches: true,
      handle: list,
    },
    read: {
      params: channelId,
      response: responses.channel,
      handle: (request) => record(idOf(request)),
    },
    create: {
      body: creation(type),
      response: responses.createdChannel,
      beside: responses.besideCreated,
      handle: create,
    },
    update: {
      body: channelChanges(type),
      response: responses.channel,
      writesSecrets: secretWrites(() => catalog.channelTypes().flatMap(({ fields }) => fields)),
      handle: update,
    },
    setStatus: {
      params: channelId,
      body: statusForm,
      response: responses.switched,
      handle: setStatus,
    },
    remove: { params: channelId, response: noData, handle: remove },
    copy: { params: channelId, query: copyQuery, response: responses.copied, handle: copy },
  }
}

function idOf({ params }: ManagementRequest): number {
  return Number(params.id)
}

function some(channels: number): void {
  if (channels === 0) noSuchChannel()
}
