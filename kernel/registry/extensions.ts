/** Plugins that are looked up by name: OAuth providers, notifiers. Each is imported when somebody first asks for it. */
import type { Notifier } from '../contract/notifier.js'
import type { OAuthProvider } from '../contract/oauth.js'
import type { Extensions } from '../contract/service.js'
import { givenSettings } from './declared-settings.js'
import type { Lives } from './life.js'
import type { Plugin } from './plugin.js'

export function createExtensions(plugins: readonly Plugin[], lives: Lives): Extensions {
  function pluginOf(id: string): Plugin {
    const plugin = plugins.find(({ manifest }) => manifest.id === id)
    if (plugin === undefined) throw new Error(`there is no plugin "${id}"`)
    return plugin
  }

  async function loaded(id: string): Promise<object> {
    const plugin = pluginOf(id)
    await lives.load(plugin)
    const created = plugin.created()
    if (created) return created
    throw new Error(`the plugin "${id}" cannot be used: ${plugin.status().reason ?? 'it stopped'}`)
  }

  return {
    list: (kind) =>
      plugins
        .filter(({ manifest, state }) => manifest.kind === kind && state !== 'failed')
        .map(({ manifest }) => manifest)
        .sort((a, b) => (a.id < b.id ? -1 : 1)),
    async oauth(name) {
      return (await loaded(`oauth.${name}`)) as OAuthProvider
    },
    async oauthOf(name, values) {
      const plugin = pluginOf(`oauth.${name}`)
      const settings = givenSettings(plugin.manifest, values)
      return (await lives.another(plugin, settings)) as OAuthProvider
    },
    async notifier(name) {
      return (await loaded(`notifier.${name}`)) as Notifier
    },
  }
}
