/**
 * The providers by channel type. Each is imported when its first channel asks for it, once however many ask. Task types are
 * looked up beside them: they have channel types of their own, and serve media tasks on channels of others.
 */
import type { ChannelType } from '../contract/manifest.js'
import type { Adapter, ChannelView, Provider } from '../contract/provider.js'
import type { AdapterQuery, Providers } from '../contract/services/providers.js'
import { containedProvider, isList } from './contained.js'
import { type Plugin, reasonOf } from './plugin.js'

/** `load` creates a plugin left for its first use; it never rejects, a plugin that fails states so in its state. */
export function createProviders(
  plugins: readonly Plugin[],
  load: (plugin: Plugin) => Promise<void>,
): Providers {
  const served = byChannelType(plugins)
  const contained = new WeakMap<object, Provider>()

  function provider(channelType: number): Provider | undefined {
    const plugin = served.get(channelType)?.plugin
    return plugin && providerOf(plugin)
  }

  function providerOf(plugin: Plugin): Provider | undefined {
    const created = plugin.created()
    if (created === undefined && plugin.state === 'checked') void load(plugin)
    return created && containedOf(created, plugin)
  }

  function containedOf(created: object, plugin: Plugin): Provider | undefined {
    const known = contained.get(created)
    return known ?? contain(created, plugin)
  }

  /** `create` saw to it that its shape fits; a member that is read again may throw all the same. */
  function contain(created: object, plugin: Plugin): Provider | undefined {
    try {
      const provider = containedProvider(created as Provider, plugin.health)
      contained.set(created, provider)
      return provider
    } catch (error) {
      plugin.fail(reasonOf(error), error)
      return undefined
    }
  }

  /** One that is set aside, or whose thread is being started, is passed over, as one that does not serve the request. */
  function picked(plugin: Plugin): Provider | undefined {
    const { health } = plugin
    return health.isAside || health.isStarting ? undefined : providerOf(plugin)
  }

  function adapter(channel: ChannelView, query: AdapterQuery): Adapter | undefined {
    const type = served.get(channel.type)
    if (type === undefined) return undefined
    const own = chosen(picked(type.plugin)?.operations[query.operation], channel, query)
    if (own !== undefined || type.guests.length === 0) return own
    for (const guest of type.guests) {
      const found = chosen(picked(guest)?.operations[query.operation], channel, query)
      if (found !== undefined) return found
    }
    return undefined
  }

  return {
    provider,
    adapter,
    hosts(channelType, issuer) {
      const { plugin, guests = [] } = served.get(channelType) ?? {}
      const owner = guests.find(({ manifest }) => manifest.id === issuer) ?? plugin
      return owner?.manifest.hosts ?? []
    },
    knows: (channelType) => {
      const plugin = served.get(channelType)?.plugin
      return plugin !== undefined && plugin.state !== 'failed' && plugin.state !== 'off'
    },
    defaultBaseUrl: (channelType) => served.get(channelType)?.type.baseUrl,
    async warm(channelType) {
      const { plugin, guests = [] } = served.get(channelType) ?? {}
      for (const one of plugin ? [plugin, ...guests] : guests) {
        if (one.state !== 'off') await load(one)
      }
    },
  }
}

function chosen(
  adapters: Adapter | readonly Adapter[] | undefined,
  channel: ChannelView,
  query: AdapterQuery,
): Adapter | undefined {
  if (adapters === undefined) return undefined
  if (!isList(adapters)) return serves(adapters, channel, query) ? adapters : undefined
  let first: Adapter | undefined
  for (const adapter of adapters) {
    if (!serves(adapter, channel, query)) continue
    if (adapter.format === query.format) return adapter
    first ??= adapter
  }
  return first
}

function serves(
  adapter: Adapter,
  channel: ChannelView,
  { model, format, call }: AdapterQuery,
): boolean {
  return adapter.serves?.(channel, model, format, call) ?? true
}

interface Served {
  readonly plugin: Plugin
  readonly type: ChannelType
  /** Task types that serve it beside its own plugin. */
  readonly guests: Plugin[]
}

function byChannelType(plugins: readonly Plugin[]): ReadonlyMap<number, Served> {
  const sound = plugins.filter(({ state }) => state !== 'failed')
  const types = new Map<number, Served>(
    sound.flatMap((plugin) =>
      plugin.manifest.channelTypes.map((type) => [type.id, { plugin, type, guests: [] }] as const),
    ),
  )
  for (const plugin of sound) {
    for (const name of plugin.manifest.serves ?? []) typeNamed(types, name)?.guests.push(plugin)
  }
  return types
}

function typeNamed(types: ReadonlyMap<number, Served>, name: number | string): Served | undefined {
  if (typeof name === 'number') return types.get(name)
  return [...types.values()].find(({ type }) => type.key === name)
}
