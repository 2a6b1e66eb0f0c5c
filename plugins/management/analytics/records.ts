/** Figures as the API returns them. */
import type {
  RankedUsage,
  UsageFigures,
  UsageOverview,
  UsageRanking,
  UsageStep,
  UsageSums,
} from '../../services/usage-log/index.js'

export function sumsRecord(sums: UsageSums) {
  return {
    requests: sums.requests,
    errors: sums.errors,
    quota: sums.quota,
    input_tokens: sums.inputTokens,
    cache_read_tokens: sums.cacheReadTokens,
    cache_write_tokens: sums.cacheWriteTokens,
    output_tokens: sums.outputTokens,
  }
}

export function figuresRecord(figures: UsageFigures) {
  return {
    ...sumsRecord(figures),
    tokens_per_second: figures.tokensPerSecond ?? null,
    latency: figures.latency ?? null,
    first_token: figures.firstToken ?? null,
  }
}

export function stepRecord(step: UsageStep) {
  return { at: step.at, ...figuresRecord(step) }
}

export function overviewRecord({ asOf, isWhole, step, totals, before, series }: UsageOverview) {
  return {
    as_of: asOf ?? 0,
    is_whole: isWhole,
    step,
    totals: figuresRecord(totals),
    before: figuresRecord(before),
    series: series.map(stepRecord),
  }
}

export function rankedRecord(ranked: RankedUsage) {
  const { id, name, userId: user_id, username } = ranked
  return { id, name, user_id, username, ...figuresRecord(ranked) }
}

export function rankingRecord({ items, others }: UsageRanking) {
  return { items: items.map(rankedRecord), others: sumsRecord(others) }
}
