/** Keeps results of media tasks where an admin chose to: nowhere, in a folder or in a bucket (README beside this file). */
import { isAbsolute, join } from 'node:path'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { folderStore } from './folder.js'
import { reading } from './reading.js'
import { s3Store } from './s3.js'
import { createS3Call, namePattern } from './s3-call.js'
import { StorageFault, type Store } from './store.js'
import type { PutOutcome, StoragePlace, StoredFile, TaskStorage } from './task-storage.js'

export type * from './task-storage.js'

const megabyte = 1024 * 1024
/** A result that takes longer is given up, and fetched again later. */
const fetchMsMax = 600_000
const dayMs = 86_400_000

export default function create({
  services: { egress, system },
  settings,
  clock,
}: Kit<'egress' | 'system'>): TaskStorage {
  const stores: Readonly<Record<StoragePlace, Store>> = {
    folder: folderStore(folder),
    s3: s3Store(createS3Call({ egress, clock, bucket })),
  }

  function folder(): string {
    const path = settings.string('folder') || join(system.environment.dataDir, 'task-results')
    if (!isAbsolute(path)) throw new StorageFault('The folder must be a whole path.')
    return path
  }

  function bucket() {
    return {
      endpoint: settings.string('endpoint'),
      region: settings.string('region'),
      bucket: settings.string('bucket'),
      accessKey: settings.string('accessKey'),
      secretKey: settings.string('secretKey'),
      pathStyle: settings.boolean('pathStyle'),
      prefix: settings.string('prefix'),
    }
  }

  function place(): StoragePlace | undefined {
    const where = settings.string('where')
    return where === 'folder' || where === 's3' ? where : undefined
  }

  return {
    place,
    days: () => settings.number('days'),
    async put(file, { source, type }): Promise<PutOutcome> {
      const bytesMax = settings.number('megabytesMax') * megabyte
      const read = reading(source, { bytesMax, msMax: fetchMsMax, clock })
      try {
        await stores[file.place].put(nameOf(file), { pieces: read.pieces, type })
        return { kind: 'stored', bytes: read.bytes() }
      } catch (error) {
        return read.fault() ?? { kind: 'storage', reason: reasonOf(error) }
      } finally {
        read.close()
      }
    },
    read: async (file, stretch) => stores[file.place].read(nameOf(file), stretch),
    remove: async (file) => stores[file.place].remove(nameOf(file)),
    async tidy() {
      const chosen = place()
      if (chosen !== undefined) await stores[chosen].tidy(new Date(clock.now() - dayMs))
    },
  }
}

function nameOf({ name }: StoredFile): string {
  if (!namePattern.test(name)) throw new StorageFault('The name of a file is none of this gateway.')
  return name
}

const words: Readonly<Record<string, string>> = {
  ENOSPC: 'The disk is full.',
  EDQUOT: 'The disk is full.',
  EROFS: 'The folder cannot be written to.',
  EACCES: 'The folder cannot be written to.',
  EPERM: 'The folder cannot be written to.',
  ENOTDIR: 'The folder is none.',
}

/** Without paths and addresses. */
function reasonOf(error: unknown): string {
  if (error instanceof StorageFault) return error.message
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return words[code] ?? `Writing failed${code === '' ? '' : ` (${code})`}.`
}
