/** The embedded database of a data directory, before anybody is connected to it: locked, made where it is missing, and open. */
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Log } from '../contract/kit.js'
import { lockDataDirectory } from './data-directory-lock.js'
import { type Lite, openLite } from './lite/lite.js'

export interface Embedded {
  readonly lite: Lite
  /** Gives the directory free. The database is closed before. */
  release(): Promise<void>
}

/** Made by the build, with every migration of the program applied. */
const migrated = fileURLToPath(new URL('./migrated.tar', import.meta.url))

/** Rejects with `DataDirectoryInUse`, whose sentence is for the operator, or where the database cannot be opened. */
export async function openEmbedded(dataDir: string, log: Log): Promise<Embedded> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const { release } = await lockDataDirectory(dataDir)
  try {
    const snapshotFile = existsSync(migrated) ? migrated : undefined
    const lite = await openLite({ directory: join(dataDir, 'pglite'), snapshotFile, log })
    log.warn({ dataDir }, 'embedded database: survives a killed process, not a power loss')
    return { lite, release }
  } catch (error) {
    await release()
    throw error
  }
}
