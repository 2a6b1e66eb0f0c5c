/** Routes of single channels and of their lists. */
import type {
  Answer,
  ManagementRequest,
  ManagementRoute,
} from '../../../kernel/contract/management.js'
import type { Catalog } from '../../../kernel/contract/services/catalog.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import { channelTypeField, noData } from '../../../kernel/toolkit/management/index.js'
import type { Channels } from '../../services/channels/index.js'
import type { Verification } from '../../services/verification/index.js'
import { type CopyQuery, copyQuery, type StatusForm, statusForm } from './bulk-forms.js'
import { adminName } from './caller.js'
import { type ChannelChanges, type Creation, channelChanges, channelId, creation } from './forms.js'
import type { ChannelRecord } from './records.js'
import { redirectRight } from './redirect-right.js'
import * as responses from './responses.js'
import { type ChannelSearch, channelSearch } from './search-form.js'
import { secretWrites } from './secret-writes.js'
import { withId } from './store/bulk.js'
import type { ChannelStore } from './store/channel-store.js'
import { destinationText } from './store/destination.js'
import { channelPage } from './store/page.js'
import { missing } from './store/writing.js'

interface SingleServices {
  readonly database: Database
  readonly channels: Channels
  readonly catalog: Pick<Catalog, 'channelTypes'>
  readonly verification: Verification
}

export function singleRoutes(
  { database, channels, catalog, verification }: SingleServices,
  store: ChannelStore,
): Readonly<Record<string, ManagementRoute>> {
  async function list({ query }: ManagementRequest<ChannelSearch>) {
    const found = await channelPage({ knex: database.knex, channels }, query)
    return {
      page: Math.max(query.p, 1),
      page_size: query.page_size,
      total: found.total,
      type_counts: found.typeCounts,
      tag_counts: found.tagCounts,
      items: await store.records(found.rows),
    }
  }

  async function record(id: number): Promise<ChannelRecord | undefined> {
    return (await store.records([await store.get(id)]))[0]
  }

  async function create(request: ManagementRequest<unknown, Creation>): Promise<Answer> {
    const ids = await store.create(request.body, store.terms(adminName(request)))
    const [first] = ids
    const alone = request.body.mode !== 'batch' && first !== undefined
    return { answer: true, data: alone ? await record(first) : null, beside: { ids } }
  }

  async function update(request: ManagementRequest<unknown, ChannelChanges>): Promise<Answer> {
    const right = redirectRight(verification, request)
    const elsewhere = await store.update(request.body, store.terms(adminName(request)), right)
    const data = await record(request.body.id)
    if (elsewhere === undefined) return { answer: true, data }
    const [before, after] = [elsewhere.before, elsewhere.after].map(destinationText)
    const detail = `calls go to ${after}; before to ${before}`
    return { answer: true, data, audit: { detail, before, after } }
  }

  async function setStatus(request: ManagementRequest<unknown, StatusForm>) {
    const which = withId(idOf(request))
    const dependencies = store.terms(adminName(request))
    some(await store.setStatus(which, request.body.status, dependencies))
    return true
  }

  async function remove(request: ManagementRequest) {
    some(await store.remove(withId(idOf(request))))
    return null
  }

  async function copy(request: ManagementRequest<CopyQuery>) {
    return { id: await store.copy(idOf(request), request.query) }
  }

  const type = channelTypeField(catalog)
  return {
    list: { query: channelSearch(type), response: responses.channelPage, handle: list },
    search: { query: channelSearch(type), response: responses.channelPage, handle: list },
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
  if (channels === 0) missing()
}
