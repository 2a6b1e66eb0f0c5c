/**
 * Usage of realtime answers and transcriptions: totals with overlapping details on the wire, disjoint counts here. The
 * counts of a session add up over its answers.
 */
import type { Usage } from '../../../kernel/contract/event.js'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { limits } from '../../../kernel/toolkit/limits/index.js'
import { inputTokens } from './audio.js'

export interface ReportedUsage {
  readonly usage: Usage
  /** A count was absurd and has been clamped (M21). */
  readonly anomaly: boolean
}

/** The usage of `response.done`. Undefined: it has none. */
export function answerUsage(raw: Json | undefined): ReportedUsage | undefined {
  if (!isObject(raw)) return undefined
  const read = new Reader()
  const usage = { ...inputOf(raw, read), ...outputOf(raw, read) }
  return read.any ? { usage, anomaly: read.anomaly } : undefined
}

/** The usage of a transcription: tokens, or the seconds of audio behind it. */
export function transcriptionUsage(raw: Json | undefined): ReportedUsage | undefined {
  if (!isObject(raw) || raw.type !== 'duration') return answerUsage(raw)
  const read = new Reader()
  const usage = { inputAudio: inputTokens(read.amount(raw.seconds) ?? 0) }
  return read.any ? { usage, anomaly: read.anomaly } : undefined
}

/** Cached tokens are part of the others: where their kind is not reported they count as text first, then audio. */
function inputOf(raw: JsonObject, read: Reader): Usage {
  const details = section(raw, 'input_token_details')
  const audio = read.count(details.audio_tokens) ?? 0
  const image = read.count(details.image_tokens) ?? 0
  const total = read.count(raw.input_tokens) ?? 0
  const text = Math.max(read.count(details.text_tokens) ?? 0, total - audio - image, 0)
  const cached = section(details, 'cached_tokens_details')
  const cacheRead = Math.min(read.count(details.cached_tokens) ?? 0, text + audio + image)
  const beyondText = cacheRead - text
  const ofAudio = read.count(cached.audio_tokens) ?? beyondText
  const fromAudio = between(0, Math.max(ofAudio, beyondText - image), Math.min(audio, cacheRead))
  const ofImage = Math.max(read.count(cached.image_tokens) ?? 0, beyondText - fromAudio)
  const fromImage = between(0, ofImage, Math.min(image, cacheRead - fromAudio))
  return {
    input: text - (cacheRead - fromAudio - fromImage),
    cacheRead,
    inputAudio: audio - fromAudio,
    inputImage: image - fromImage,
  }
}

function between(least: number, value: number, most: number): number {
  return Math.min(Math.max(value, least), most)
}

function outputOf(raw: JsonObject, read: Reader): Usage {
  const details = section(raw, 'output_token_details')
  const outputAudio = read.count(details.audio_tokens) ?? 0
  const total = read.count(raw.output_tokens) ?? 0
  const output = Math.max(read.count(details.text_tokens) ?? 0, total - outputAudio, 0)
  const reasoning = read.count(details.reasoning_tokens)
  return reasoning === undefined ? { output, outputAudio } : { output, outputAudio, reasoning }
}

class Reader {
  any = false
  anomaly = false

  count(value: Json | undefined): number | undefined {
    const amount = this.amount(value)
    return amount === undefined ? undefined : Math.round(amount)
  }

  amount(value: Json | undefined): number | undefined {
    if (value === undefined || value === null) return undefined
    this.any = true
    const sane = typeof value === 'number' && value >= 0 && value <= limits.tokensMax
    if (!sane) this.anomaly = true
    return sane ? value : typeof value === 'number' && value > 0 ? limits.tokensMax : 0
  }
}

function section(raw: JsonObject, name: string): JsonObject {
  const found = raw[name]
  return isObject(found) ? found : {}
}

/** Counts of both, each added up. */
export function plus(one: Usage, other: Usage): Usage {
  const sum: Record<string, number> = {}
  for (const usage of [one, other]) {
    for (const [count, value] of Object.entries(usage)) {
      if (typeof value === 'number') sum[count] = (sum[count] ?? 0) + value
    }
  }
  return sum
}

/** How much more of each count there is in the one than in the other. */
export function beyond(one: Usage, other: Usage): Usage {
  const before = new Map(Object.entries(other))
  const more = Object.entries(one)
    .filter(([, value]) => typeof value === 'number')
    .map(([count, value]) => [count, Math.max(Number(value) - Number(before.get(count) ?? 0), 0)])
  return Object.fromEntries(more)
}

/** The same usage so many times. */
export function timesOver(usage: Usage, times: number): Usage {
  const counts = Object.entries(usage).map(([count, value]) => [count, Number(value) * times])
  return Object.fromEntries(counts)
}
