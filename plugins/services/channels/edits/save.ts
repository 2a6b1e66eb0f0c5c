/** Making and changing single channels: what was sent is checked, sealed and written, and nothing else is touched. */
import { isDeepStrictEqual } from 'node:util'
import type { Knex } from 'knex'
import type { PartialModelObject } from 'objection'
import type { Changes } from '../../../../kernel/contract/services/changes.js'
import type { Database } from '../../../../kernel/contract/services/database.js'
import type { Providers } from '../../../../kernel/contract/services/providers.js'
import { Refusal } from '../../../../kernel/toolkit/errors/index.js'
import { ChannelModel, type ChannelRow } from './channel-model.js'
import type { Checks } from './checks.js'
import { type Before, type ColumnDependencies, type Columns, columnsOf } from './columns.js'
import type {
  ChannelChanges,
  ChannelForm,
  Creation,
  Guards,
  MultiKeyMode,
  Redirected,
} from './edits.js'
import { drawIds, insertChannels } from './insert.js'
import { atMost, type KeyTable } from './keys.js'
import { sharesOf, writtenKey, writtenKeys } from './shares.js'
import { redirected } from './stored-secrets.js'
import { locked, missing, writing } from './writing.js'

/** Channels of a batch that are made in one piece: some milliseconds' worth. */
const createdAtOnce = 50

export interface SaveServices {
  readonly database: Database
  readonly changes: Changes
  readonly providers: Providers
  readonly checks: Checks
  readonly keys: KeyTable
}

export interface Saving {
  create(creation: Creation, dependencies: ColumnDependencies): Promise<readonly number[]>
  update(
    changes: ChannelChanges,
    dependencies: ColumnDependencies,
    guards: Guards,
  ): Promise<Redirected | undefined>
}

export function saving({ database, changes, providers, checks, keys }: SaveServices): Saving {
  const write = writing({ database, changes })

  async function typeOf(id: number): Promise<number> {
    const row = await ChannelModel.query(database.knex).findById(id).select('type')
    return row?.type ?? missing()
  }

  async function create(
    creation: Creation,
    dependencies: ColumnDependencies,
  ): Promise<readonly number[]> {
    const { channel, mode, multi_key_mode } = creation
    const shares = sharesOf(creation)
    await providers.warm(channel.type)
    return write(async (trx) => {
      const ids = await drawIds(trx, shares.length)
      // Others have their turn while some are written.
      for (let from = 0; from < ids.length; from += createdAtOnce) {
        const some = ids.slice(from, from + createdAtOnce)
        const made = some.map((id, at) => ({
          ...createdColumns(blank(id, channel.type), channel, dependencies),
          ...(mode === 'multi_to_single' && { multi_key_mode }),
          id,
          name: shares[from + at]!.name,
        }))
        await insertChannels(trx, made)
        const theirs = some.flatMap((id, at) => owned(id, shares[from + at]!.keys))
        await keys.insert(trx, theirs)
      }
      await changes.note(trx, 'channels', ids)
      return ids
    })
  }

  async function update(
    form: ChannelChanges,
    dependencies: ColumnDependencies,
    { unchanged, mayRedirect }: Guards,
  ): Promise<Redirected | undefined> {
    const { id, key_mode, multi_key_mode, ...fields } = form
    await providers.warm(fields.type ?? (await typeOf(id)))
    return write(async (trx) => {
      const before = await locked(trx, id)
      unchanged(before)
      const columns = changedColumns(before, fields, dependencies)
      const places = { trx, providers, fields: dependencies.fields }
      const elsewhere = await redirected(before, form, columns, places)
      if (elsewhere !== undefined) await mayRedirect(elsewhere, trx)
      await patch(trx, id, {
        ...columns,
        ...(multi_key_mode !== undefined && changedMode(before, multi_key_mode)),
      })
      await saveKeys(trx, before, form)
      if (fields.status === 1 && before.status !== 1) await keys.revive(trx, [id])
      await changes.note(trx, 'channels', id)
      return elsewhere
    })
  }

  function createdColumns(
    before: Before,
    form: ChannelForm,
    dependencies: ColumnDependencies,
  ): Columns {
    const columns = checkedColumns(before, form, dependencies)
    checks.settings(before.type, columns.settings ?? before.settings)
    return columns
  }

  /** A fault that was stored, as of a channel that came from elsewhere, stops no edit of anything else. */
  function changedColumns(
    before: ChannelRow,
    form: ChannelForm,
    dependencies: ColumnDependencies,
  ): Columns {
    const columns = checkedColumns(before, form, dependencies)
    const { type = before.type } = form
    const { settings = before.settings } = columns
    const isSame = type === before.type && isDeepStrictEqual(settings, before.settings)
    if (!isSame) checks.settings(type, settings)
    return columns
  }

  function checkedColumns(
    before: Before,
    form: ChannelForm,
    dependencies: ColumnDependencies,
  ): Columns {
    checks.address(form.type ?? before.type, form.base_url ?? before.base_url)
    checks.overrides(form)
    return columnsOf(before, form, dependencies)
  }

  /** A blank key clears nothing (CHAN-6). */
  async function saveKeys(
    trx: Knex.Transaction,
    { id, multi_key_mode }: ChannelRow,
    { key, key_mode }: ChannelChanges,
  ): Promise<void> {
    const several = multi_key_mode !== ''
    if (!several && key_mode === 'append') refuse('key_mode', 'This channel has one key only.')
    const texts = several ? writtenKeys(key) : writtenKey(key)
    if (texts.length === 0) return
    atMost(texts.length)
    if (key_mode === 'append') await keys.append(trx, id, texts)
    else await keys.replace(trx, id, texts)
  }

  return { create, update }
}

async function patch(trx: Knex.Transaction, id: number, columns: Columns): Promise<void> {
  if (Object.keys(columns).length === 0) return
  await ChannelModel.query(trx)
    .findById(id)
    .patch(columns as PartialModelObject<ChannelModel>)
}

function blank(id: number, type: number): Before {
  return { id, type, status: 1, base_url: '', setting: {}, settings: {} }
}

function changedMode(before: ChannelRow, multi_key_mode: MultiKeyMode): Columns {
  if (before.multi_key_mode !== '') return { multi_key_mode }
  return refuse('multi_key_mode', 'This channel has one key only.')
}

function owned(channelId: number, texts: readonly string[]) {
  return texts.map((text) => ({ channelId, text }))
}

function refuse(param: string, reason: string): never {
  throw new Refusal('invalid_field', { reason, param })
}
