/** Reading and changing the sign-in providers an admin defined. Whoever changes one holds its row. */
import type { Knex } from 'knex'
import { isObject, type JsonObject } from '../../../kernel/contract/json.js'
import type { Changes } from '../../../kernel/contract/services/changes.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import type { SecretBox } from '../../../kernel/contract/services/secrets.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { NewProvider, ProviderForm } from './forms.js'

export interface ProviderRow {
  readonly id: number
  readonly slug: string
  readonly name: string
  readonly icon: string
  readonly enabled: boolean
  readonly settings: JsonObject
  readonly secret_sealed: string
  readonly created_at: Date
  readonly updated_at: Date
}

export interface StoreDependencies {
  readonly database: Database
  readonly changes: Changes
  readonly secrets: SecretBox
}

export interface ProviderStore {
  list(): Promise<readonly ProviderRow[]>
  get(id: number): Promise<ProviderRow>
  /** `check` throws what is wrong with the row as it would be. */
  create(form: NewProvider, check: Check): Promise<ProviderRow>
  update(id: number, form: ProviderForm, check: Check): Promise<ProviderRow>
  /** Answers the row, and how many people were bound to it. */
  remove(id: number, force: boolean): Promise<{ readonly row: ProviderRow; readonly bound: number }>
}

export type Check = (row: Pick<ProviderRow, 'enabled' | 'settings'>) => Promise<void>

const topic = 'oauth_providers'
const providersMax = 100

export function providerStore(
  { database: { knex }, changes, secrets }: StoreDependencies,
  now: () => Date,
): ProviderStore {
  async function create(form: NewProvider, check: Check): Promise<ProviderRow> {
    const columns = columnsOf(form, {})
    await check({ enabled: false, ...columns })
    return write(async (trx) => {
      const [row] = await trx(topic).count()
      if (Number(row?.count) >= providersMax) throw full()
      const times = { created_at: now(), updated_at: now() }
      const [made] = await trx(topic)
        .insert({ ...columns, ...times, slug: form.slug })
        .returning('id')
        .catch(slugTaken)
      return saved(made.id, form, trx)
    })
  }

  function update(id: number, form: ProviderForm, check: Check): Promise<ProviderRow> {
    return write(async (trx) => {
      const row = await held(id, trx)
      if (form.slug !== undefined && form.slug !== row.slug) throw fixed()
      const columns = columnsOf(form, row.settings)
      await check({ enabled: row.enabled, ...columns })
      await trx(topic)
        .where('id', id)
        .update({ ...columns, updated_at: now() })
      return saved(id, form, trx)
    })
  }

  /** The secret's place names the row, which has its number only now. */
  async function saved(id: number, form: ProviderForm, trx: Knex.Transaction) {
    if (form.client_secret !== undefined) {
      const sealed = secrets.seal(`oauth_providers:${id}:secret_sealed`, form.client_secret)
      await trx(topic).where('id', id).update({ secret_sealed: sealed })
    }
    await changes.note(trx, topic, id)
    return get(id, trx)
  }

  function remove(id: number, force: boolean) {
    return write(async (trx) => {
      const row = await held(id, trx)
      const bindings = trx('oauth_identities').where('provider', row.slug)
      const [found] = await bindings.clone().count()
      const bound = Number(found?.count)
      if (bound > 0 && !force) throw inUse(bound)
      await bindings.delete()
      await trx(topic).where('id', id).delete()
      await changes.note(trx, topic, id)
      return { row, bound }
    })
  }

  async function get(id: number, from: Knex = knex): Promise<ProviderRow> {
    return (await from(topic).where('id', id).first()) ?? missing()
  }

  async function held(id: number, trx: Knex.Transaction): Promise<ProviderRow> {
    return (await trx(topic).where('id', id).forUpdate().first()) ?? missing()
  }

  async function write<T>(work: (trx: Knex.Transaction) => Promise<T>): Promise<T> {
    const done = await knex.transaction(work)
    await changes.settled()
    return done
  }

  return {
    list: () => knex(topic).orderBy('id').limit(providersMax),
    get: (id) => get(id),
    create,
    update,
    remove,
  }
}

/** Columns of a form; everything else it holds goes among the settings. */
function columnsOf(form: ProviderForm, before: JsonObject) {
  const { name, slug: _, icon, enabled, client_secret: __, ...settings } = form
  return {
    ...(name !== undefined && { name }),
    ...(icon !== undefined && { icon }),
    ...(enabled !== undefined && { enabled }),
    settings: { ...before, ...settings } as JsonObject,
  }
}

function slugTaken(error: unknown): never {
  const clash = isObject(error) && error.constraint === 'oauth_providers_slug_key'
  const reason = 'There is a sign-in provider of this slug.'
  throw clash ? new Refusal('conflict', { reason, param: 'slug' }) : error
}

/** People are bound to a provider by it, and its redirect is made of it. */
function fixed(): Refusal {
  const reason = 'The slug of a sign-in provider cannot change.'
  return new Refusal('conflict', { reason, param: 'slug' })
}

function full(): Refusal {
  return new Refusal('conflict', { reason: `There are at most ${providersMax} of them.` })
}

function inUse(bound: number): Refusal {
  const reason = `People sign in by it: ${bound}. With force=true they are unbound and it is deleted.`
  return new Refusal('conflict', { reason, param: 'id' })
}

function missing(): never {
  throw new Refusal('gone_missing', { what: 'sign-in provider', param: 'id' })
}
