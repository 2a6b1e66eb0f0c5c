/**
 * Columns of the family that are fields of the provider here: `other` and `openai_organization`. A record that comes
 * back as it was shown changes nothing; what differs from it is written into `settings`.
 */
import type { JsonObject } from '../../../../../kernel/contract/json.js'
import type { SettingField } from '../../../../../kernel/contract/manifest.js'
import { Refusal } from '../../../../../kernel/toolkit/errors/index.js'
import { otherField } from './channel-types.js'
import { faultOf } from './provider-fields.js'

export interface LegacyForm {
  readonly other?: string
  readonly openai_organization?: string
}

const columns = ['other', 'openai_organization'] as const
type Column = (typeof columns)[number]

/** Before and after the change that is being saved. */
export interface LegacyOptions {
  readonly before: TypedSettings
  readonly after: Omit<TypedSettings, 'settings'>
}

interface TypedSettings {
  readonly type: number
  readonly settings: JsonObject
  readonly fields: readonly SettingField[]
}

export function shownLegacy(channel: TypedSettings): Required<LegacyForm> {
  return {
    other: shown('other', channel),
    openai_organization: shown('openai_organization', channel),
  }
}

/** `settings` with what the columns hold beside it. Throws `invalid_field`. */
export function withLegacy(
  settings: JsonObject,
  form: LegacyForm,
  { before, after }: LegacyOptions,
): JsonObject {
  const changes = columns.flatMap((column) => {
    const sent = form[column]
    if (sent === undefined || sent === shown(column, before)) return []
    const field = fieldOf(column, after)
    if (field === undefined && sent === '') return []
    return [[checkedName(column, field, sent), sent === '' ? undefined : sent] as const]
  })
  if (changes.length === 0) return settings
  const merged = { ...settings, ...Object.fromEntries(changes) }
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined))
}

function checkedName(column: Column, field: SettingField | undefined, sent: string): string {
  const fault = field === undefined ? 'is nothing channels of this type have' : faultOf(field, sent)
  if (field === undefined || fault !== undefined) {
    throw new Refusal('invalid_field', { reason: `The field "${column}" ${fault}.`, param: column })
  }
  return field.name
}

function shown(column: Column, channel: TypedSettings): string {
  const field = fieldOf(column, channel)
  const value = field === undefined ? undefined : channel.settings[field.name]
  return typeof value === 'string' ? value : ''
}

function fieldOf(
  column: Column,
  { type, fields }: Omit<TypedSettings, 'settings'>,
): SettingField | undefined {
  const name = column === 'other' ? otherField[type] : 'organization'
  return fields.find((field) => field.name === name && field.type !== 'secret')
}
