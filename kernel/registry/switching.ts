/**
 * Plugins from outside that are switched off and on or loaded again while the gateway runs: those that are imported on first use,
 * since nothing else holds what they created, and guards, which can be passed over.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Life, Log } from '../contract/kit.js'
import type { Manifest } from '../contract/manifest.js'
import type { Catalog } from '../contract/services/catalog.js'
import type { Plugins } from '../contract/services/plugins.js'
import { type Checked, readPlugin } from './checked.js'
import { isLazy, type Lives } from './life.js'
import { foundAgain } from './outside.js'
import type { Plugin } from './plugin.js'

export interface Switching extends Plugins, Pick<Catalog, 'onChange'> {}

export interface SwitchingDependencies {
  /** One beside the plugins of the gateway, to be tried before it takes the place of another. */
  readonly candidate: (checked: Omit<Checked, 'fault'>) => Plugin
  readonly log: Log
}

/** What nobody reads but when the plugin is created or shown, so that it may change while the gateway runs. */
const replaceable: ReadonlySet<string> = new Set([
  ...['version', 'title', 'hosts', 'engines', 'entry', 'icon', 'translations'],
])

export function createSwitching(
  plugins: readonly Plugin[],
  lives: Lives,
  { candidate, log }: SwitchingDependencies,
): Switching {
  const listeners: (() => Promise<void> | void)[] = []
  /** Those that were sound from the start: others are in no list of the gateway. */
  const sound = new Set(plugins.filter(({ state }) => state !== 'failed'))
  let again = 0

  const named = (id: string) => plugins.find(({ manifest }) => manifest.id === id)

  function switchFault(id: string): string | undefined {
    const plugin = named(id)
    if (plugin === undefined) return `There is no plugin "${id}".`
    if (plugin.origin === undefined)
      return `The plugin "${id}" comes with the gateway and stays on.`
    const { kind } = plugin.manifest
    if (isLazy(plugin) || kind === 'guard') return undefined
    return `Others depend on plugins of the kind "${kind}" while the gateway runs. Take it out of PLUGINS and start the gateway again.`
  }

  function reloadFault(plugin: Plugin): string | undefined {
    if (plugin.origin !== undefined && isLazy(plugin) && sound.has(plugin)) return undefined
    return `The plugin "${plugin.manifest.id}" is loaded anew when the gateway is started again.`
  }

  async function changed(): Promise<void> {
    for (const listener of listeners) {
      try {
        await listener()
      } catch (err) {
        log.error({ err }, 'a change of plugins was not taken over')
      }
    }
  }

  async function switched(id: string, isOn: boolean): Promise<void> {
    const fault = switchFault(id)
    if (fault !== undefined) throw new Error(fault)
    const plugin = named(id)!
    if ((plugin.state === 'off') !== isOn) return
    plugin.switch(isOn)
    // At once, so that no request finds it half there, and whoever switches it on sees whether it loads.
    if (isLazy(plugin) && sound.has(plugin)) await (isOn ? lives.load(plugin) : lives.renew(plugin))
    log.info({ plugin: id }, isOn ? 'a plugin was switched on' : 'a plugin was switched off')
    await changed()
  }

  return {
    switchFault,
    switchOff: (id) => switched(id, false),
    switchOn: (id) => switched(id, true),
    async reload(id) {
      const plugin = named(id)
      const why = plugin === undefined ? switchFault(id) : reloadFault(plugin)
      if (plugin === undefined || why !== undefined) throw new Error(why)
      const found = await foundAgain(plugin.origin!, ++again)
      const checked = readPlugin(found)
      const { manifest } = checked
      const fault = faultOfChange(plugin.manifest, manifest)
      if (fault !== undefined) throw new Error(`${found.where}: ${fault}`)
      const tried: Life = await lives.another(candidate(checked))
      if (found.origin?.isolated) await tried.stop?.()
      await lives.renew(plugin, checked)
      if (plugin.state !== 'off') await lives.load(plugin)
      log.info({ plugin: id, version: manifest.version }, 'a plugin was loaded again')
      await changed()
    },
    onChange(listener) {
      listeners.push(listener)
    },
  }
}

/** A sentence where the gateway holds on to what changed; undefined: it does not. */
function faultOfChange(before: Manifest, after: Manifest): string | undefined {
  const fields = new Set([...Object.keys(before), ...Object.keys(after)]) as Set<keyof Manifest>
  for (const field of fields) {
    if (replaceable.has(field) || isDeepStrictEqual(before[field], after[field])) continue
    return `"${field}" is not what it was, which takes a new start of the gateway.`
  }
  return undefined
}
