/** Creates, starts and stops plugins, each with the kit its kind may have, and keeps what one's failure takes along. */
import type { Settings } from '../contract/kit.js'
import type { Manifest, PluginKind } from '../contract/manifest.js'
import type { SettingsSource } from '../contract/services/ports.js'
import { createOutgoing } from '../egress/outgoing.js'
import { withFields } from '../log/log.js'
import { nameOf } from '../toolkit/service/manifest-names.js'
import { failsWithAnother } from './arrange.js'
import type { Container } from './container.js'
import { declaredSettings } from './declared-settings.js'
import { makeKit } from './kit.js'
import type { Plugin, PluginDependencies } from './plugin.js'

export interface Lives {
  /** Creates every plugin that is not left for its first use. */
  createAll(): Promise<void>
  /** Starts every plugin that was created, in load order. */
  startAll(): Promise<void>
  /** Creates and starts a plugin that was left for its first use, once however often it is requested. */
  load(plugin: Plugin): Promise<void>
  /** One more of a plugin's kind with settings of its own, which somebody else keeps. Rejects with what is wrong. */
  another(plugin: Plugin, settings: Settings): Promise<object>
  /** Stops in the reverse order of starting. Nothing is loaded any more. */
  stopAll(): Promise<void>
}

/** Kinds that are looked up by id or channel type, and imported on first use. */
const lazy: ReadonlySet<PluginKind> = new Set(['provider', 'task', 'payment', 'oauth', 'notifier'])

export function isLazy({ manifest }: { readonly manifest: Pick<Manifest, 'kind'> }): boolean {
  return lazy.has(manifest.kind)
}

export function createLives(
  plugins: readonly Plugin[],
  container: Container,
  options: PluginDependencies & { readonly settingsSource: string },
): Lives {
  const started: Plugin[] = []
  const loads = new Map<Plugin, Promise<void>>()
  let stopping = false

  async function create(plugin: Plugin): Promise<void> {
    if (failsWithAnother(plugin, plugins)) return
    await plugin.create(() => kitOf(plugin.manifest))
    const created = plugin.created()
    if (created && plugin.manifest.kind === 'service') {
      container.provide(nameOf(plugin.manifest), created)
    }
  }

  async function start(plugin: Plugin): Promise<void> {
    if (plugin.state !== 'created' || failsWithAnother(plugin, plugins)) return
    await plugin.start()
    if (plugin.created()) started.push(plugin)
  }

  function kitOf(manifest: Manifest, own?: Settings): object {
    const settings = own ?? settingsOf(manifest)
    const { clock } = options
    const outgoing = () =>
      createOutgoing({ manifest, settings, egress: () => container.get('egress'), clock })
    return makeKit(manifest, {
      settings: () => settings,
      clock: () => clock,
      log: () => withFields(options.log, { plugin: manifest.id }),
      services: () => container.grant(manifest.requires),
      fetch: () => outgoing().fetch,
      dial: () => outgoing().dial,
    })
  }

  function settingsOf(manifest: Manifest): Settings {
    const source = plugins.find(
      (plugin) => plugin.manifest.id === `service.${options.settingsSource}`,
    )
    const created = source?.created()
    return created ? (created as SettingsSource).of(manifest) : declaredSettings(manifest)
  }

  return {
    async createAll() {
      for (const plugin of plugins) if (!isLazy(plugin)) await create(plugin)
    },
    async startAll() {
      for (const plugin of plugins) await start(plugin)
    },
    load(plugin) {
      const before = loads.get(plugin)
      if (before || stopping) return before ?? Promise.resolve()
      const now = create(plugin).then(() => start(plugin))
      loads.set(plugin, now)
      return now
    },
    another: (plugin, settings) => plugin.make(() => kitOf(plugin.manifest, settings)),
    async stopAll() {
      stopping = true
      await Promise.all(loads.values())
      for (const plugin of started.splice(0).reverse()) await plugin.stop()
    },
  }
}
