/** Reading and changing channels: each write is one transaction, heard by every process before it is answered. */

import type { Knex } from 'knex'
import { type PartialModelObject, type QueryBuilder, raw } from 'objection'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { SettingField } from '../../../kernel/contract/manifest.js'
import type {
  Catalog,
  Changes,
  Database,
  Providers,
  SecretBox,
} from '../../../kernel/contract/service.js'
import { Refusal } from '../../../kernel/errors.js'
import { ChannelRow } from './channel-row.js'
import type { ChannelChanges, ChannelForm, ChannelSearch, NewChannel } from './forms.js'
import { storedSettings } from './provider-fields.js'

export interface ChannelStore {
  page(search: ChannelSearch): Promise<ChannelPage>
  get(id: number): Promise<ChannelRow>
  create(form: NewChannel): Promise<ChannelRow>
  update(changes: ChannelChanges): Promise<ChannelRow>
  remove(id: number): Promise<void>
  /** The fields the provider of this channel type declares. */
  fields(type: number): readonly SettingField[]
}

export interface ChannelPage {
  readonly rows: ChannelRow[]
  readonly total: number
  /** Channels of each type, and `all`, whatever type was asked for. */
  readonly typeCounts: Readonly<Record<string, number>>
}

export interface StoreServices {
  readonly database: Database
  readonly changes: Changes
  readonly providers: Providers
  readonly catalog: Catalog
  readonly secrets: SecretBox
}

export function channelStore(services: StoreServices): ChannelStore {
  const { database, changes, providers, catalog, secrets } = services
  const { knex } = database

  async function page(search: ChannelSearch): Promise<ChannelPage> {
    const { results, total } = await ChannelRow.query(knex)
      .where((where) => filter(where, search))
      .orderBy(search.sort_by, search.sort_order)
      .orderBy('id', 'desc')
      .page(Math.max(search.p, 1) - 1, search.page_size)
    return { rows: results, total, typeCounts: await typeCounts(search) }
  }

  async function typeCounts(search: ChannelSearch): Promise<Record<string, number>> {
    const rows = await ChannelRow.query(knex)
      .where((where) => filter(where, { ...search, type: undefined }))
      .groupBy('type')
      .select('type', raw('count(*)').as('channels'))
      .castTo<{ readonly type: number; readonly channels: bigint }[]>()
    const counts = rows.map(({ type, channels }) => [String(type), Number(channels)] as const)
    const all = counts.reduce((sum, [, channels]) => sum + channels, 0)
    return { ...Object.fromEntries(counts), all }
  }

  async function get(id: number): Promise<ChannelRow> {
    return (await ChannelRow.query(knex).findById(id)) ?? missing()
  }

  function create(form: NewChannel): Promise<ChannelRow> {
    return write(async (trx) => {
      const { id } = await ChannelRow.query(trx)
        .insert({ type: form.type, name: form.name })
        .returning('id')
      return save(trx, await locked(trx, id), form)
    })
  }

  function update({ id, ...form }: ChannelChanges): Promise<ChannelRow> {
    return write(async (trx) => save(trx, await locked(trx, id), form))
  }

  async function save(
    trx: Knex.Transaction,
    before: ChannelRow,
    form: ChannelForm,
  ): Promise<ChannelRow> {
    const type = form.type ?? before.type
    const base_url = form.base_url ?? before.base_url
    checkAddress(type, base_url)
    await checkSettings(type, { ...before.settings, ...form.settings })
    const patch = { ...patchOf(form), ...secretsOf(before, type, form) }
    const { id } = before
    if (Object.keys(patch).length > 0) await ChannelRow.query(trx).findById(id).patch(patch)
    await changes.note(trx, 'channels', id)
    return (await ChannelRow.query(trx).findById(id)) ?? missing()
  }

  function checkAddress(type: number, address: string): void {
    const usual = providers.defaultBaseUrl(type)
    if (usual === undefined) {
      const reason = `There is no channel type ${type}.`
      throw new Refusal('invalid_field', { reason, param: 'type' })
    }
    if (usual === '' && address === '') {
      const reason = 'Channels of this type must name their base_url.'
      throw new Refusal('invalid_field', { reason, param: 'base_url' })
    }
    const known = catalog.channelTypes().find(({ id }) => id === type)
    if (address.includes('?') && known?.address !== 'whole') {
      const reason = 'The field "base_url" must not hold a query.'
      throw new Refusal('invalid_field', { reason, param: 'base_url' })
    }
  }

  /** What only the provider can judge, such as a document of its own among the settings. */
  async function checkSettings(type: number, settings: JsonObject): Promise<void> {
    await providers.warm(type)
    const fault = providers.provider(type)?.faultOf?.(settings)
    if (fault !== undefined) {
      throw new Refusal('invalid_field', { reason: fault, param: 'settings' })
    }
  }

  /** What is sealed in place: the key unless blank, and the provider's secret fields. */
  function secretsOf(
    before: ChannelRow,
    type: number,
    { key, settings }: ChannelForm,
  ): PartialModelObject<ChannelRow> {
    const place = `channels:${before.id}`
    return {
      ...(key && { key_sealed: secrets.seal(`${place}:key`, key) }),
      ...(settings !== undefined && {
        settings: storedSettings(settings, {
          fields: fields(type),
          stored: before.settings,
          seal: (field, secret) => secrets.seal(`${place}:settings.${field}`, secret),
        }),
      }),
    }
  }

  async function remove(id: number): Promise<void> {
    await write(async (trx) => {
      if ((await ChannelRow.query(trx).deleteById(id)) === 0) missing()
      await changes.note(trx, 'channels', id)
    })
  }

  async function write<T>(work: (trx: Knex.Transaction) => Promise<T>): Promise<T> {
    const done = await knex.transaction(work)
    await changes.settled()
    return done
  }

  function fields(type: number): readonly SettingField[] {
    return catalog.channelTypes().find((known) => known.id === type)?.fields ?? []
  }

  return { page, get, create, update, remove, fields }
}

async function locked(trx: Knex.Transaction, id: number): Promise<ChannelRow> {
  return (await ChannelRow.query(trx).findById(id).forUpdate()) ?? missing()
}

/** Columns that take what was sent as it was read; what was not sent is not there (CHAN-6). */
function patchOf(form: ChannelForm): PartialModelObject<ChannelRow> {
  const { key, settings, models, group, priority, ...plain } = form
  return {
    ...plain,
    ...(models !== undefined && { models: [...models] }),
    ...(group !== undefined && { groups: [...group] }),
    ...(priority !== undefined && { priority: BigInt(priority) }),
  }
}

function filter(where: QueryBuilder<ChannelRow>, search: ChannelSearch): void {
  const { type, status, keyword, group, model } = search
  if (type !== undefined) where.where('type', type)
  if (status === 'enabled') where.where('status', 1)
  if (status === 'disabled') where.whereNot('status', 1)
  if (group !== '') where.whereRaw('groups @> ARRAY[?]::text[]', [group])
  if (model !== '') where.whereRaw('models @> ARRAY[?]::text[]', [model])
  if (keyword === '') return
  const like = `%${keyword.replace(/[\\%_]/g, '\\$&')}%`
  where.where((any) => {
    any.where('name', 'ilike', like).orWhere('base_url', 'ilike', like)
    if (/^\d{1,9}$/.test(keyword)) any.orWhere('id', Number(keyword))
  })
}

function missing(): never {
  throw new Refusal('gone_missing', { what: 'channel', param: 'id' })
}
