/**
 * Finds the plugins that do not come with the gateway: npm packages and folders that `PLUGINS` and `PLUGINS_FILE` name. It reads
 * `package.json` and manifests; no code of theirs runs. What is wrong with an entry becomes a sentence, and the others are found.
 */
import { readFile, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isObject } from '../contract/json.js'
import type { PluginOrigin } from '../contract/manifest.js'
import type { PluginSources } from '../contract/services/system.js'
import { type Found, open } from './discovery.js'
import { withIsolated } from './isolated/choice.js'
import { statedId } from './manifest.js'

export interface Outside {
  readonly found: readonly Found[]
  /** What is wrong with entries of which no plugin can be shown, a sentence each. */
  readonly problems: readonly string[]
}

/** An entry, and the folder that a relative one starts from. */
interface Entry {
  readonly text: string
  readonly base: string
}

type Package = NonNullable<PluginOrigin['package']>

/** `taken`: ids of the plugins that come with the gateway, which no other may have. Never rejects. */
export async function discoverOutside(
  sources: PluginSources,
  taken: ReadonlySet<string>,
): Promise<Outside> {
  const problems: string[] = []
  const found: Found[] = []
  const owners = new Map([...taken].map((id) => [id, 'a plugin that comes with the gateway']))
  for (const entry of await entriesOf(sources, problems)) {
    try {
      for (const plugin of await pluginsOf(entry, sources.from)) {
        const id = identified(plugin)
        const owner = owners.get(id)
        if (owner !== undefined) {
          problems.push(`${plugin.where}: its id "${id}" is that of ${owner}; it is left out.`)
          continue
        }
        owners.set(id, plugin.where)
        found.push(plugin)
      }
    } catch (error) {
      problems.push(`${entry.text}: ${reasonOf(error)}`)
    }
  }
  const choice = withIsolated(found, sources.isolated)
  return { found: choice.found, problems: [...problems, ...choice.problems] }
}

async function entriesOf(
  { names, file, from }: PluginSources,
  problems: string[],
): Promise<readonly Entry[]> {
  const entries = names.map((text) => ({ text, base: from[0] ?? '/' }))
  if (file === undefined) return entries
  try {
    const lines = (await readFile(file, 'utf8')).split('\n').map((line) => line.replace(/#.*/, ''))
    const texts = lines.map((line) => line.trim()).filter((line) => line !== '')
    return [...entries, ...texts.map((text) => ({ text, base: dirname(file) }))]
  } catch (error) {
    problems.push(`PLUGINS_FILE names ${file}, which cannot be read: ${reasonOf(error)}.`)
    return entries
  }
}

async function pluginsOf({ text, base }: Entry, from: readonly string[]): Promise<Found[]> {
  const isFolder = text.startsWith('.') || isAbsolute(text)
  const folder = isFolder ? resolve(base, text) : await packageFolder(text, from)
  if (!(await isThere(folder))) throw new Error(`there is no folder ${folder}.`)
  if (await isThere(join(folder, 'manifest.json'))) {
    return [await openAt(folder, { entry: text, folder })]
  }
  const packed = await readPackage(folder)
  const all: Found[] = []
  for (const place of packed.places) {
    const at = resolve(folder, place)
    if (!(await isThere(join(at, 'manifest.json')))) {
      throw new Error(
        `"waybill.plugins" names "${place}", where there is no manifest.json; is the package built?`,
      )
    }
    all.push(await openAt(at, { entry: text, folder: at, package: packed.package }))
  }
  return all
}

/** The same plugin as it is there now, its code to be imported anew. Rejects where that cannot be read. */
export async function foundAgain(origin: PluginOrigin, again: number): Promise<Found> {
  const { folder } = origin
  if (origin.package === undefined) return openAt(folder, origin, again)
  let above = folder
  while (!(await isThere(join(above, 'package.json'))) && above !== dirname(above)) {
    above = dirname(above)
  }
  const { package: stated } = await readPackage(above)
  return openAt(folder, { ...origin, package: stated }, again)
}

function openAt(folder: string, origin: PluginOrigin, again?: number): Promise<Found> {
  return open(pathToFileURL(`${folder}/`), origin, again)
}

const packageName = /^(@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/

/** As Node.js looks for packages, whatever their `exports` allow. */
async function packageFolder(name: string, from: readonly string[]): Promise<string> {
  if (!packageName.test(name)) {
    throw new Error('it is neither the name of a package nor a folder; folders begin with "./".')
  }
  for (const place of from) {
    const modules = createRequire(join(place, 'any.js')).resolve.paths(name) ?? []
    for (const folder of modules) {
      if (await isThere(join(folder, name, 'package.json'))) return join(folder, name)
    }
  }
  throw new Error(`there is no such package; it is looked for from ${from.join(' and ')}.`)
}

interface PluginPackage {
  readonly package: Package
  /** Folders of its plugins, relative to its own. */
  readonly places: readonly string[]
}

async function readPackage(folder: string): Promise<PluginPackage> {
  const place = join(folder, 'package.json')
  if (!(await isThere(place))) {
    throw new Error('it has neither a manifest.json nor a package.json.')
  }
  const read = parsed(await readFile(place, 'utf8'))
  const { name, version, license, waybill } = isObject(read) ? read : {}
  const places = isObject(waybill) ? waybill.plugins : undefined
  if (!Array.isArray(places) || places.length === 0 || !places.every(isPlace)) {
    throw new Error(
      'its package.json must name the folders of its plugins within it, as "waybill": { "plugins": ["./dist/acme"] }.',
    )
  }
  return {
    package: { name: textOf(name), version: textOf(version), license: textOf(license) },
    places,
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`its package.json is no JSON: ${reasonOf(error)}.`)
  }
}

function isPlace(place: unknown): place is string {
  if (typeof place !== 'string' || isAbsolute(place)) return false
  const within = relative('/package', resolve('/package', place))
  return !within.startsWith('..')
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Of a manifest that states no id nothing could be shown. */
function identified({ text, where }: Found): string {
  const id = statedId(text)
  if (id !== undefined) return id
  throw new Error(`${where} states no id of a kind there is, as "id": "provider.acme".`)
}

async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
