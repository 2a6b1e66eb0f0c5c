/** Auto routes: named chains of groups that users select, and the one for those without a group (ROUTE-5, ROUTE-10). */

import type { Management, ManagementRequest } from '../../../kernel/contract/management.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { type AutoRouteRow, autoRouteRecord } from './auto-route-row.js'
import {
  type AutoRouteForm,
  autoRouteChanges,
  autoRouteKey,
  type NewAutoRoute,
  newAutoRoute,
  type Paging,
  paging,
} from './forms.js'
import { autoRoute, autoRoutePage, autoRouteRemoved } from './responses.js'
import { autoRouteStore } from './store.js'

export default function create({ services }: Kit<'database' | 'changes' | 'pricing'>): Management {
  const { pricing } = services
  const routes = autoRouteStore(services)

  async function list({ query }: ManagementRequest<Paging>) {
    const { rows, total } = await routes.page(query)
    const items = await records(rows)
    return { page: Math.max(query.p, 1), page_size: query.page_size, total, items }
  }

  async function read({ params }: ManagementRequest) {
    return record(await routes.get(params.key!))
  }

  async function createRoute({ body }: ManagementRequest<unknown, NewAutoRoute>) {
    // A group stands before a route of the same name, which could then never be reached.
    if (pricing.groups().includes(body.key)) throw fault('key', 'is the name of a group')
    checkChain(body.groups)
    return record(await routes.create(body))
  }

  async function update({ body }: ManagementRequest<unknown, AutoRouteForm>) {
    if (body.groups !== undefined) checkChain(body.groups)
    return record(await routes.update(body))
  }

  async function records(rows: readonly AutoRouteRow[]) {
    const tokens = await routes.tokensNaming(rows.map(({ key }) => key))
    return rows.map((row) => autoRouteRecord(row, tokens.get(row.key) ?? 0))
  }

  async function record(row: AutoRouteRow) {
    return (await records([row]))[0]
  }

  async function remove({ params }: ManagementRequest) {
    return { tokens: await routes.remove(params.key!) }
  }

  function checkChain(groups: readonly string[]): void {
    const real = pricing.groups()
    const unknown = groups.find((group) => !real.includes(group))
    if (unknown !== undefined) {
      throw fault('groups', `holds ${JSON.stringify(unknown)}, which is no group with a ratio`)
    }
  }

  return {
    routes: {
      list: { query: paging, response: autoRoutePage, handle: list },
      read: { params: autoRouteKey, response: autoRoute, handle: read },
      create: { body: newAutoRoute, response: autoRoute, handle: createRoute },
      update: { body: autoRouteChanges, response: autoRoute, handle: update },
      remove: { params: autoRouteKey, response: autoRouteRemoved, handle: remove },
    },
  }
}

function fault(param: string, sentence: string): Refusal {
  return new Refusal('invalid_field', { reason: `${param} ${sentence}.`, param })
}
