/**
 * Where the stored keys of a channel may go: what of it decides that, and whether a change sends them elsewhere. A key that
 * was stored for one upstream is a secret of that upstream; whoever may edit channels may not read it (F9).
 */
import type { JsonObject } from '../../../../kernel/contract/json.js'
import type { SettingField } from '../../../../kernel/contract/manifest.js'
import type { Providers } from '../../../../kernel/contract/services/providers.js'

export interface Destination {
  readonly type: number
  /** The base URL, or the provider's own where none is written; never ends with a slash. */
  readonly address: string
  /** Without user and password, which do not move it. "" for none. */
  readonly proxy: string
  /** Fields of the provider that may name another host or path, as JSON text by name. */
  readonly fields: Readonly<Record<string, string>>
}

export interface DestinationRow {
  readonly type: number
  readonly base_url: string
  readonly setting: JsonObject
  readonly settings: JsonObject
}

export interface DestinationDependencies {
  readonly providers: Pick<Providers, 'defaultBaseUrl' | 'hosts'>
  /** What the provider of a channel type declares. */
  fields(type: number): readonly SettingField[]
}

export function destinationOf(
  row: DestinationRow,
  dependencies: DestinationDependencies,
): Destination {
  const { type, base_url, setting, settings } = row
  const named = base_url.trim() || (dependencies.providers.defaultBaseUrl(type) ?? '')
  return {
    type,
    address: plainAddress(named),
    proxy: typeof setting.proxy === 'string' ? withoutUser(setting.proxy.trim()) : '',
    fields: steering(settings, type, dependencies),
  }
}

/** Names of what differs, by the fields of a channel: `type`, `base_url`, `setting.proxy`, `settings.<name>`. */
export function destinationChanges(before: Destination, after: Destination): readonly string[] {
  const names = [...new Set([...Object.keys(before.fields), ...Object.keys(after.fields)])]
  return [
    ...(before.type === after.type ? [] : ['type']),
    ...(before.address === after.address ? [] : ['base_url']),
    ...(before.proxy === after.proxy ? [] : ['setting.proxy']),
    ...names
      .filter((name) => before.fields[name] !== after.fields[name])
      .map((name) => `settings.${name}`),
  ]
}

/**
 * Egress holds a provider to the host of the base URL, to hosts its manifest names and to addresses in fields it names. Where
 * there are other hosts, its fields may choose among them; a document may hold addresses anyhow, with another scheme or path.
 */
function steering(
  settings: JsonObject,
  type: number,
  { providers, fields }: DestinationDependencies,
): Readonly<Record<string, string>> {
  const hosts = providers.hosts(type)
  const beyond = hosts.some((host) => host !== 'channel' && !host.startsWith(fieldOfChannel))
  const kinds = beyond ? ['json', 'string', 'select'] : ['json']
  const steers = fields(type).filter(
    ({ name, type: kind }) => kinds.includes(kind) || hosts.includes(fieldOfChannel + name),
  )
  return Object.fromEntries(
    steers.flatMap(({ name, default: usual }) => {
      const value = settings[name] ?? usual
      return value === undefined ? [] : [[name, JSON.stringify(value)]]
    }),
  )
}

const fieldOfChannel = 'channelSettings.'

function withoutUser(proxy: string): string {
  if (!URL.canParse(proxy)) return proxy
  const { protocol, host } = new URL(proxy)
  return `${protocol}//${host}`
}

/** Case of the host, a default port, a slash at the end and a version change nothing (services/channels/channel-row.ts). */
function plainAddress(named: string): string {
  const address = URL.canParse(named) ? new URL(named).href : named
  return address.replace(/\/+$/, '').replace(/\/v1$/, '').replace(/\/+$/, '')
}
