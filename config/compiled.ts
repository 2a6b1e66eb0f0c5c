/**
 * What V8 made of the modules is kept in the data directory and found there by the next start, where Node.js can do so. Not in
 * the system's folder of temporary files: who can write there could have the gateway run code of theirs.
 */
import { mkdirSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { join } from 'node:path'

/** What Node.js has from 22.8 on. */
interface CompileCache {
  enableCompileCache?(folder: string): unknown
}

/** Concerns modules that are imported from now on. Where the folder cannot be written, nothing is kept. */
export function keepCompiled(dataDir: string): void {
  const { enableCompileCache } = nodeModule as CompileCache
  if (enableCompileCache === undefined) return
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  } catch {
    // Whoever needs it reports it.
    return
  }
  enableCompileCache(join(dataDir, 'compiled'))
}
