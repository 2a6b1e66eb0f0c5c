/** Finds plugins in folders: every folder with a `manifest.json` is one, and nothing below it is another. */
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Manifest, PluginOrigin } from '../contract/manifest.js'

/** A plugin before anything is known of it but its place. */
export interface Found {
  /** The manifest's path, for sentences. */
  readonly where: string
  /** Text of the manifest. */
  readonly text: string
  /** Absent: it comes with the gateway. */
  readonly origin?: PluginOrigin
  /** Imports the module beside the manifest. */
  load(entry: string): Promise<unknown>
}

/** Folders below a root that are looked into: `plugins/<kind>/<name>` is two. */
const depthMax = 3

/** Every plugin under the roots, in order of path. Throws where a root is no folder. */
export async function discover(roots: readonly URL[]): Promise<readonly Found[]> {
  const found = await Promise.all(roots.map((root) => findIn(asFolder(root), 0)))
  return found.flat()
}

/**
 * Imports the modules of the plugins whose manifest is `wanted` ahead of their creation, so that it happens while
 * something else is waited for. Never rejects: what fails here fails again, with words, when the plugin is created.
 */
export async function importAhead(
  plugins: readonly Found[],
  wanted: (manifest: Partial<Manifest>) => boolean,
): Promise<void> {
  try {
    for (const { text, load } of plugins) {
      const manifest: Partial<Manifest> = JSON.parse(text)
      if (wanted(manifest)) await load(String(manifest.entry))
    }
  } catch {
    // Reported by the registry.
  }
}

/** Imports the entry of a plugin and answers its `create`; throws a sentence where it has none. */
export async function importCreate(
  found: Pick<Found, 'load'>,
  manifest: Pick<Manifest, 'entry'>,
): Promise<(kit: object) => unknown> {
  const module = await found.load(manifest.entry)
  const create = typeof module === 'object' && module && 'default' in module && module.default
  if (typeof create !== 'function')
    throw new Error(`${manifest.entry} has no default export create(kit)`)
  return (kit) => create(kit)
}

async function findIn(folder: URL, depth: number): Promise<readonly Found[]> {
  const entries = await entriesOf(folder)
  if (entries.some((entry) => entry.isFile() && entry.name === 'manifest.json')) {
    return [await open(folder)]
  }
  if (depth === depthMax) return []
  const below = entries
    .filter((entry) => entry.isDirectory() && !/^(\.|node_modules$)/.test(entry.name))
    .map((entry) => entry.name)
    .sort()
  const found = await Promise.all(
    below.map((name) => findIn(new URL(`${encodeURIComponent(name)}/`, folder), depth + 1)),
  )
  return found.flat()
}

async function entriesOf(folder: URL) {
  try {
    return await readdir(folder, { withFileTypes: true })
  } catch (cause) {
    throw new Error(`The plugin folder ${fileURLToPath(folder)} cannot be read.`, { cause })
  }
}

/**
 * The plugin of a folder that holds a manifest. Rejects where that cannot be read. `again`: how many times it was loaded before, so
 * that its modules are read anew.
 */
export async function open(folder: URL, origin?: PluginOrigin, again = 0): Promise<Found> {
  const manifest = new URL('manifest.json', folder)
  return {
    where: fileURLToPath(manifest),
    text: await readFile(manifest, 'utf8'),
    ...(origin !== undefined && { origin }),
    load: (entry) => import(new URL(again > 0 ? `${entry}?again=${again}` : entry, manifest).href),
  }
}

function asFolder(root: URL): URL {
  return root.pathname.endsWith('/') ? root : new URL(`${root.href}/`)
}
