/** Task types in use, and the channels whose tasks they serve. */
import type { Manifest } from '../../contract/manifest.js'
import type { Catalog } from '../../contract/services/catalog.js'

export interface TaskType {
  readonly manifest: Manifest
  /** Numbers of its own channel types, and of those of others it serves. */
  readonly channelTypes: ReadonlySet<number>
}

export function taskTypesIn(catalog: Pick<Catalog, 'list' | 'channelTypes'>): readonly TaskType[] {
  const numbers = new Map(catalog.channelTypes().map(({ key, id }) => [key, id]))
  return catalog
    .list()
    .filter(({ manifest, state }) => manifest.kind === 'task' && state !== 'failed')
    .map(({ manifest }) => {
      const { channelTypes, serves = [] } = manifest
      const ofOthers = serves.flatMap((name) =>
        typeof name === 'number' ? name : (numbers.get(name) ?? []),
      )
      return { manifest, channelTypes: new Set([...channelTypes.map(({ id }) => id), ...ofOthers]) }
    })
}
