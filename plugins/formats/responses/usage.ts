/**
 * Token counts between the responses format, where the input count includes what was read from and written to the
 * cache, and the disjoint counts of the gateway.
 */
import type { Usage } from '../../../kernel/contract/event.js'
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import { shownSum, Total } from '../../../kernel/toolkit/format/index.js'
import { defined, objectOf } from './fields.js'

export interface UsageReading {
  readonly usage: Usage
  /** The upstream's own object. */
  readonly raw: JsonObject
}

/** Usage of a finished response and of the calls of its tools together; undefined where neither has any. */
export function findUsage(
  response: JsonObject,
  serverTools: Usage['serverTools'],
): UsageReading | undefined {
  const raw = objectOf(response.usage)
  if (raw === undefined && serverTools === undefined) return undefined
  return { usage: defined({ ...(raw && readUsage(raw)), serverTools }), raw: raw ?? {} }
}

/**
 * A share never exceeds what its total leaves. Absurd totals pass, and what is no number becomes one that cannot be:
 * both are made sane, and flagged, where usage is billed (M21).
 */
function readUsage(raw: JsonObject): Usage {
  const details = objectOf(raw.input_tokens_details) ?? {}
  const input = new Total(count(raw.input_tokens))
  const cacheRead = input.take(count(details.cached_tokens))
  const cacheWrite5m = input.take(count(details.cache_write_tokens))
  const inputAudio = input.take(count(details.audio_tokens))
  const inputImage = input.take(count(details.image_tokens))
  const output = count(raw.output_tokens)
  const reasoning = count(objectOf(raw.output_tokens_details)?.reasoning_tokens)
  return {
    input: input.left,
    cacheRead,
    cacheWrite5m,
    inputAudio,
    inputImage,
    output,
    reasoning: output === undefined ? reasoning : new Total(output).take(reasoning),
  }
}

function count(value: Json | undefined): number | undefined {
  if (value === undefined || value === null) return undefined
  return typeof value === 'number' ? value : Number.NaN
}

/** The counts a client of this format reads; it always finds the two details its library knows. */
export function writeUsage(usage: Usage): JsonObject {
  const { cacheRead, cacheWrite5m, cacheWrite1h } = usage
  const written = shownSum(cacheWrite5m, cacheWrite1h)
  const toldWritten = cacheWrite5m !== undefined || cacheWrite1h !== undefined
  const input = shownSum(usage.input, cacheRead, usage.inputAudio, usage.inputImage) + written
  const output = shownSum(usage.output, usage.outputAudio, usage.outputImage)
  return {
    input_tokens: input,
    input_tokens_details: {
      cached_tokens: shownSum(cacheRead),
      ...(toldWritten && { cache_write_tokens: written }),
    },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: shownSum(usage.reasoning) },
    total_tokens: input + output,
  }
}

/** Later non-missing counts replace earlier ones; 0 is not missing. */
export function mergeUsage(earlier: Usage, later: Usage): Usage {
  return { ...earlier, ...defined(later) }
}
