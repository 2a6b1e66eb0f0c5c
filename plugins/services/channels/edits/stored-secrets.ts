/** A channel's destination may change where none of its stored secrets would go there, or where root allows it with a proof. */
import type { Knex } from 'knex'
import type { JsonObject } from '../../../../kernel/contract/json.js'
import type { Providers } from '../../../../kernel/contract/services/providers.js'
import type { ChannelRow } from './channel-model.js'
import type { ColumnDependencies, Columns } from './columns.js'
import { destinationChanges, destinationOf } from './destination.js'
import type { ChannelChanges, Redirected } from './edits.js'

export interface RedirectDependencies {
  readonly trx: Knex.Transaction
  readonly providers: Pick<Providers, 'defaultBaseUrl' | 'hosts'>
  readonly fields: ColumnDependencies['fields']
}

/** Undefined: the channel calls what it called. The row is locked; its keys are as they were. */
export async function redirected(
  before: ChannelRow,
  form: ChannelChanges,
  columns: Columns,
  dependencies: RedirectDependencies,
): Promise<Redirected | undefined> {
  const row = { ...before, ...columns } as ChannelRow
  const [from, to] = [destinationOf(before, dependencies), destinationOf(row, dependencies)]
  const changed = destinationChanges(from, to)
  if (changed.length === 0) return undefined
  const kept = keptSecrets(before.settings, row, dependencies)
  const key = await keepsKeys(before.id, form, dependencies.trx)
  return { before: from, after: to, changed, secrets: [...(key ? ['key'] : []), ...kept] }
}

/** A key that was written takes the place of those that were there, unless it is added to them. */
async function keepsKeys(
  id: number,
  { key = '', key_mode }: ChannelChanges,
  trx: Knex.Transaction,
): Promise<boolean> {
  if (key.trim() !== '' && key_mode !== 'append') return false
  return (await trx('channel_keys').where('channel_id', id).first('id')) !== undefined
}

/** A secret written anew is sealed anew, and no two seals are alike. */
function keptSecrets(
  before: JsonObject,
  { type, settings }: ChannelRow,
  { fields }: RedirectDependencies,
): readonly string[] {
  return fields(type)
    .filter((field) => field.type === 'secret')
    .filter(({ name }) => Boolean(before[name]) && settings[name] === before[name])
    .map(({ name }) => `settings.${name}`)
}
