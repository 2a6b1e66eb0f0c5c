/** Sums, histograms and what is computed from them. */
import type { Percentiles, UsageFigures, UsageSums } from './types.js'

/** How many by bucket; bucket n reaches from 1.2^(n-1) to 1.2^n milliseconds. */
type Histogram = readonly (readonly [bucket: number, count: number])[]

export interface StatRow extends UsageSums {
  readonly timedTokens: bigint
  readonly timedMs: bigint
  readonly latency: Histogram
  readonly firstToken: Histogram
}

const ratio = 1.2

export const nothing: StatRow = {
  ...{ requests: 0n, errors: 0n, quota: 0n, inputTokens: 0n, cacheReadTokens: 0n },
  ...{ cacheWriteTokens: 0n, outputTokens: 0n, timedTokens: 0n, timedMs: 0n },
  ...{ latency: [], firstToken: [] },
}

export const sumColumns = `
  sum(requests)::bigint AS requests, sum(errors)::bigint AS errors, sum(quota)::bigint AS quota,
  sum(input_tokens)::bigint AS input_tokens, sum(cache_read_tokens)::bigint AS cache_read_tokens,
  sum(cache_write_tokens)::bigint AS cache_write_tokens, sum(output_tokens)::bigint AS output_tokens,
  sum(timed_tokens)::bigint AS timed_tokens, sum(timed_ms)::bigint AS timed_ms`

/** Of one row's entries: pairs of bucket and count. */
export function bucketsOf(column: 'latency' | 'first_token'): string {
  return `(SELECT coalesce(json_agg(json_build_array(bucket, found)), '[]') FROM (
    SELECT entry >> 40 AS bucket, sum(entry & 1099511627775) AS found FROM unnest(${column}) AS entry
    GROUP BY 1) AS part) AS ${column}`
}

// biome-ignore lint/suspicious/noExplicitAny: a row as the database returns it.
export function statRow(row: any): StatRow {
  return {
    requests: row.requests,
    errors: row.errors,
    quota: row.quota,
    inputTokens: row.input_tokens,
    cacheReadTokens: row.cache_read_tokens,
    cacheWriteTokens: row.cache_write_tokens,
    outputTokens: row.output_tokens,
    timedTokens: row.timed_tokens,
    timedMs: row.timed_ms,
    latency: row.latency ?? [],
    firstToken: row.first_token ?? [],
  }
}

export function summed(rows: readonly StatRow[]): StatRow {
  return rows.reduce((sum, row) => plus(sum, row), nothing)
}

function plus(one: StatRow, other: StatRow): StatRow {
  return {
    requests: one.requests + other.requests,
    errors: one.errors + other.errors,
    quota: one.quota + other.quota,
    inputTokens: one.inputTokens + other.inputTokens,
    cacheReadTokens: one.cacheReadTokens + other.cacheReadTokens,
    cacheWriteTokens: one.cacheWriteTokens + other.cacheWriteTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    timedTokens: one.timedTokens + other.timedTokens,
    timedMs: one.timedMs + other.timedMs,
    latency: merged(one.latency, other.latency),
    firstToken: merged(one.firstToken, other.firstToken),
  }
}

function merged(one: Histogram, other: Histogram): Histogram {
  const counts = new Map(one)
  for (const [bucket, count] of other) counts.set(bucket, (counts.get(bucket) ?? 0) + count)
  return [...counts]
}

export function sumsOf(row: StatRow): UsageSums {
  const { requests, errors, quota, inputTokens, outputTokens } = row
  const { cacheReadTokens, cacheWriteTokens } = row
  return {
    ...{ requests, errors, quota, inputTokens, outputTokens },
    ...{ cacheReadTokens, cacheWriteTokens },
  }
}

export function figuresOf(row: StatRow): UsageFigures {
  const { timedTokens, timedMs } = row
  const perSecond = timedMs === 0n ? undefined : (Number(timedTokens) / Number(timedMs)) * 1000
  return {
    ...sumsOf(row),
    tokensPerSecond: perSecond === undefined ? undefined : Math.round(perSecond * 10) / 10,
    latency: percentiles(row.latency),
    firstToken: percentiles(row.firstToken),
  }
}

function percentiles(histogram: Histogram): Percentiles | undefined {
  const total = histogram.reduce((sum, [, count]) => sum + count, 0)
  if (total === 0) return undefined
  const sorted = histogram.toSorted(([one], [other]) => one - other)
  return {
    p50: valueAt(sorted, total * 0.5),
    p95: valueAt(sorted, total * 0.95),
    p99: valueAt(sorted, total * 0.99),
  }
}

/** The middle of the bucket of the one at this rank. */
function valueAt(sorted: Histogram, rank: number): number {
  let seen = 0
  const found = sorted.find(([, count]) => {
    seen += count
    return seen >= rank
  })
  return middleOf(found?.[0] ?? 0)
}

/** Of a bucket, in milliseconds. */
export function middleOf(bucket: number): number {
  return Math.max(1, Math.round(ratio ** (bucket - 0.5)))
}
