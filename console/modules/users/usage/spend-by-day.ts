/** Sums of usage as columns over days: the dearest models by name, the rest as one. */
import type { UsageSum } from '../../../api/data.js'
import type { ChartData } from '../../../ui/chart/chart-data.js'

const daySeconds = 86_400
export const namedMax = 5

export interface SpendOptions {
  readonly rows: readonly UsageSum[]
  /** First day, Unix seconds. */
  readonly start: number
  readonly days: number
  readonly label: (at: number) => string
  readonly others: string
}

export function spendByDay({ rows, start, days, label, others }: SpendOptions): ChartData {
  const totals = new Map<string, bigint>()
  for (const { model_name, quota } of rows) {
    totals.set(model_name, (totals.get(model_name) ?? 0n) + BigInt(quota))
  }
  // The rest of those that are read by name.
  totals.delete('')
  const ranked = [...totals].sort(([, one], [, other]) => (one < other ? 1 : -1))
  const named = new Set(ranked.slice(0, namedMax).map(([name]) => name))
  const series = new Map<string, bigint[]>()
  for (const { model_name, created_at, quota } of rows) {
    const name = named.has(model_name) ? model_name : others
    const values = series.get(name) ?? Array.from({ length: days }, () => 0n)
    const day = Math.floor((created_at - start) / daySeconds)
    if (day in values) values[day] = (values[day] ?? 0n) + BigInt(quota)
    series.set(name, values)
  }
  return {
    kind: 'stacked',
    labels: Array.from({ length: days }, (_, day) => label(start + day * daySeconds)),
    series: [...series].map(([name, values]) => ({ name, values })),
  }
}
