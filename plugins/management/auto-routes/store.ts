/**
 * Reading and changing auto routes. A write locks all of them, for they are few: that is what keeps exactly one of them
 * the default whoever else is writing.
 */
import type { Knex } from 'knex'
import { type PartialModelObject, raw } from 'objection'
import type { Changes } from '../../../kernel/contract/services/changes.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { AutoRouteRow } from './auto-route-row.js'
import type { AutoRouteForm, NewAutoRoute, Paging } from './forms.js'

export interface AutoRouteStore {
  page(paging: Paging): Promise<{ readonly rows: AutoRouteRow[]; readonly total: number }>
  get(key: string): Promise<AutoRouteRow>
  create(form: NewAutoRoute): Promise<AutoRouteRow>
  update(form: AutoRouteForm): Promise<AutoRouteRow>
  /** Answers how many API keys name the route. */
  remove(key: string): Promise<number>
  /** By key of the route, how many API keys name it; routes nobody names are left out. */
  tokensNaming(keys: readonly string[]): Promise<ReadonlyMap<string, number>>
}

type Rows = readonly AutoRouteRow[]

const topic = 'auto_routes'
const routesMax = 200

interface StoreDependencies {
  readonly database: Database
  readonly changes: Changes
}

export function autoRouteStore(dependencies: StoreDependencies): AutoRouteStore {
  const { knex } = dependencies.database
  return {
    page: (paging) => pageOf(paging, knex),
    get: (key) => routeOf(key, knex),
    create: (form) => createRoute(form, dependencies),
    update: (form) => updateRoute(form, dependencies),
    remove: (key) => removeRoute(key, dependencies),
    tokensNaming: (keys) => tokensNaming(keys, knex),
  }
}

async function pageOf({ p, page_size }: Paging, knex: Knex) {
  const { results, total } = await AutoRouteRow.query(knex)
    .orderBy(['sort_order', 'key'])
    .page(Math.max(p, 1) - 1, page_size)
  return { rows: results, total }
}

async function routeOf(key: string, from: Knex): Promise<AutoRouteRow> {
  return (await AutoRouteRow.query(from).findById(key)) ?? missing()
}

function createRoute(form: NewAutoRoute, dependencies: StoreDependencies): Promise<AutoRouteRow> {
  const { changes } = dependencies
  return write(dependencies, async (trx, before) => {
    if (before.some(({ key }) => key === form.key)) throw taken()
    if (before.length >= routesMax) throw full()
    checkDefault(form, undefined)
    await makeWay(form, before, trx, changes)
    const route = { display_name: form.key, ...columnsOf(form), key: form.key }
    await AutoRouteRow.query(trx).insert(route).catch(keyTaken)
    return noted(form.key, trx, changes)
  })
}

function updateRoute(form: AutoRouteForm, dependencies: StoreDependencies): Promise<AutoRouteRow> {
  const { changes } = dependencies
  return write(dependencies, async (trx, before) => {
    const { key } = form
    checkDefault(form, before.find((route) => route.key === key) ?? missing())
    await makeWay(form, before, trx, changes)
    const patch = { ...columnsOf(form), updated_at: raw('now()') }
    await AutoRouteRow.query(trx).findById(key).patch(patch)
    return noted(key, trx, changes)
  })
}

function removeRoute(key: string, dependencies: StoreDependencies): Promise<number> {
  const { changes } = dependencies
  return write(dependencies, async (trx, before) => {
    const route = before.find((row) => row.key === key) ?? missing()
    if (route.is_default) throw keptDefault('key', 'be deleted')
    await AutoRouteRow.query(trx).deleteById(key)
    await changes.note(trx, topic, key)
    return (await tokensNaming([key], trx)).get(key) ?? 0
  })
}

/** Only one route is the default at a time, between two statements too. */
async function makeWay(
  { key, is_default }: AutoRouteForm,
  before: Rows,
  trx: Knex.Transaction,
  changes: Changes,
) {
  const former = before.find((route) => route.is_default)
  if (!is_default || former === undefined || former.key === key) return
  await AutoRouteRow.query(trx).findById(former.key).patch({ is_default: false })
  await changes.note(trx, topic, former.key)
}

async function noted(key: string, trx: Knex.Transaction, changes: Changes): Promise<AutoRouteRow> {
  await changes.note(trx, topic, key)
  return routeOf(key, trx)
}

async function write<T>(
  { database, changes }: StoreDependencies,
  work: (trx: Knex.Transaction, before: Rows) => Promise<T>,
): Promise<T> {
  const done = await database.knex.transaction(async (trx) => {
    const before = await AutoRouteRow.query(trx).orderBy('key').limit(routesMax).forUpdate()
    return work(trx, before)
  })
  await changes.settled()
  return done
}

/** The default serves whoever has no group of their own, so it is always there and always on. */
function checkDefault(form: AutoRouteForm, before: AutoRouteRow | undefined): void {
  const wasDefault = before?.is_default ?? false
  if (wasDefault && form.is_default === false)
    throw keptDefault('is_default', 'stop being the default')
  const enabled = form.enabled ?? before?.enabled ?? true
  if ((form.is_default || wasDefault) && !enabled) throw keptDefault('enabled', 'be switched off')
}

function keptDefault(param: string, verb: string): Refusal {
  const reason = `The default auto route cannot ${verb}; make another one the default first.`
  return new Refusal('conflict', { reason, param })
}

/** A key without a policy of its own names a route in its legacy group. */
const named = `CASE WHEN routing IS NULL THEN "group" ELSE routing->>'auto_route' END`

async function tokensNaming(
  keys: readonly string[],
  from: Knex,
): Promise<ReadonlyMap<string, number>> {
  const rows = await from('tokens')
    .whereNull('deleted_at')
    .whereRaw(`${named} = ANY(?)`, [[...keys]])
    .groupByRaw(named)
    .select<{ key: string; tokens: bigint }[]>(
      from.raw(`${named} AS key`),
      from.raw('count(*) AS tokens'),
    )
  return new Map(rows.map(({ key, tokens }) => [key, Number(tokens)]))
}

/** Without the key, which never changes. */
function columnsOf(form: AutoRouteForm): PartialModelObject<AutoRouteRow> {
  const { key: _, groups, user_groups, ...others } = form
  return {
    ...others,
    ...(groups !== undefined && { groups: [...groups] }),
    ...(user_groups !== undefined && { user_groups: [...user_groups] }),
  }
}

/** Two who make the same key at once both saw none. */
function keyTaken(error: unknown): never {
  const clash =
    error instanceof Error && 'constraint' in error && error.constraint === 'auto_routes_pkey'
  throw clash ? taken() : error
}

function taken(): Refusal {
  return new Refusal('conflict', { reason: 'There is an auto route of this key.', param: 'key' })
}

function full(): Refusal {
  return new Refusal('conflict', { reason: `There are at most ${routesMax} auto routes.` })
}

function missing(): never {
  throw new Refusal('gone_missing', { what: 'auto route', param: 'key' })
}
