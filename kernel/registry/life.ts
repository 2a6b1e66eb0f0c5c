/** Creates, starts and stops plugins, each with the kit its kind may have, and keeps what one's failure takes along. */
import type { Life, Settings } from '../contract/kit.js'
import type { Manifest, PluginKind } from '../contract/manifest.js'
import type { SettingsSource } from '../contract/services/ports.js'
import { createOutgoing } from '../egress/outgoing.js'
import { withFields } from '../log/log.js'
import { nameOf } from '../toolkit/service/manifest-names.js'
import { failsWithAnother } from './arrange.js'
import type { Container } from './container.js'
import { declaredSettings } from './declared-settings.js'
import { deprecations, watchedKit } from './deprecations.js'
import { makeKit } from './kit.js'
import type { Surroundings } from './manifest-set.js'
import type { Plugin, PluginDependencies } from './plugin.js'
import { timeLimits, within } from './verb.js'

export interface Lives {
  /** Creates every plugin that is not left for its first use. */
  createAll(): Promise<void>
  /** Starts every plugin that was created, in load order; those from outside that were left for their first use are loaded behind it. */
  startAll(): Promise<void>
  /** Creates and starts a plugin that was left for its first use, once however often it is requested. */
  load(plugin: Plugin): Promise<void>
  /** One more of a plugin's kind, with settings that somebody else keeps or else its own. Rejects with what is wrong. */
  another(plugin: Plugin, settings?: Settings): Promise<object>
  /** Takes away what was created, so that the next use creates it anew; it is stopped once nothing can be using it any more. */
  renew(plugin: Plugin, by?: Parameters<Plugin['renew']>[0]): Promise<void>
  /** Stops in the reverse order of starting. Nothing is loaded any more. */
  stopAll(): Promise<void>
}

/** Kinds that are looked up by id or channel type, and imported on first use. */
const lazy: ReadonlySet<PluginKind> = new Set(['provider', 'task', 'payment', 'oauth', 'notifier'])

/** How long requests may go on with what was replaced before it is stopped. */
const retiredMs = 15 * 60_000

/** How long an end waits for plugins that are being loaded. */
const loadingMs = 5_000

export function isLazy({ manifest }: { readonly manifest: Pick<Manifest, 'kind'> }): boolean {
  return lazy.has(manifest.kind)
}

export function createLives(
  plugins: readonly Plugin[],
  container: Container,
  options: PluginDependencies &
    Pick<Surroundings, 'deprecations'> & { readonly settingsSource: string },
): Lives {
  const started: Plugin[] = []
  const loads = new Map<Plugin, Promise<void>>()
  const retired = new Set<() => Promise<void>>()
  let stopping = false
  let isOver = false

  async function create(plugin: Plugin): Promise<void> {
    if (failsWithAnother(plugin, plugins)) return
    await plugin.create(() => kitOf(plugin))
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

  /** Never rejects. */
  async function stopOld(old: Life, id: string): Promise<void> {
    try {
      const limit = { verb: 'stop', limitMs: timeLimits.stop }
      await within(options.clock, limit, async () => old.stop?.())
    } catch (err) {
      options.log.warn({ plugin: id, err }, 'an earlier version of a plugin did not stop')
    }
  }

  function kitOf(plugin: Plugin, own?: Settings): object {
    const { manifest } = plugin
    const settings = own ?? settingsOf(manifest)
    const { clock } = options
    const outgoing = () =>
      createOutgoing({ manifest, settings, egress: () => container.get('egress'), clock })
    const kit = makeKit(manifest, {
      settings: () => settings,
      clock: () => clock,
      log: () => withFields(options.log, { plugin: manifest.id }),
      services: () => container.grant(manifest.requires),
      fetch: () => outgoing().fetch,
      dial: () => outgoing().dial,
    })
    return watchedKit(kit, (options.deprecations ?? deprecations).kit, plugin.warn)
  }

  function settingsOf(manifest: Manifest): Settings {
    const source = plugins.find(
      (plugin) => plugin.manifest.id === `service.${options.settingsSource}`,
    )
    const created = source?.created()
    return created ? (created as SettingsSource).of(manifest) : declaredSettings(manifest)
  }

  function load(plugin: Plugin): Promise<void> {
    const before = loads.get(plugin)
    if (before || stopping) return before ?? Promise.resolve()
    const now = create(plugin)
      .then(() => start(plugin))
      .then(() => (isOver ? stopLate(plugin) : undefined))
    loads.set(plugin, now)
    return now
  }

  /** It was still being loaded when everything else had stopped. */
  async function stopLate(plugin: Plugin): Promise<void> {
    const at = started.indexOf(plugin)
    if (at !== -1) await started.splice(at, 1)[0]?.stop()
  }

  /** Nobody tried these before, so whoever installs one sees at once whether it loads, and not at its first use. */
  async function loadOutside(): Promise<void> {
    for (const plugin of plugins) {
      if (plugin.isOutside && isLazy(plugin) && plugin.state === 'checked') await load(plugin)
    }
  }

  return {
    async createAll() {
      for (const plugin of plugins) if (!isLazy(plugin)) await create(plugin)
    },
    async startAll() {
      for (const plugin of plugins) await start(plugin)
      void loadOutside()
    },
    load,
    async renew(plugin, by) {
      await loads.get(plugin)
      loads.delete(plugin)
      const at = started.indexOf(plugin)
      if (at !== -1) started.splice(at, 1)
      const old = plugin.renew(by)
      if (old?.stop === undefined) return
      const stop = async () => {
        retired.delete(stop)
        cancel()
        await stopOld(old, plugin.manifest.id)
      }
      const cancel = options.clock.after(retiredMs, () => void stop())
      retired.add(stop)
    },
    another: (plugin, settings) => plugin.make(() => kitOf(plugin, settings)),
    async stopAll() {
      stopping = true
      const loading = { verb: 'loading', limitMs: loadingMs }
      await within(options.clock, loading, () => Promise.all(loads.values())).catch(() => {})
      isOver = true
      for (const stop of [...retired]) await stop()
      for (const plugin of started.splice(0).reverse()) await plugin.stop()
    },
  }
}
