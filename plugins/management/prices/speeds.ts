/**
 * How fast models were, read once for all who look and kept for minutes: anyone may look, and the database is read for nobody
 * else meanwhile. What cannot be read leaves what was known.
 */
import type { Clock, Log } from '../../../kernel/contract/kit.js'
import type { ModelSpeed } from '../../services/usage-log/index.js'

export type Speeds = ReadonlyMap<string, ModelSpeed>

const keptMs = 180_000

export function keptSpeeds(
  read: () => Promise<Speeds>,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): () => Promise<Speeds> {
  let known: Speeds = new Map()
  let due = Number.NEGATIVE_INFINITY
  let reading: Promise<Speeds> | undefined

  async function readAgain(): Promise<Speeds> {
    try {
      known = await read()
    } catch (error) {
      log.warn({ err: error }, 'the speed of models could not be read')
    }
    due = clock.monotonic() + keptMs
    reading = undefined
    return known
  }

  return () => {
    if (clock.monotonic() < due) return Promise.resolve(known)
    reading ??= readAgain()
    // Only the first waits; whoever comes while it is read anew sees what was known.
    return due === Number.NEGATIVE_INFINITY ? reading : Promise.resolve(known)
  }
}
