/**
 * From what an upstream reported and what was counted here to the counts a request is billed by. Counting only:
 * what a count costs is the price's business.
 */
import type { Usage } from '../contract/event.js'
import { limits } from '../limits.js'

export interface Counted {
  /** As reported; absent: the upstream said nothing. */
  readonly reported: Usage | undefined
  /** Output tokens counted from the text that came. */
  readonly units: number
  /** The local estimate of the prompt. */
  readonly estimate: Usage
}

export interface FinalUsage {
  readonly usage: Usage
  /** Counts that stem from the local estimate. */
  readonly estimated: readonly string[]
  /** A report was absurd and has been clamped (failures.md M21). */
  readonly anomaly: boolean
}

const counts = [
  'input',
  'cacheRead',
  'cacheWrite5m',
  'cacheWrite1h',
  'inputAudio',
  'inputImage',
  'output',
  'reasoning',
  'outputAudio',
  'outputImage',
] as const

const inputCounts = counts.slice(0, 6)

/**
 * Missing counts are completed, present ones kept, 0 included: only an output of 0 beside delivered text counts as
 * missing (FMT-3, money.md section 12b). Nothing reported and nothing delivered is nothing (failures.md M10).
 */
export function finalUsage({ reported, units, estimate }: Counted): FinalUsage {
  if (reported === undefined && units === 0) return { usage: {}, estimated: [], anomaly: false }
  const { usage, anomaly } = sane(reported ?? {})
  const estimated: string[] = []
  const complete: { -readonly [K in keyof Usage]: Usage[K] } = { ...usage }
  if (inputCounts.every((count) => usage[count] === undefined)) {
    Object.assign(complete, estimate, usage)
    estimated.push('input')
  }
  if (!hasOutput(usage) && units > 0) {
    complete.output = units
    estimated.push('output')
  }
  return { usage: complete, estimated, anomaly }
}

function hasOutput(usage: Usage): boolean {
  return (usage.output ?? 0) > 0 || (usage.outputAudio ?? 0) > 0 || (usage.outputImage ?? 0) > 0
}

/** Whole numbers from 0 to the bound of sanity; anything else is clamped or dropped and flagged. */
function sane(reported: Usage): { usage: Usage; anomaly: boolean } {
  let anomaly = false
  const usage: { -readonly [K in keyof Usage]: Usage[K] } = {}
  for (const count of counts) {
    const value: unknown = reported[count]
    if (value === undefined) continue
    const clamped = clamp(value)
    if (clamped !== value) anomaly = true
    if (clamped !== undefined) usage[count] = clamped
  }
  if (reported.quantity !== undefined) {
    const { quantity } = reported
    const sound = Number.isFinite(quantity) && quantity >= 0 && quantity <= limits.tokensMax
    if (sound) usage.quantity = quantity
    else anomaly = true
  }
  if (reported.serverTools === undefined) return { usage, anomaly }
  const serverTools: Record<string, number> = {}
  for (const [tool, value] of Object.entries(reported.serverTools)) {
    const clamped = clamp(value)
    if (clamped !== value) anomaly = true
    if (clamped !== undefined) serverTools[tool] = clamped
  }
  usage.serverTools = serverTools
  return { usage, anomaly }
}

function clamp(value: unknown): number | undefined {
  if (typeof value !== 'number' || Number.isNaN(value)) return undefined
  return Math.min(Math.max(Math.round(value), 0), limits.tokensMax)
}
