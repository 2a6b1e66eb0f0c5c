/** Names made from what a manifest declares: of the plugin, of the options its settings are stored under. */
import { hash } from 'node:crypto'
import type { Manifest, SettingField } from '../../contract/manifest.js'

/** The name by which others require a plugin: `service.ledger` serves as `ledger`. */
export function nameOf(manifest: Pick<Manifest, 'id'>): string {
  return manifest.id.slice(manifest.id.indexOf('.') + 1)
}

/** The name of a channel type among those of all plugins: `acme/chat`. */
export function channelTypeKey(manifest: Pick<Manifest, 'id'>, name: string): string {
  return `${nameOf(manifest)}/${name}`
}

/** The number of a channel type that has none of its own: above all given ones, and one a column of 32 bits holds. */
export function channelTypeNumber(key: string): number {
  return derivedFrom + (hash('sha256', key, 'buffer').readUInt32BE() % derivedFrom)
}

const derivedFrom = 1_000_000_000

/** Key under which the value of a setting is stored. */
export function optionKey(manifest: Pick<Manifest, 'id'>, field: SettingField): string {
  return field.option ?? `${manifest.id}.${field.name}`
}

/** What every account sets, whatever its notifiers: a user setting of such a name would never be read (API-9). */
export const accountSettings = [
  'notify_type',
  'quota_warning_threshold',
  'accept_unset_model_ratio_model',
  'sign_in_notices',
  'record_ip_log',
  'upstream_model_update_notify_enabled',
  'language',
] as const
