/** The row of a channel, and the record the family's clients read (family.md 2.8). Never a key, never a secret field. */
import { Model } from 'objection'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { SettingField } from '../../../kernel/contract/manifest.js'

export class ChannelRow extends Model {
  static override tableName = 'channels'

  declare id: number
  declare type: number
  declare name: string
  declare status: number
  declare key_sealed: string
  declare base_url: string
  declare models: string[]
  declare groups: string[]
  declare priority: bigint
  declare weight: number
  declare model_mapping: JsonObject
  declare param_override: JsonObject
  declare status_code_mapping: JsonObject
  declare setting: JsonObject
  declare settings: JsonObject
  declare tag: string
  declare remark: string
  declare test_model: string
  declare auto_ban: number
  declare created_at: Date
}

/** JSON columns come back as text, an empty object as "". */
export function channelRecord(row: ChannelRow, fields: readonly SettingField[]) {
  return {
    id: row.id,
    type: row.type,
    key: '',
    name: row.name,
    status: row.status,
    base_url: row.base_url,
    models: row.models.join(','),
    group: row.groups.join(','),
    priority: Number(row.priority),
    weight: row.weight,
    model_mapping: text(row.model_mapping),
    param_override: text(row.param_override),
    status_code_mapping: text(row.status_code_mapping),
    setting: text(row.setting),
    settings: text(withoutSecrets(row.settings, fields)),
    tag: row.tag,
    remark: row.remark,
    test_model: row.test_model,
    auto_ban: row.auto_ban,
    created_time: Math.floor(row.created_at.getTime() / 1000),
  }
}

function withoutSecrets(settings: JsonObject, fields: readonly SettingField[]): JsonObject {
  const blanks = fields
    .filter((field) => field.type === 'secret' && settings[field.name] !== undefined)
    .map((field) => [field.name, ''])
  return { ...settings, ...Object.fromEntries(blanks) }
}

function text(value: JsonObject): string {
  return Object.keys(value).length === 0 ? '' : JSON.stringify(value)
}
