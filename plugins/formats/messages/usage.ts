/**
 * Token counts of the messages format. Its `input_tokens` excludes what was read from or written to the cache, as the
 * canonical counts do, so nothing is added or subtracted.
 */
import type { Usage } from '../../../kernel/contract/event.js'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { shownSum } from '../../../kernel/toolkit/format/index.js'
import { defined, unlessEmpty } from './defined.js'

/**
 * Reads one usage object. Counts are cumulative over a stream; `earlier` is what was known before, needed where a
 * later object repeats the cache total without its split by lifetime and would be counted twice otherwise.
 */
export function readUsage(raw: JsonObject, earlier: Usage = {}): Usage {
  const details = isObject(raw.output_tokens_details) ? raw.output_tokens_details : {}
  return defined({
    input: count(raw.input_tokens),
    cacheRead: count(raw.cache_read_input_tokens),
    ...readCacheWrites(raw, earlier),
    output: count(raw.output_tokens),
    reasoning: count(details.thinking_tokens),
    serverTools: readServerTools(raw.server_tool_use),
  })
}

/** What a total holds beyond the split is five-minute cache; a total alone is nothing else. */
function readCacheWrites(raw: JsonObject, earlier: Usage): Usage {
  const split = isObject(raw.cache_creation) ? raw.cache_creation : {}
  const fiveMinutes = count(split.ephemeral_5m_input_tokens)
  const oneHour = count(split.ephemeral_1h_input_tokens)
  const total = count(raw.cache_creation_input_tokens)
  if (total === undefined) return { cacheWrite5m: fiveMinutes, cacheWrite1h: oneHour }
  if (fiveMinutes === undefined && oneHour === undefined) {
    return { cacheWrite5m: total - (earlier.cacheWrite1h ?? 0) }
  }
  return { cacheWrite5m: Math.max(fiveMinutes ?? 0, total - (oneHour ?? 0)), cacheWrite1h: oneHour }
}

/** `web_search_requests` counts as `web_search`. */
function readServerTools(raw: Json | undefined): Usage['serverTools'] {
  if (!isObject(raw)) return undefined
  const tools: Record<string, number> = {}
  for (const [key, value] of Object.entries(raw)) {
    const calls = count(value)
    if (key.endsWith('_requests') && calls !== undefined) tools[key.slice(0, -9)] = calls
  }
  return unlessEmpty(tools)
}

/**
 * Absurd numbers pass, and what is no number becomes one that cannot be: both are made sane, and flagged, where usage
 * is billed (M21).
 */
function count(value: Json | undefined): number | undefined {
  if (value === undefined || value === null) return undefined
  return typeof value === 'number' ? value : Number.NaN
}

/** The counts a messages client reads. Missing ones are 0; audio and images have no place of their own here. */
export function writeUsage(usage: Usage): JsonObject {
  const { cacheWrite5m, cacheWrite1h, reasoning } = usage
  return defined({
    input_tokens: shownSum(usage.input, usage.inputAudio, usage.inputImage),
    cache_creation_input_tokens: shownSum(cacheWrite5m, cacheWrite1h),
    cache_read_input_tokens: shownSum(usage.cacheRead),
    cache_creation: cacheWrite1h === undefined ? undefined : writeSplit(cacheWrite5m, cacheWrite1h),
    output_tokens: shownSum(usage.output, usage.outputAudio, usage.outputImage),
    output_tokens_details:
      reasoning === undefined ? undefined : { thinking_tokens: shownSum(reasoning) },
    server_tool_use: writeServerTools(usage.serverTools),
  })
}

function writeSplit(fiveMinutes: number | undefined, oneHour: number): JsonObject {
  return {
    ephemeral_5m_input_tokens: shownSum(fiveMinutes),
    ephemeral_1h_input_tokens: shownSum(oneHour),
  }
}

function writeServerTools(tools: Usage['serverTools']): JsonObject | undefined {
  if (tools === undefined) return undefined
  const calls = Object.entries(tools).map(([tool, count]) => [`${tool}_requests`, shownSum(count)])
  return Object.fromEntries(calls)
}

/** Later non-missing counts replace earlier ones; 0 is not missing. */
export function mergeUsage(earlier: Usage, later: Usage): Usage {
  return { ...earlier, ...defined(later) }
}
