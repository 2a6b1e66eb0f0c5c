/** Ids where a wire format has none: always the same for the same place, so that both sides of a call agree. */
import { createHash } from 'node:crypto'

/** `prefix` and 24 hexadecimal characters that depend on the seeds alone. */
export function mintId(prefix: string, ...seeds: readonly (string | number)[]): string {
  const hash = createHash('sha256').update(JSON.stringify(seeds)).digest('hex')
  return prefix + hash.slice(0, 24)
}
