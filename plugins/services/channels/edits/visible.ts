/** A channel's documents without what is secret in them. */
import type { JsonObject } from '../../../../kernel/contract/json.js'
import type { SettingField } from '../../../../kernel/contract/manifest.js'
import type { ChannelRow } from './channel-model.js'
import type { VisibleDocuments } from './edits.js'
import { shownLegacy } from './fields/legacy-fields.js'
import { sealedProxy } from './fields/proxy.js'

/** `fields`: those the provider of the channel's type declares. */
export function visibleOf(row: ChannelRow, fields: readonly SettingField[]): VisibleDocuments {
  const { type, setting, settings } = row
  return {
    ...shownLegacy({ type, settings, fields }),
    setting: without(setting, sealedProxy),
    settings: withoutSecrets(settings, fields),
  }
}

function withoutSecrets(settings: JsonObject, fields: readonly SettingField[]): JsonObject {
  const blanks = fields
    .filter((field) => field.type === 'secret' && settings[field.name] !== undefined)
    .map((field) => [field.name, ''])
  return { ...settings, ...Object.fromEntries(blanks) }
}

function without(object: JsonObject, name: string): JsonObject {
  const { [name]: _, ...others } = object
  return others
}
