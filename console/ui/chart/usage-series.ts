/** Steps of a span as charts, from its first to its last, with what had no usage between them. */
import type { Days, UsageOverview, UsageStep } from '../../api/analytics.js'
import { locale } from '../../shell/i18n.js'
import { beginOf, endOf } from '../days.js'
import type { ChartData, ChartValue } from './chart-data.js'

export type ShownOverview = UsageOverview & { readonly days: Days }

type Percentile = 'latency' | 'first_token'

/** Nothing was timed: a line has a gap there. */
const gap = Number.NaN

export interface Series {
  readonly name: string
  readonly of: (step: UsageStep) => ChartValue
}

export function columns(overview: ShownOverview, series: readonly Series[]): ChartData {
  return { kind: 'stacked', ...drawn(overview, series, 0) }
}

export function percentileLines(overview: ShownOverview, name: Percentile): ChartData {
  const series = (['p50', 'p95', 'p99'] as const).map((part) => ({
    name: part,
    of: (step: UsageStep) => step[name]?.[part] ?? gap,
  }))
  const { labels, series: lines } = drawn(overview, series, gap)
  const isBlank = lines.every(({ values }) => values.every((value) => Number.isNaN(Number(value))))
  return { kind: 'lines', labels, series: isBlank ? [] : lines }
}

function drawn(overview: ShownOverview, series: readonly Series[], none: ChartValue) {
  const steps = new Map(overview.series.map((step) => [step.at, step]))
  const moments = momentsOf(overview)
  const label = labelOf(overview)
  return {
    labels: moments.map((at) => label.format(at * 1000)),
    series: series.map(({ name, of }) => ({
      name,
      values: moments.map((at) => {
        const step = steps.get(at)
        return step === undefined ? none : of(step)
      }),
    })),
  }
}

function momentsOf({ days, step }: ShownOverview): readonly number[] {
  const seconds = step === 'hour' ? 3_600 : 86_400
  const [first, last] = [beginOf(days.from), endOf(days.to)]
  const count = Math.ceil((last - first) / seconds)
  return Array.from({ length: count }, (_, at) => first + at * seconds)
}

/** Hours are those of the reader, days those of UTC. */
function labelOf({ days, step }: ShownOverview): Intl.DateTimeFormat {
  const dated = { month: 'short', day: 'numeric' } as const
  if (step === 'day') return new Intl.DateTimeFormat(locale.value, { ...dated, timeZone: 'UTC' })
  const timed = { hour: '2-digit', minute: '2-digit', hour12: false } as const
  return new Intl.DateTimeFormat(
    locale.value,
    days.from === days.to ? timed : { ...dated, ...timed },
  )
}
