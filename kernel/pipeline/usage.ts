/**
 * From what an upstream reported and what was counted here to the counts a request is billed by. Counting only:
 * what a count costs is the price's business.
 */
import type { Usage } from '../contract/event.js'
import type { Correction } from '../contract/line/delivery.js'
import { limits } from '../toolkit/limits/limits.js'
import { bound, type Counts, inputCounts, type Outgoing } from './usage-bounds.js'

export interface Counted {
  /** As reported; absent: the upstream reported nothing. */
  readonly reported: Usage | undefined
  /** Output tokens counted from the text that came. */
  readonly estimatedTokens: number
  /** The local estimate of the prompt. */
  readonly estimate: Usage
  /** The call that went out, by which a report is bounded. Absent: only by what any answer can be. */
  readonly outgoing?: Outgoing
}

export interface FinalUsage {
  readonly usage: Usage
  /** Counts that stem from the local estimate. */
  readonly estimated: readonly string[]
  /** A report was absurd and has been clamped (M21). */
  readonly anomaly: boolean
  /** Where it was clamped. Absent: nowhere. */
  readonly corrections?: readonly Correction[]
}

const counts = [...inputCounts, 'output', 'reasoning', 'outputAudio', 'outputImage'] as const

/**
 * Missing counts are completed, present ones kept, 0 included: only an output of 0 beside delivered text counts as
 * missing (FMT-3, ledger/README.md section 12). Nothing reported and nothing delivered is nothing (M10).
 */
export function finalUsage({ reported, estimatedTokens, estimate, outgoing }: Counted): FinalUsage {
  if (reported === undefined && estimatedTokens === 0)
    return { usage: {}, estimated: [], anomaly: false }
  const usage = sane(reported ?? {})
  if (outgoing !== undefined) bound(usage, estimatedTokens, outgoing)
  const corrections = reported === undefined ? [] : correctionsOf(reported, usage)
  const estimated: string[] = []
  const complete: Counts = { ...usage }
  if (inputCounts.every((count) => usage[count] === undefined)) {
    Object.assign(complete, estimate, usage)
    estimated.push('input')
  }
  if (!hasOutput(usage) && estimatedTokens > 0) {
    complete.output = estimatedTokens
    estimated.push('output')
  }
  if (corrections.length === 0) return { usage: complete, estimated, anomaly: false }
  return { usage: complete, estimated, anomaly: true, corrections }
}

function hasOutput(usage: Usage): boolean {
  return (usage.output ?? 0) > 0 || (usage.outputAudio ?? 0) > 0 || (usage.outputImage ?? 0) > 0
}

/** Whole numbers from 0 to the bound of sanity; anything else is clamped or dropped. */
function sane(reported: Usage): Counts {
  const usage: Counts = {}
  for (const count of counts) {
    const clamped = clamp(reported[count])
    if (clamped !== undefined) usage[count] = clamped
  }
  const { quantity, serverTools, counts: units, dimensions } = reported
  if (units !== undefined) Object.assign(usage, { counts: units, dimensions })
  if (quantity !== undefined && Number.isFinite(quantity) && quantity >= 0) {
    if (quantity <= limits.tokensMax) usage.quantity = quantity
  }
  if (serverTools === undefined) return usage
  const calls: Record<string, number> = {}
  for (const [tool, value] of Object.entries(serverTools)) {
    const clamped = clamp(value)
    if (clamped !== undefined) calls[tool] = clamped
  }
  usage.serverTools = calls
  return usage
}

function clamp(value: unknown): number | undefined {
  if (typeof value !== 'number' || Number.isNaN(value)) return undefined
  return Math.min(Math.max(Math.round(value), 0), limits.tokensMax)
}

const compared = [...counts, 'quantity'] as const

/** Where what is charged is not what was reported. */
function correctionsOf(reported: Usage, charged: Usage): Correction[] {
  const corrections: Correction[] = []
  for (const count of compared) {
    compare(corrections, count, reported[count], charged[count])
  }
  for (const [tool, calls] of Object.entries(reported.serverTools ?? {})) {
    compare(corrections, tool, calls, charged.serverTools?.[tool])
  }
  return corrections
}

function compare(
  corrections: Correction[],
  count: string,
  reported: unknown,
  charged: number | undefined,
): void {
  if (reported === charged) return
  const stated = Number.isFinite(reported) ? Number(reported) : String(reported).slice(0, 40)
  corrections.push({ count, reported: stated, charged: charged ?? 0 })
}
