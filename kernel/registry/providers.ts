/** The providers by channel type. Each is imported when its first channel asks for it, once however many ask. */
import type { ChannelType } from '../contract/manifest.js'
import type { Adapter, ChannelView, Provider } from '../contract/provider.js'
import type { AdapterQuery, Providers } from '../contract/services/providers.js'
import { containedProvider, isList } from './contained.js'
import type { Plugin, PluginDependencies } from './plugin.js'

/** `load` creates a plugin left for its first use; it never rejects, a plugin that fails states so in its state. */
export function createProviders(
  plugins: readonly Plugin[],
  load: (plugin: Plugin) => Promise<void>,
  { clock, log }: PluginDependencies,
): Providers {
  const served = byChannelType(plugins)
  const contained = new WeakMap<object, Provider>()

  function provider(channelType: number): Provider | undefined {
    const plugin = served.get(channelType)?.plugin
    const created = plugin?.created()
    if (created === undefined && plugin?.state === 'checked') void load(plugin)
    return created && plugin && containedOf(created, plugin)
  }

  function containedOf(created: object, { manifest: { id } }: Plugin): Provider {
    let provider = contained.get(created)
    if (provider === undefined) {
      // `create` saw to it that its shape fits.
      provider = containedProvider(created as Provider, { id, clock, log })
      contained.set(created, provider)
    }
    return provider
  }

  return {
    provider,
    adapter: (channel, query) =>
      chosen(provider(channel.type)?.operations[query.operation], channel, query),
    hosts: (channelType) => served.get(channelType)?.plugin.manifest.hosts ?? [],
    knows: (channelType) => {
      const plugin = served.get(channelType)?.plugin
      return plugin !== undefined && plugin.state !== 'failed'
    },
    defaultBaseUrl: (channelType) => served.get(channelType)?.type.baseUrl,
    async warm(channelType) {
      const plugin = served.get(channelType)?.plugin
      if (plugin) await load(plugin)
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
}

function byChannelType(plugins: readonly Plugin[]): ReadonlyMap<number, Served> {
  const sound = plugins.filter(({ state }) => state !== 'failed')
  return new Map(
    sound.flatMap((plugin) =>
      plugin.manifest.channelTypes.map((type) => [type.id, { plugin, type }] as const),
    ),
  )
}
