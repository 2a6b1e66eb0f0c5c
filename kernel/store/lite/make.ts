/**
 * The process that makes a new database: its options as JSON are the argument, and it ends with status 0 once the directory is
 * whole. To make one takes several hundred megabytes, which a thread would leave with the gateway.
 */
import { rmSync } from 'node:fs'
import { openPglite } from './open.js'

const options: { readonly directory: string; readonly snapshotFile?: string } = JSON.parse(
  process.argv[2] ?? '{}',
)

// Whoever started this is gone: nobody would move the directory to its place.
process.once('disconnect', abandon)
if (!process.connected) abandon()

try {
  const database = await openPglite(options)
  await database.close()
  process.off('disconnect', abandon)
  process.disconnect?.()
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  abandon()
}

function abandon(): never {
  rmSync(options.directory, { recursive: true, force: true })
  process.exit(1)
}
