/** Entries about models: descriptions, vendors, what they can be called for; for admins (management/README.md sections 7 and 8). */

import type { Management, ManagementRequest } from '../../../kernel/contract/management.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { noData } from '../../../kernel/toolkit/management/index.js'
import {
  type ModelChanges,
  type ModelSearch,
  modelChanges,
  modelId,
  modelSearch,
  type NewModel,
  newModel,
  type UpdateQuery,
  updateQuery,
} from './forms.js'
import { matchedBy } from './matched.js'
import { type ModelRow, modelRecord } from './model-row.js'
import { missingModels, modelEntry, modelPage } from './responses.js'
import { modelStore } from './store.js'

export default function create({
  services,
}: Kit<'database' | 'changes' | 'pricing' | 'model-registry'>): Management {
  const registry = services['model-registry']
  const models = modelStore(services)

  async function list({ query }: ManagementRequest<ModelSearch>) {
    const { rows, total, vendorCounts } = await models.page(query)
    return {
      page: Math.max(query.p, 1),
      page_size: query.page_size,
      total,
      vendor_counts: vendorCounts,
      items: await records(rows),
    }
  }

  async function read({ params }: ManagementRequest) {
    return record(await models.get(Number(params.id)))
  }

  async function createModel({ body }: ManagementRequest<unknown, NewModel>) {
    return record(await models.create(body))
  }

  async function update({ query, body }: ManagementRequest<UpdateQuery, ModelChanges>) {
    const changes = query.status_only ? statusOf(body) : body
    return record(await models.update(changes))
  }

  async function remove({ params }: ManagementRequest) {
    await models.remove(Number(params.id))
    return null
  }

  async function records(rows: readonly ModelRow[]) {
    const vendors = await models.vendorNames(rows)
    const matched = matchedBy(registry, services.pricing.current())
    return rows.map((row) =>
      modelRecord(row, matched(row.id), vendors.get(row.vendor_id ?? 0) ?? ''),
    )
  }

  async function record(row: ModelRow) {
    return (await records([row]))[0]
  }

  function missing(): readonly string[] {
    const names = [...registry.served().keys()]
    return names.filter((name) => registry.describe(name).entry === undefined)
  }

  return {
    routes: {
      list: { query: modelSearch, response: modelPage, handle: list },
      search: { query: modelSearch, response: modelPage, handle: list },
      missing: { response: missingModels, handle: missing },
      read: { params: modelId, response: modelEntry, handle: read },
      create: { body: newModel, response: modelEntry, handle: createModel },
      update: {
        query: updateQuery,
        body: modelChanges,
        response: modelEntry,
        handle: update,
      },
      remove: { params: modelId, response: noData, handle: remove },
    },
  }
}

function statusOf({ id, status }: ModelChanges): ModelChanges {
  if (status !== undefined) return { id, status }
  throw new Refusal('invalid_field', { reason: 'status is required.', param: 'status' })
}
