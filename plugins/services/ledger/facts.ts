/**
 * The JSON that goes with a reserve or a close: what the billing row and the usage log keep of a
 * request.
 */
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Closing, LogDraft } from '../../../kernel/contract/line/money.js'
import type { HoldRequest } from './ledger.js'

export function reservePayload(kind: HoldRequest['kind'], draft: LogDraft): string {
  return storable({ kind, draft })
}

/** `draft` only where it is not the one stored already. */
export function closePayload(closing: Closing, draft: LogDraft | undefined): string {
  const { usage } = closing
  return storable({
    outcome: closing.outcome,
    delivered: closing.delivered,
    promptTokens: count(
      (usage.input ?? 0) +
        (usage.cacheRead ?? 0) +
        (usage.cacheWrite5m ?? 0) +
        (usage.cacheWrite1h ?? 0) +
        (usage.inputAudio ?? 0) +
        (usage.inputImage ?? 0),
    ),
    completionTokens: count(
      (usage.output ?? 0) + (usage.outputAudio ?? 0) + (usage.outputImage ?? 0),
    ),
    durationMs: count(closing.durationMs),
    usage: closing.attemptCosts === undefined ? usage : withAttempts(closing),
    // Exact: no number of JSON holds every bigint.
    cost: closing.cost?.toString(),
    snapshot: closing.snapshot,
    detail: closing.detail,
    draft,
  })
}

/** In the names the database reads them by. */
function withAttempts({ usage, attemptCosts = [] }: Closing) {
  const attempts = attemptCosts.map(({ channelId, upstreamModel, cost }) => {
    return { channel: channelId, model: upstreamModel, cost: cost?.toString() }
  })
  return { ...usage, attempts }
}

/** Of the end of a task; `cost`: how much more, or less, the upstream charges than was known. */
export function finalPayload(detail: JsonObject, cost?: bigint): string {
  return storable({ detail, cost: cost?.toString() })
}

const countMax = 2 ** 31 - 1

function count(given: number): number {
  return given > 0 ? Math.min(Math.round(given), countMax) : 0
}

/**
 * NUL and lone surrogates are valid in JSON and refused by jsonb; only text that may hold one is
 * looked at twice.
 */
function storable(facts: object): string {
  const text = JSON.stringify(facts)
  if (!text.includes('\\u0000') && !text.includes('\\ud')) return text
  return JSON.stringify(facts, (_, value: unknown) => {
    if (typeof value === 'string') return cleaned(value)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    return Object.fromEntries(Object.entries(value).map(([key, held]) => [cleaned(key), held]))
  })
}

function cleaned(text: string): string {
  return text.replace(/\0|\p{Surrogate}/gu, '\ufffd')
}
