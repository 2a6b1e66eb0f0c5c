/** Reading and changing entries: each write is one transaction, received by every process before it is answered. */

import type { Knex } from 'knex'
import { type PartialModelObject, type QueryBuilder, raw } from 'objection'
import type { Changes } from '../../../kernel/contract/services/changes.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { aboutFields, type ModelAbout } from '../../../kernel/toolkit/management/index.js'
import { containing } from '../../../kernel/toolkit/service/index.js'
import type { AboutForm, ModelChanges, ModelForm, ModelSearch, NewModel } from './forms.js'
import { ModelRow } from './model-row.js'

export interface ModelStore {
  page(search: ModelSearch): Promise<ModelPage>
  get(id: number): Promise<ModelRow>
  create(form: NewModel): Promise<ModelRow>
  update(changes: ModelChanges): Promise<ModelRow>
  remove(id: number): Promise<void>
  /** By id, of those the rows name. */
  vendorNames(rows: readonly ModelRow[]): Promise<ReadonlyMap<number, string>>
}

interface ModelPage {
  readonly rows: ModelRow[]
  readonly total: number
  /** Entries of each vendor that match, whichever vendor was requested; 0: those without one, and `all`. */
  readonly vendorCounts: Readonly<Record<string, number>>
}

interface StoreDependencies {
  readonly database: Database
  readonly changes: Changes
}

export function modelStore(dependencies: StoreDependencies): ModelStore {
  const { knex } = dependencies.database
  return {
    page: (search) => pageOf(search, knex),
    get: (id) => entry(id, knex),
    create: (form) => created(form, dependencies),
    update: (changes) => updated(changes, dependencies),
    remove: (id) => removed(id, dependencies),
    vendorNames: (rows) => namesOfVendors(rows, knex),
  }
}

async function pageOf(search: ModelSearch, knex: Knex): Promise<ModelPage> {
  const { results, total } = await ModelRow.query(knex)
    .where((where) => filter(where, search))
    .orderBy('id', 'desc')
    .page(Math.max(search.p, 1) - 1, search.page_size)
  return { rows: results, total, vendorCounts: await vendorCounts(search, knex) }
}

async function vendorCounts(search: ModelSearch, knex: Knex): Promise<Record<string, number>> {
  const rows = await ModelRow.query(knex)
    .where((where) => filter(where, { ...search, vendor: '' }))
    .groupBy('vendor_id')
    .select('vendor_id', raw('count(*)').as('models'))
    .castTo<{ readonly vendor_id: number | null; readonly models: bigint }[]>()
  const counts = rows.map(({ vendor_id, models }) => [String(vendor_id ?? 0), Number(models)])
  const all = rows.reduce((sum, { models }) => sum + Number(models), 0)
  return { ...Object.fromEntries(counts), all }
}

async function entry(id: number, knex: Knex): Promise<ModelRow> {
  return (await ModelRow.query(knex).findById(id)) ?? missing()
}

function created(form: NewModel, dependencies: StoreDependencies): Promise<ModelRow> {
  return write(dependencies, async (trx) => {
    const { id } = await ModelRow.query(trx)
      .insert({ ...columnsOf(form), facts: factsIn(form) })
      .returning('id')
      .catch((error) => refuse(error, form))
    return noted(trx, id, dependencies)
  })
}

function updated(
  { id, ...form }: ModelChanges,
  dependencies: StoreDependencies,
): Promise<ModelRow> {
  return write(dependencies, async (trx) => {
    await locked(trx, id)
    await ModelRow.query(trx)
      .findById(id)
      .patch({
        ...columnsOf(form),
        // Null takes a field away, what is left out stays.
        facts: raw('jsonb_strip_nulls(facts || ?::jsonb)', JSON.stringify(pickAbout(form))),
        updated_at: raw('now()'),
      })
      .catch((error) => refuse(error, form))
    return noted(trx, id, dependencies)
  })
}

async function noted(
  trx: Knex.Transaction,
  id: number,
  { changes }: StoreDependencies,
): Promise<ModelRow> {
  await changes.note(trx, 'models', id)
  return entry(id, trx)
}

function removed(id: number, dependencies: StoreDependencies): Promise<void> {
  return write(dependencies, async (trx) => {
    if ((await ModelRow.query(trx).deleteById(id)) === 0) missing()
    await dependencies.changes.note(trx, 'models', id)
  })
}

async function namesOfVendors(
  rows: readonly ModelRow[],
  knex: Knex,
): Promise<ReadonlyMap<number, string>> {
  const ids = new Set(rows.flatMap(({ vendor_id }) => vendor_id ?? []))
  const found: readonly { readonly id: number; readonly name: string }[] =
    ids.size === 0
      ? []
      : await knex('vendors')
          .whereIn('id', [...ids])
          .select('id', 'name')
  return new Map(found.map(({ id, name }) => [id, name]))
}

async function write<T>(
  { database, changes }: StoreDependencies,
  work: (trx: Knex.Transaction) => Promise<T>,
): Promise<T> {
  const done = await database.knex.transaction(work)
  await changes.settled()
  return done
}

async function locked(trx: Knex.Transaction, id: number): Promise<ModelRow> {
  return (await ModelRow.query(trx).findById(id).forUpdate()) ?? missing()
}

function columnsOf(form: ModelForm): PartialModelObject<ModelRow> {
  const isAbout = (name: string) => aboutFields.some((field) => field === name)
  const { vendor_id, ...others } = form
  const columns = Object.entries(others).filter(([name]) => !isAbout(name))
  return {
    ...Object.fromEntries(columns),
    ...(vendor_id !== undefined && { vendor_id: vendor_id || null }),
  }
}

function pickAbout(form: AboutForm): AboutForm {
  const set = aboutFields.filter((field) => form[field] !== undefined)
  return Object.fromEntries(set.map((field) => [field, form[field]]))
}

function factsIn(form: AboutForm): ModelAbout {
  const set = Object.entries(pickAbout(form)).filter(([, value]) => value !== null)
  return Object.fromEntries(set)
}

function filter(where: QueryBuilder<ModelRow>, { keyword, vendor }: ModelSearch): void {
  if (keyword !== '') {
    const like = containing(keyword)
    where.where((any) => {
      any.where('model_name', 'ilike', like).orWhere('description', 'ilike', like)
      any.orWhere('tags', 'ilike', like)
    })
  }
  if (vendor === '') return
  if (vendor === '0') where.whereNull('vendor_id')
  else if (/^\d{1,9}$/.test(vendor)) where.where('vendor_id', Number(vendor))
  else
    where.whereRaw('vendor_id IN (SELECT id FROM vendors WHERE lower(name) = lower(?))', [vendor])
}

/** The faults only the database can judge without a race, as sentences. */
function refuse(error: unknown, { model_name, vendor_id }: ModelForm): never {
  const constraint = error instanceof Error && 'constraint' in error ? error.constraint : undefined
  if (constraint === 'models_model_name_key') {
    const reason = `There is an entry for "${model_name ?? 'this name'}" with this rule.`
    throw new Refusal('conflict', { reason, param: 'model_name' })
  }
  if (constraint === 'models_vendor_id_fkey') {
    const reason = `There is no vendor ${vendor_id}.`
    throw new Refusal('invalid_field', { reason, param: 'vendor_id' })
  }
  throw error
}

function missing(): never {
  throw new Refusal('gone_missing', { what: 'model', param: 'id' })
}
