/** Earnings and costs as the API returns them. */
import type {
  CostDay,
  MarginDay,
  MarginOverview,
  MarginRanking,
  MarginSums,
  RankedMargin,
} from '../../services/usage-log/index.js'

export function sumsRecord(sums: MarginSums) {
  return {
    requests: sums.requests,
    quota: sums.quota,
    known_quota: sums.knownQuota,
    cost: sums.cost,
    margin: sums.margin,
  }
}

export function dayRecord({ at, ...sums }: MarginDay) {
  return { at, ...sumsRecord(sums) }
}

export function overviewRecord({ asOf, totals, before, series }: MarginOverview) {
  return {
    as_of: asOf ?? 0,
    totals: sumsRecord(totals),
    before: sumsRecord(before),
    series: series.map(dayRecord),
  }
}

export function rankedRecord({ id, name, ...sums }: RankedMargin) {
  return { id, name, ...sumsRecord(sums) }
}

export function rankingRecord({ items, others }: MarginRanking) {
  return { items: items.map(rankedRecord), others: sumsRecord(others) }
}

export function billRecord({ day, model, cost }: CostDay) {
  return { day: new Date(day * 1000).toISOString().slice(0, 10), model, cost }
}
