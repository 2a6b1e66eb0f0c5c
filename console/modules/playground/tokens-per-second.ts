/** How fast an answer was written, from its first token to its last. */
import type { Answer } from './conversation.js'

/** Shorter than this no rate is shown: an answer that came whole took no time to write. */
const leastMs = 20

export function tokensPerSecond({ usage, firstMs, totalMs }: Answer): number | undefined {
  if (usage === undefined || firstMs === undefined || totalMs === undefined) return undefined
  const ms = totalMs - firstMs
  if (ms < leastMs || usage.completion === 0) return undefined
  return Math.round((usage.completion / ms) * 10_000) / 10
}
