/** From found folders to plugins in load order, those that are not sound failed and last; and what must not be missing. */
import type { Manifest } from '../contract/manifest.js'
import { checkAll } from './checked.js'
import type { Found } from './discovery.js'
import { namesOf, type Surroundings } from './manifest-set.js'
import { loadOrder } from './order.js'
import { createPlugin, type Plugin, type PluginDependencies } from './plugin.js'

export function arrange(
  found: readonly Found[],
  options: PluginDependencies & Surroundings & { readonly settingsSource: string },
): readonly Plugin[] {
  const plugins = new Map<Manifest, Plugin>()
  const checked = checkAll(found, options)
  const formats = namesOf(
    checked.map(({ manifest }) => manifest),
    'format',
  )
  for (const { fault, ...one } of checked) {
    const plugin = createPlugin(one, { ...options, formats })
    plugins.set(one.manifest, plugin)
    if (fault === undefined) plugin.checked()
    else plugin.fail(fault)
  }
  const sound = [...plugins.keys()].filter((manifest) => plugins.get(manifest)?.state === 'checked')
  const { order, cycles } = loadOrder(sound, options.settingsSource)
  for (const manifest of sound) {
    const cycle = cycles.find(({ ids }) => ids.includes(manifest.id))
    if (cycle) plugins.get(manifest)?.fail(cycle.sentence)
  }
  const rest = [...plugins.keys()].filter((manifest) => !order.includes(manifest))
  return [...order, ...rest].flatMap((manifest) => plugins.get(manifest) ?? [])
}

/** What a gateway cannot do without. */
export interface Essentials {
  /** Names of the stages of the line. */
  readonly line: readonly string[]
  /** Names of services. */
  readonly core: readonly string[]
}

/** Throws where a stage, or a service of `core`, has failed or is not there at all. */
export function assertEssentials(plugins: readonly Plugin[], { line, core }: Essentials): void {
  for (const plugin of plugins) {
    const { id, kind } = plugin.manifest
    const essential = kind === 'stage' || core.some((name) => id === `service.${name}`)
    if (!essential || plugin.state !== 'failed' || plugin.origin !== undefined) continue
    const reason = plugin.status().reason?.replace(/\.$/, '')
    throw new Error(`The gateway does not run without ${id}: ${reason}.`)
  }
  const ids = [...line.map((name) => `stage.${name}`), ...core.map((name) => `service.${name}`)]
  const missing = ids.find((id) => plugins.every(({ manifest }) => manifest.id !== id))
  if (missing === undefined) return
  throw new Error(`The gateway does not run without ${missing}: there is no such plugin.`)
}

/** True where the plugin has failed, or fails now because every plugin of a service it requires did. */
export function failsWithAnother(plugin: Plugin, plugins: readonly Plugin[]): boolean {
  if (plugin.state === 'failed') return true
  const missing = plugin.manifest.requires.find((name) => {
    const serving = plugins.filter(({ manifest }) => manifest.id === `service.${name}`)
    return serving.length > 0 && serving.every(({ state }) => state === 'failed')
  })
  if (missing === undefined) return false
  plugin.fail(`it requires the service "${missing}", which failed`)
  return true
}
