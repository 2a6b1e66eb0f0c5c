/** Opens the embedded PostgreSQL, in whichever thread or process this runs. */
import { openAsBlob } from 'node:fs'
import { PGlite } from '@electric-sql/pglite'

export interface OpenOptions {
  /** Directory of the database; undefined: in memory. */
  readonly directory?: string
  /** File made by `snapshot`, loaded into an empty database. */
  readonly snapshotFile?: string
}

/**
 * Pages the database keeps for itself, on top of what the system caches of its files. The default of 160 MB is held from the
 * first moment and never given back.
 */
const sharedBuffers = '32MB'

export async function openPglite({ directory, snapshotFile }: OpenOptions): Promise<PGlite> {
  return PGlite.create({
    dataDir: directory ?? 'memory://',
    loadDataDir: snapshotFile ? await openAsBlob(snapshotFile) : undefined,
    startParams: [...PGlite.defaultStartParams, '-c', `shared_buffers=${sharedBuffers}`],
  })
}
