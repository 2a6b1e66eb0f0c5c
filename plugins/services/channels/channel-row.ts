/** A row of `channels` as the record the line reads: key opened, address completed, provider's fields filled in. */
import type { Channel } from '../../../kernel/contract/exchange.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { SettingField } from '../../../kernel/contract/manifest.js'
import type { Catalog, Providers, SecretBox } from '../../../kernel/contract/service.js'

export interface ChannelRow {
  readonly id: number
  readonly type: number
  readonly name: string
  /** 1 on, 2 switched off, 3 switched off by the gateway. */
  readonly status: number
  /** Empty: no key. */
  readonly key_sealed: string
  readonly base_url: string
  readonly models: readonly string[]
  readonly groups: readonly string[]
  readonly priority: bigint
  readonly weight: number
  readonly model_mapping: Readonly<Record<string, string>>
  readonly param_override: JsonObject
  readonly status_code_mapping: Readonly<Record<string, number>>
  readonly setting: JsonObject
  readonly settings: JsonObject
}

export interface RowReaders {
  readonly providers: Providers
  readonly catalog: Catalog
  readonly secrets: SecretBox
}

/** Throws when a secret of the row cannot be opened. */
export function channelOf(row: ChannelRow, { providers, catalog, secrets }: RowReaders): Channel {
  const type = catalog.channelTypes().find((known) => known.id === row.type)
  const named = row.base_url || (providers.defaultBaseUrl(row.type) ?? '')
  return {
    id: row.id,
    type: row.type,
    name: row.name,
    baseUrl: type?.address === 'whole' ? row.base_url.trim() : origin(named),
    settings: settingsOf(row, type?.fields ?? [], secrets),
    groups: row.groups,
    models: new Set(row.models),
    priority: Number(row.priority),
    weight: row.weight,
    modelMapping: row.model_mapping,
    paramOverride: row.param_override,
    statusCodeMapping: row.status_code_mapping,
    onClientGone: row.setting.on_client_gone === 'abort' ? 'abort' : 'drain',
    keys: row.key_sealed === '' ? [] : [secrets.open(`channels:${row.id}:key`, row.key_sealed)],
  }
}

/** The origin without version: clients' paths bring their own. */
function origin(address: string): string {
  return address.trim().replace(/\/+$/, '').replace(/\/v1$/, '').replace(/\/+$/, '')
}

function settingsOf(
  row: ChannelRow,
  fields: readonly SettingField[],
  secrets: SecretBox,
): JsonObject {
  const declared = fields.flatMap((field) => {
    const stored = row.settings[field.name] ?? field.default
    if (stored === undefined) return []
    const place = `channels:${row.id}:settings.${field.name}`
    const sealed = field.type === 'secret' && typeof stored === 'string' && stored !== ''
    return [[field.name, sealed ? secrets.open(place, stored) : stored]]
  })
  return { ...row.settings, ...Object.fromEntries(declared) }
}
