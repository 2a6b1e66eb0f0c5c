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
import { missingModels, modelEntry, modelPage, unknownModels } from './responses.js'
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
    return rows.map((row) => {
      const bound = matched(row.id)
      // A rule for many names stands for the first of them.
      const name = row.name_rule === 0 ? row.model_name : bound.models[0]
      const known = name === undefined ? undefined : registry.known(name)
      return modelRecord(row, bound, { vendorName: vendors.get(row.vendor_id ?? 0) ?? '', known })
    })
  }

  async function record(row: ModelRow) {
    return (await records([row]))[0]
  }

  /** What channels serve and the table of known models does not know. */
  function unknown(): readonly string[] {
    return [...registry.served().keys()].filter((name) => registry.known(name) === undefined)
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
      unknown: { response: unknownModels, handle: unknown },
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
