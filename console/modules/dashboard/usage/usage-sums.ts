/** Rows of usage as charts: columns over time by model, and the greatest of a span. */
import type { UsageSum } from '../../../api/data.js'
import type { ChartData, ChartSeries } from '../../../ui/chart/chart-data.js'

/** Beyond these, models are shown as one. */
const modelsMax = 7
const ranksMax = 10

export interface Step {
  readonly from: number
  readonly to: number
  readonly seconds: number
  readonly label: (at: number) => string
}

export interface Totals {
  readonly count: number
  readonly tokens: bigint
}

type Named = (row: UsageSum) => string

export function totalsOf(rows: readonly UsageSum[]): Totals {
  return {
    count: rows.reduce((sum, { count }) => sum + count, 0),
    tokens: rows.reduce((sum, { token_used }) => sum + BigInt(token_used), 0n),
  }
}

/** The dearest models each for itself, from the beginning of the span to its end, without gaps. */
export function overTime(rows: readonly UsageSum[], step: Step, others: string): ChartData {
  const first = Math.floor(step.from / step.seconds)
  const steps = Math.floor(step.to / step.seconds) - first + 1
  const shown = new Set(
    greatest(rows.filter(isNamed), modelName)
      .slice(0, modelsMax)
      .map(([name]) => name),
  )
  const values = new Map<string, bigint[]>()
  for (const row of rows) {
    const name = shown.has(row.model_name) ? row.model_name : others
    const of = values.get(name) ?? Array<bigint>(steps).fill(0n)
    const at = Math.floor(row.created_at / step.seconds) - first
    if (at >= 0 && at < steps) of[at] = (of[at] ?? 0n) + BigInt(row.quota)
    values.set(name, of)
  }
  const order = [...shown, others].filter((name) => values.has(name))
  const series: ChartSeries[] = order.map((name) => ({ name, values: values.get(name) ?? [] }))
  const labels = Array.from({ length: steps }, (_, at) => step.label((first + at) * step.seconds))
  return { kind: 'stacked', labels, series }
}

export function requestsByModel(rows: readonly UsageSum[], name: string): ChartData {
  const counts = new Map<string, number>()
  for (const { model_name, count } of rows.filter(isNamed)) {
    counts.set(model_name, (counts.get(model_name) ?? 0) + count)
  }
  const ranked = [...counts].sort(([, one], [, other]) => other - one).slice(0, ranksMax)
  return rankData(ranked, name)
}

export function spendByUser(rows: readonly UsageSum[], name: string): ChartData {
  const named = rows.filter(({ user_id }) => user_id !== 0)
  const ranked = greatest(named, ({ username }) => username).slice(0, ranksMax)
  return rankData(ranked, name)
}

export function shareOfSpend(rows: readonly UsageSum[], name: string, others: string): ChartData {
  const all = greatest(rows.filter(isNamed), modelName)
  const named = all.slice(0, modelsMax).reduce((sum, [, quota]) => sum + quota, 0n)
  const rest = rows.reduce((sum, { quota }) => sum + BigInt(quota), 0n) - named
  const parts = [...all.slice(0, modelsMax), ...(rest > 0n ? [[others, rest] as const] : [])]
  return { ...rankData(parts, name), kind: 'share' }
}

/** Not the rest of those that are read by name. */
function isNamed({ model_name }: UsageSum): boolean {
  return model_name !== ''
}

function modelName({ model_name }: UsageSum): string {
  return model_name
}

function greatest(rows: readonly UsageSum[], named: Named): readonly (readonly [string, bigint])[] {
  const sums = new Map<string, bigint>()
  for (const row of rows) sums.set(named(row), (sums.get(named(row)) ?? 0n) + BigInt(row.quota))
  return [...sums].sort(([, one], [, other]) => (one < other ? 1 : one > other ? -1 : 0))
}

function rankData(
  ranked: readonly (readonly [string, number | bigint])[],
  name: string,
): ChartData {
  return {
    kind: 'ranks',
    labels: ranked.map(([label]) => label),
    series: [{ name, values: ranked.map(([, value]) => value) }],
  }
}
