/**
 * Rows of `channels` and `channel_keys` as the record the line reads: keys opened, address completed, provider's
 * fields filled in.
 */

import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import type { Channel, ChannelKey } from '../../../kernel/contract/line/channel.js'
import type { CostTerms } from '../../../kernel/contract/line/money.js'
import type { ChannelType, SettingField } from '../../../kernel/contract/manifest.js'
import type { Catalog } from '../../../kernel/contract/services/catalog.js'
import type { Providers } from '../../../kernel/contract/services/providers.js'
import type { SecretBox } from '../../../kernel/contract/services/secrets.js'

/** What the line reads of a channel. */
export interface ChannelColumns {
  readonly id: number
  readonly type: number
  readonly name: string
  readonly status: Status
  readonly base_url: string
  readonly models: ReadonlySet<string>
  readonly groups: readonly string[]
  readonly priority: bigint
  readonly weight: number
  readonly model_mapping: Readonly<Record<string, string>>
  readonly param_override: JsonObject
  readonly header_override: JsonObject
  readonly status_code_mapping: Readonly<Record<string, number>>
  /** Empty: the channel has one key. */
  readonly multi_key_mode: '' | 'random' | 'polling'
  /** 0: the gateway may not switch it off by itself. */
  readonly auto_ban: number
  readonly setting: JsonObject
  readonly settings: JsonObject
  readonly cost_terms: CostTerms | null
}

export interface KeyColumns {
  readonly id: number
  readonly channel_id: number
  readonly sealed: string
  readonly status: Status
}

/** 1 on, 2 switched off by an admin, 3 by the gateway. Of a channel and of a key. */
export type Status = 1 | 2 | 3

export interface RowReaders {
  readonly providers: Providers
  readonly types: KnownTypes
  readonly secrets: SecretBox
}

/** Channel types by id, with the fields their providers declare. */
export type KnownTypes = ReadonlyMap<
  number,
  ChannelType & { readonly fields: readonly SettingField[] }
>

/** The catalog makes its list anew each time: read once for many rows. */
export function typesOf(catalog: Catalog): KnownTypes {
  return new Map(catalog.channelTypes().map((type) => [type.id, type]))
}

/** `keys` in order of id. Throws when a secret of the rows cannot be opened. */
export function channelOf(
  row: ChannelColumns,
  keys: readonly KeyColumns[],
  { providers, types, secrets }: RowReaders,
): Channel {
  const type = types.get(row.type)
  const named = row.base_url || (providers.defaultBaseUrl(row.type) ?? '')
  return {
    id: row.id,
    type: row.type,
    name: row.name,
    baseUrl: type?.address === 'whole' ? row.base_url.trim() : origin(named),
    settings: settingsOf(row, type?.fields ?? [], secrets),
    groups: row.groups,
    models: row.models,
    priority: Number(row.priority),
    weight: row.weight,
    modelMapping: row.model_mapping,
    paramOverride: row.param_override,
    headerOverride: row.header_override,
    statusCodeMapping: row.status_code_mapping,
    keys: keys.map((key) => keyOf(key, secrets)),
    keyMode: row.multi_key_mode === 'polling' ? 'polling' : 'random',
    // Without its plugin nothing of it could be called, so it offers nothing either.
    enabled: row.status === 1 && providers.knows(row.type),
    autoBan: row.auto_ban !== 0,
    ...rewritingOf(row.setting),
    proxy: proxyOf(row, secrets),
    costTerms: row.cost_terms ?? undefined,
  }
}

export function keyPlace(channelId: number): string {
  return `channels:${channelId}:key`
}

function keyOf({ id, channel_id, sealed, status }: KeyColumns, secrets: SecretBox): ChannelKey {
  return { id, text: secrets.open(keyPlace(channel_id), sealed), enabled: status === 1 }
}

type Shaping = Pick<
  Channel,
  'onClientGone' | 'systemPrompt' | 'overrideSystemPrompt' | 'passThroughBody' | 'firstContentMs'
>

/** Members of `setting` in the family's spelling; what has another type counts as not there. */
function rewritingOf(setting: JsonObject): Shaping {
  const firstMs = setting.first_token_timeout_ms
  return {
    onClientGone: setting.on_client_gone === 'abort' ? 'abort' : 'drain',
    systemPrompt: textOf(setting.system_prompt),
    overrideSystemPrompt: setting.system_prompt_override === true,
    passThroughBody: setting.pass_through_body_enabled === true,
    firstContentMs: typeof firstMs === 'number' && firstMs > 0 ? firstMs : undefined,
  }
}

/** An address with a password stands sealed beside the one that is shown. */
function proxyOf({ id, setting }: ChannelColumns, secrets: SecretBox): string | undefined {
  const { proxy_sealed } = setting
  if (typeof proxy_sealed !== 'string') return textOf(setting.proxy)?.trim()
  return secrets.open(`channels:${id}:setting.proxy`, proxy_sealed)
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

/** The origin without version: clients' paths bring their own. */
function origin(address: string): string {
  return address.trim().replace(/\/+$/, '').replace(/\/v1$/, '').replace(/\/+$/, '')
}

function settingsOf(
  row: ChannelColumns,
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
