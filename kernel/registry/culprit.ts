/** Whose code an error came from, by the files in its stack: for faults nobody caught, of which nothing else is known. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Manifest } from '../contract/manifest.js'
import { isKind } from './manifest.js'

export type Culprit = Pick<Manifest, 'id' | 'kind'>

export interface StackOwners {
  /** Plugins whose code was running, innermost first. */
  readonly plugins: readonly Culprit[]
  /** Code of this program was running that belongs to no plugin. */
  readonly kernel: boolean
}

const causesMax = 4
/** Frames stand within this; a message before them may be as long as what it quotes. */
const stackMax = 64 * 1024

/** Reads the disk, so it is for faults alone. `root` is the folder of the program. */
export function ownersOf(error: unknown, root: string): StackOwners {
  const plugins = new Map<string, Culprit>()
  let kernel = false
  for (const file of filesOf(error, 0)) {
    const plugin = pluginAbove(file)
    if (plugin !== undefined) plugins.set(plugin.id, plugin)
    else if (file.startsWith(root) && !file.includes('node_modules')) kernel = true
  }
  return { plugins: [...plugins.values()], kernel }
}

function filesOf(error: unknown, depth: number): readonly string[] {
  if (!(error instanceof Error)) return []
  const places = String(error.stack)
    .slice(-stackMax)
    .matchAll(/(file:\/\/[^\s()]+|(?:[A-Za-z]:)?[\\/][^():]+):\d+:\d+/g)
  const files = Array.from(places, ([, place = '']) => pathOf(place))
  return depth === causesMax ? files : [...files, ...filesOf(error.cause, depth + 1)]
}

function pathOf(place: string): string {
  if (!URL.canParse(place) || !place.startsWith('file:')) return place
  return fileURLToPath(place)
}

const levelsMax = 8

/** The next manifest above a file; the stack may name sources or what was made of them, and both have one. */
function pluginAbove(file: string): Culprit | undefined {
  let folder = dirname(file)
  for (let level = 0; level < levelsMax; level += 1) {
    const place = join(folder, 'manifest.json')
    const found = existsSync(place) ? readCulprit(place) : undefined
    if (found !== undefined || dirname(folder) === folder) return found
    folder = dirname(folder)
  }
  return undefined
}

function readCulprit(place: string): Culprit | undefined {
  try {
    const { id, kind }: Record<string, unknown> = JSON.parse(readFileSync(place, 'utf8'))
    return typeof id === 'string' && typeof kind === 'string' && isKind(kind)
      ? { id, kind }
      : undefined
  } catch {
    return undefined
  }
}
