/** From found folders to checked manifests: each is sound by itself and among the others, or carries what is wrong. */
import type { Manifest } from '../contract/manifest.js'
import type { Found } from './discovery.js'
import { isKind, readManifest } from './manifest.js'
import { findFaults, type Surroundings } from './manifest-set.js'

export interface Checked {
  readonly found: Found
  readonly manifest: Manifest
  /** What is wrong, in one sentence that names the file. Absent: nothing is. */
  readonly fault?: string
}

/** Throws only for a manifest that does not even say which plugin it is: nothing could be shown of it. */
export function checkAll(found: readonly Found[], around: Surroundings): readonly Checked[] {
  const read = found.map(readOne)
  const faults = findFaults(
    read.map(({ manifest }) => manifest),
    around,
  )
  return read.map((checked, index) => {
    const among = faults.get(index)
    return among === undefined || checked.fault !== undefined
      ? checked
      : { ...checked, fault: `${checked.found.where}: ${among}.` }
  })
}

function readOne(found: Found): Checked {
  try {
    return { found, manifest: readManifest(found.text, found.where) }
  } catch (error) {
    const manifest = standIn(found.text)
    if (!manifest || !(error instanceof Error)) throw error
    return { found, manifest, fault: error.message }
  }
}

/** What can be shown of a plugin whose manifest is not sound. Undefined: it does not say which one it is. */
function standIn(text: string): Manifest | undefined {
  const [, id, kind] = /"id"\s*:\s*"((\w+)\.[\w-]+)"/.exec(text) ?? []
  if (id === undefined || kind === undefined || !isKind(kind)) return undefined
  return {
    id,
    kind,
    contract: 1,
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
