/** Plugins that are looked up by name: OAuth providers, notifiers, payment gateways. Each is imported when somebody first asks for it. */
import type { Notifier } from '../contract/notifier.js'
import type { OAuthProvider } from '../contract/oauth.js'
import type { PaymentGateway } from '../contract/payment.js'
import type { Extensions } from '../contract/services/extensions.js'
import { containedNotifier, containedOAuth } from './contained-extensions.js'
import { containedPayment } from './contained-payment.js'
import { givenSettings } from './declared-settings.js'
import { isLazy, type Lives } from './life.js'
import type { Plugin, PluginDependencies } from './plugin.js'

/** A plugin by id, imported on first use. Rejects where it failed or there is none. */
export type Load = (id: string) => Promise<object>

export function createLoad(plugins: readonly Plugin[], lives: Lives): Load {
  return async (id) => {
    const plugin = lazyPlugin(plugins, id)
    if (plugin.state !== 'off') await lives.load(plugin)
    const created = plugin.created()
    if (created) return created
    const reason = plugin.state === 'off' ? 'it is switched off' : plugin.status().reason
    throw new Error(`the plugin "${id}" cannot be used: ${reason ?? 'it stopped'}`)
  }
}

export function createExtensions(
  plugins: readonly Plugin[],
  lives: Lives,
  load: Load,
  { log }: PluginDependencies,
): Extensions {
  const manifestOf = (id: string) => lazyPlugin(plugins, id).manifest
  return {
    list: (kind) =>
      plugins
        .filter(
          ({ manifest, state }) => manifest.kind === kind && state !== 'failed' && state !== 'off',
        )
        .map(({ manifest }) => manifest)
        .sort((a, b) => (a.id < b.id ? -1 : 1)),
    async oauth(name) {
      const id = `oauth.${name}`
      return containedOAuth((await load(id)) as OAuthProvider, manifestOf(id), log)
    },
    async oauthOf(name, values) {
      const plugin = lazyPlugin(plugins, `oauth.${name}`)
      const settings = givenSettings(plugin.manifest, values)
      const copy = (await lives.another(plugin, settings)) as OAuthProvider
      return containedOAuth(copy, plugin.manifest, log)
    },
    async notifier(name) {
      const id = `notifier.${name}`
      return containedNotifier((await load(id)) as Notifier, manifestOf(id), log)
    },
    async payment(name) {
      const id = `payment.${name}`
      return containedPayment((await load(id)) as PaymentGateway, manifestOf(id), log)
    },
  }
}

function lazyPlugin(plugins: readonly Plugin[], id: string): Plugin {
  const plugin = plugins.find((one) => one.manifest.id === id && isLazy(one))
  if (plugin === undefined) throw new Error(`there is no plugin "${id}"`)
  return plugin
}
