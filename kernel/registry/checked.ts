/** From found folders to checked manifests: each is sound by itself and among the others, or carries what is wrong. */
import type { Manifest, PluginKind } from '../contract/manifest.js'
import { deprecations } from './deprecations.js'
import type { Found } from './discovery.js'
import { readIcon } from './icon.js'
import { inspectManifest, sentencesOf, statedId } from './manifest.js'
import { findFaults, type Surroundings } from './manifest-set.js'

export interface Checked {
  readonly found: Found
  readonly manifest: Manifest
  /** What is wrong, in one sentence that names the file. Absent: nothing is. */
  readonly fault?: string
  readonly warnings: readonly string[]
}

/** Throws only for a manifest that does not even say which plugin it is: nothing could be shown of it. */
export function checkAll(found: readonly Found[], surroundings: Surroundings): readonly Checked[] {
  const read = found.map((one) => readOne(one, surroundings.deprecations))
  const faults = findFaults(
    read.map(({ manifest }) => manifest),
    surroundings,
  )
  return read.map((checked, index) => {
    const among = faults.get(index)
    return among === undefined || checked.fault !== undefined
      ? checked
      : { ...checked, fault: `${checked.found.where}: ${among}.` }
  })
}

/** The plugin of a manifest that is sound by itself. Throws a sentence where it is not. */
export function readPlugin(found: Found, table = deprecations): Omit<Checked, 'fault'> {
  const { manifest, ...notes } = inspectManifest(found.text, found.where, table.manifest)
  const warnings = sentencesOf(notes)
  const { icon: place, ...rest } = manifest
  if (place === undefined) return { found, manifest, warnings }
  const reading = readIcon(place, found.where)
  if (reading.icon !== undefined) {
    return { found, manifest: { ...rest, icon: reading.icon }, warnings }
  }
  const sentence = `The icon ${place} is not shown: ${reading.fault}.`
  return { found, manifest: rest, warnings: [...warnings, sentence] }
}

function readOne(found: Found, table = deprecations): Checked {
  try {
    const checked = readPlugin(found, table)
    if (found.origin !== undefined && checked.manifest.kind === 'stage') {
      throw new Error(`${found.where}: "kind" is "stage", and stages come with the gateway alone.`)
    }
    return checked
  } catch (error) {
    const manifest = standIn(found.text)
    if (!manifest || !(error instanceof Error)) throw error
    return { found, manifest, fault: error.message, warnings: [] }
  }
}

/** What can be shown of a plugin whose manifest is not sound. Undefined: it does not say which one it is. */
function standIn(text: string): Manifest | undefined {
  const id = statedId(text)
  if (id === undefined) return undefined
  return {
    id,
    kind: id.slice(0, id.indexOf('.')) as PluginKind,
    engines: { waybill: '*' },
    version: '0.0.0',
    title: id,
    entry: './index.js',
    requires: [],
    hosts: [],
    channelTypes: [],
    settings: [],
    channelSettings: [],
    instanceSettings: [],
    userSettings: [],
    routes: [],
  }
}
