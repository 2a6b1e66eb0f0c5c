/**
 * Token counts of the Converse API. `inputTokens` leaves out what was read from or written to the cache, as the
 * canonical counts do (user guide, prompt caching, 2026-11).
 */
import type { Usage } from '../../../kernel/contract/event.js'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { present } from '../../../kernel/toolkit/json/index.js'

export function readUsage(raw: JsonObject): Usage {
  const written = count(raw.cacheWriteInputTokens)
  const oneHour = writtenFor(raw.cacheDetails, '1h')
  return present({
    input: count(raw.inputTokens),
    cacheRead: count(raw.cacheReadInputTokens),
    cacheWrite5m: written === undefined ? undefined : written - (oneHour ?? 0),
    cacheWrite1h: oneHour,
    output: count(raw.outputTokens),
  })
}

function writtenFor(details: Json | undefined, ttl: string): number | undefined {
  if (!Array.isArray(details)) return undefined
  return count(details.filter(isObject).find((detail) => detail.ttl === ttl)?.inputTokens)
}

/** Absurd numbers pass, and what is no number becomes one that cannot be: both are made sane where usage is billed. */
function count(value: Json | undefined): number | undefined {
  if (value === undefined || value === null) return undefined
  return typeof value === 'number' ? value : Number.NaN
}
