/** A channel once more, under another name: everything an admin wrote, its keys and secrets sealed anew. */
import type { JsonObject } from '../../../../kernel/contract/json.js'
import type { SettingField } from '../../../../kernel/contract/manifest.js'
import type { Changes } from '../../../../kernel/contract/services/changes.js'
import type { Database } from '../../../../kernel/contract/services/database.js'
import type { SecretBox } from '../../../../kernel/contract/services/secrets.js'
import type { ChannelRow } from './channel-model.js'
import type { Checks } from './checks.js'
import type { CopyOptions } from './edits.js'
import { sealedProxy } from './fields/proxy.js'
import { drawIds, insertChannels } from './insert.js'
import type { KeyTable } from './keys.js'
import { locked, writing } from './writing.js'

export interface CopyServices {
  readonly database: Database
  readonly changes: Changes
  readonly secrets: SecretBox
  readonly checks: Checks
  readonly keys: KeyTable
}

const nameMax = 128

/** Returns the id of the copy. */
export type CopyChannel = (id: number, options: CopyOptions) => Promise<number>

export function copying({ database, changes, secrets, checks, keys }: CopyServices): CopyChannel {
  const write = writing({ database, changes })

  return (id, { suffix, reset_balance }) =>
    write(async (trx) => {
      const row = await locked(trx, id)
      const [copy] = await drawIds(trx, 1)
      if (copy === undefined) throw new Error('no id was drawn')
      const { created_at, tested_at, response_ms, balance, balance_updated_at, ...written } = row
      await insertChannels(trx, [
        {
          ...written,
          ...(!reset_balance && { balance, balance_updated_at }),
          ...resealed(row, copy),
          id: copy,
          priority: Number(row.priority),
          name: `${row.name.slice(0, nameMax - suffix.length)}${suffix}`,
        },
      ])
      await keys.copy(trx, id, copy)
      await changes.note(trx, 'channels', copy)
      return copy
    })

  function resealed({ id, type, setting, settings }: ChannelRow, copy: number) {
    const again = (place: string, sealed: string) =>
      secrets.seal(`channels:${copy}:${place}`, secrets.open(`channels:${id}:${place}`, sealed))
    return {
      setting: replaced(setting, [sealedProxy], (_, text) => again('setting.proxy', text)),
      settings: replaced(settings, secretNames(checks.fields(type)), (name, text) =>
        again(`settings.${name}`, text),
      ),
    }
  }
}

function secretNames(fields: readonly SettingField[]): readonly string[] {
  return fields.flatMap((field) => (field.type === 'secret' ? [field.name] : []))
}

function replaced(
  object: JsonObject,
  names: readonly string[],
  change: (name: string, text: string) => string,
): JsonObject {
  const changed = names.flatMap((name) => {
    const value = object[name]
    return typeof value === 'string' && value !== '' ? [[name, change(name, value)]] : []
  })
  return { ...object, ...Object.fromEntries(changed) }
}
