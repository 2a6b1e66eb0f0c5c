/** The providers by channel type. Each is imported when its first channel asks for it, once however many ask. */
import type { ChannelType } from '../contract/manifest.js'
import type { Provider } from '../contract/provider.js'
import type { Providers } from '../contract/service.js'
import type { Plugin } from './plugin.js'

/** `load` creates a plugin left for its first use; it never rejects, a plugin that fails says so in its state. */
export function createProviders(
  plugins: readonly Plugin[],
  load: (plugin: Plugin) => Promise<void>,
): Providers {
  const served = byChannelType(plugins)
  return {
    adapter(channelType, operation) {
      const plugin = served.get(channelType)?.plugin
      const provider = plugin?.created()
      if (provider) return (provider as Provider).operations[operation]
      if (plugin?.state === 'checked') void load(plugin)
      return undefined
    },
    defaultBaseUrl: (channelType) => served.get(channelType)?.type.baseUrl,
    async warm(channelType) {
      const plugin = served.get(channelType)?.plugin
      if (plugin) await load(plugin)
    },
  }
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
