/**
 * Token counts between the chat format, where the prompt count includes cached, audio and image tokens, and the
 * disjoint counts of the gateway. Vendors place the cached count in three ways; all are read.
 */
import type { Usage } from '../../../kernel/contract/event.js'
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import { shownSum, Total } from '../../../kernel/toolkit/format/index.js'
import { numberOf, objectOf, objectsOf, present } from './fields.js'

export interface UsageReading {
  readonly usage: Usage
  readonly raw: JsonObject
}

/** The usage of a body or chunk; some upstreams put it into the last choice. */
export function findUsage(body: JsonObject): UsageReading | undefined {
  const raw =
    objectOf(body.usage) ??
    objectsOf(body.choices)
      .map(({ usage }) => objectOf(usage))
      .find((usage) => usage !== undefined)
  return raw && { usage: readUsage(raw), raw }
}

/**
 * Anything that is no number is dropped; a negative or absurd total is kept for the kernel to clamp and flag
 * (M21), but a share never exceeds what its total leaves.
 */
function readUsage(raw: JsonObject): Usage {
  const details = objectOf(raw.prompt_tokens_details) ?? {}
  const reported = objectOf(raw.completion_tokens_details) ?? {}
  const cached =
    countOf(details.cached_tokens) ??
    countOf(raw.prompt_cache_hit_tokens) ??
    countOf(raw.cached_tokens)
  const written = countOf(details.cache_write_tokens) ?? countOf(details.cached_creation_tokens)
  const reasoning = countOf(reported.reasoning_tokens)
  const usage: Writable<Usage> = {}

  const input = new Total(countOf(raw.prompt_tokens))
  keep(usage, 'cacheRead', input.take(cached))
  keep(usage, 'cacheWrite5m', input.take(written))
  keep(usage, 'inputAudio', input.take(countOf(details.audio_tokens)))
  keep(usage, 'inputImage', input.take(countOf(details.image_tokens)))
  keep(usage, 'input', input.left)

  const output = new Total(completion(raw, reasoning))
  keep(usage, 'outputAudio', output.take(countOf(reported.audio_tokens)))
  keep(usage, 'outputImage', output.take(countOf(reported.image_tokens)))
  keep(usage, 'output', output.left)
  keep(usage, 'reasoning', within(reasoning, output.left))
  return usage
}

type Writable<T> = { -readonly [K in keyof T]: T[K] }
type Count = Exclude<keyof Usage, 'serverTools' | 'dimensions' | 'counts'>

function keep(usage: Writable<Usage>, name: Count, count: number | undefined): void {
  if (count !== undefined) usage[name] = count
}

export function writeUsage(usage: Usage): JsonObject {
  const prompt =
    shownSum(usage.input, usage.cacheRead, usage.cacheWrite5m, usage.cacheWrite1h) +
    shownSum(usage.inputAudio, usage.inputImage)
  const completion = shownSum(usage.output, usage.outputAudio, usage.outputImage)
  const written = either(usage.cacheWrite5m, usage.cacheWrite1h)
  const promptDetails = present({
    cached_tokens: shown(usage.cacheRead),
    cache_write_tokens: written,
    text_tokens: text(prompt, usage.inputAudio, usage.inputImage),
    audio_tokens: shown(usage.inputAudio),
    image_tokens: shown(usage.inputImage),
  })
  const completionDetails = present({
    reasoning_tokens: shown(usage.reasoning),
    text_tokens: text(completion, usage.outputAudio, usage.outputImage),
    audio_tokens: shown(usage.outputAudio),
    image_tokens: shown(usage.outputImage),
  })
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: promptDetails,
    completion_tokens_details: completionDetails,
  }
}

/** Text, audio and image add up to the total; what was cached and what was thought are parts of it (FMT-7). */
function text(total: number, audio: number | undefined, image: number | undefined): number {
  return Math.max(total - shownSum(audio, image), 0)
}

/** Some upstreams count reasoning beside the completion; the total then shows it. */
function completion(raw: JsonObject, reasoning: number | undefined): number | undefined {
  const reported = countOf(raw.completion_tokens)
  const prompt = countOf(raw.prompt_tokens)
  const total = countOf(raw.total_tokens)
  if (reported === undefined || prompt === undefined || reasoning === undefined) return reported
  return reasoning > 0 && total === prompt + reported + reasoning ? reported + reasoning : reported
}

function within(share: number | undefined, total: number | undefined): number | undefined {
  return share === undefined || total === undefined ? share : Math.min(share, total)
}

function countOf(value: Json | undefined): number | undefined {
  const count = numberOf(value)
  return count !== undefined && Number.isFinite(count) ? count : undefined
}

function shown(count: number | undefined): number | undefined {
  return count === undefined ? undefined : shownSum(count)
}

function either(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined && other === undefined ? undefined : shownSum(one, other)
}
