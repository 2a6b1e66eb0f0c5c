/** From found folders to checked manifests: each is sound by itself and among the others, or carries what is wrong. */
import type { Manifest } from '../contract/manifest.js'
import type { Found } from './discovery.js'
import { inspectManifest, isKind } from './manifest.js'
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
  const read = found.map(readOne)
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

function readOne(found: Found): Checked {
  try {
    const { manifest, unknown } = inspectManifest(found.text, found.where)
    return { found, manifest, warnings: unknown.map(sentenceOf) }
  } catch (error) {
    const manifest = standIn(found.text)
    if (!manifest || !(error instanceof Error)) throw error
    return { found, manifest, fault: error.message, warnings: [] }
  }
}

function sentenceOf(field: string): string {
  return `The manifest has a field "${field}", which this version of the gateway does not know; it has no effect.`
}

/** What can be shown of a plugin whose manifest is not sound. Undefined: it does not say which one it is. */
function standIn(text: string): Manifest | undefined {
  const [, id, kind] = /"id"\s*:\s*"((\w+)\.[\w-]+)"/.exec(text) ?? []
  if (id === undefined || kind === undefined || !isKind(kind)) return undefined
  return {
    id,
    kind,
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
