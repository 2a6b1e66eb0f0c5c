/** Figures as the API returns them. */
import type {
  RankedUsage,
  ScopeName,
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

function nameRecord(name: ScopeName | undefined) {
  return name === undefined ? null : { name: name.name, is_deleted: name.isDeleted }
}

export function overviewRecord(overview: UsageOverview) {
  const { asOf, isWhole, step, totals, before, series, names } = overview
  return {
    as_of: asOf ?? 0,
    is_whole: isWhole,
    step,
    totals: figuresRecord(totals),
    before: figuresRecord(before),
    series: series.map(stepRecord),
    names: {
      channel: nameRecord(names.channel),
      token: nameRecord(names.token),
      user: nameRecord(names.user),
    },
  }
}

export function rankedRecord(ranked: RankedUsage) {
  const { id, name, userId: user_id, username } = ranked
  return { id, name, user_id, username, ...figuresRecord(ranked) }
}

export function rankingRecord({ items, others }: UsageRanking) {
  return { items: items.map(rankedRecord), others: sumsRecord(others) }
}
