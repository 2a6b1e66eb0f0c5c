/** Files of what is shown. Names of columns are the API's, so that scripts can read them too. */
import type {
  Days,
  Dimension,
  Only,
  RankedUsage,
  UsageFigures,
  UsageStep,
} from '../../api/analytics.js'
import type { Cell } from '../../ui/csv.js'
import { chosenIn } from './only.js'

type Rows = readonly (readonly Cell[])[]

const parts = ['p50', 'p95', 'p99'] as const
const figureHeads = [
  ...['requests', 'errors', 'quota', 'input_tokens'],
  ...['cache_read_tokens', 'cache_write_tokens', 'output_tokens', 'tokens_per_second'],
  ...['latency_p50_ms', 'latency_p95_ms', 'latency_p99_ms'],
  ...['first_token_p50_ms', 'first_token_p95_ms', 'first_token_p99_ms'],
]

function figureCells(of: UsageFigures): readonly Cell[] {
  return [
    ...[of.requests, of.errors, of.quota],
    ...[of.input_tokens, of.cache_read_tokens, of.cache_write_tokens, of.output_tokens],
    of.tokens_per_second ?? '',
    ...parts.map((part) => of.latency?.[part] ?? ''),
    ...parts.map((part) => of.first_token?.[part] ?? ''),
  ]
}

export function rankingCsv(items: readonly RankedUsage[], days: Days, dimension: Dimension): Rows {
  const rows = items.map((of): readonly Cell[] => [
    ...[days.from, days.to, of.name, of.id, of.username],
    ...figureCells(of),
  ])
  return [['from', 'to', dimension, 'id', 'username', ...figureHeads], ...rows]
}

/** Each line states what it is of. */
export function stepsCsv(steps: readonly UsageStep[], only: Only): Rows {
  const of = chosenIn(only)
  const rows = steps.map((step): readonly Cell[] => [
    new Date(step.at * 1000).toISOString(),
    ...of.map((name) => only[name]),
    ...figureCells(step),
  ])
  return [['at', ...of, ...figureHeads], ...rows]
}

/** What the figures are of stands in the name, without signs that a file cannot have. */
export function fileName(only: Only, by: string, { from, to }: Days): string {
  const of = chosenIn(only).map((name) => `${name}-${only[name]}-`)
  return `analytics-${of.join('')}${by}-${from}-${to}.csv`.replace(/[\\/:*?"<>|\s]+/g, '_')
}
