/** Columns of a ranking; each sorts what is listed. */
import type { DataTableColumns } from 'naive-ui'
import { h } from 'vue'
import { RouterLink } from 'vue-router'
import type { Days, Dimension, RankedUsage } from '../../api/analytics.js'
import type { Scope } from '../../api/data.js'
import type { Cell } from '../../ui/csv.js'
import { countText, lastingText } from '../../ui/time.js'
import { cachedShare, errorShare, shareText, speedText, tokensOf } from '../../ui/usage-figures.js'
import { logLink } from './log-link.js'

export interface RankingView {
  readonly scope: Scope
  readonly days: Days
  readonly dimension: Dimension
  readonly t: (key: string, terms?: Record<string, unknown>) => string
  readonly money: (quota: number | string) => string
}

interface Figure {
  readonly key: string
  readonly text: (of: RankedUsage, view: RankingView) => string
  readonly value: (of: RankedUsage) => number
}

const time = (ms: number | undefined) => (ms === undefined ? '—' : lastingText(ms))

const figures: readonly Figure[] = [
  {
    key: 'spend',
    text: ({ quota }, { money }) => money(quota),
    value: ({ quota }) => Number(quota),
  },
  {
    key: 'requests',
    text: ({ requests }) => countText(requests),
    value: (of) => Number(of.requests),
  },
  { key: 'errors', text: ({ errors }) => countText(errors), value: (of) => Number(of.errors) },
  {
    key: 'errorShare',
    text: (of) => shareText(errorShare(of)),
    value: (of) => errorShare(of) ?? -1,
  },
  { key: 'tokens', text: (of) => countText(tokensOf(of)), value: tokensOf },
  { key: 'cached', text: (of) => shareText(cachedShare(of)), value: (of) => cachedShare(of) ?? -1 },
  ...(['p50', 'p95', 'p99'] as const).map((part) => ({
    key: `latency.${part}`,
    text: ({ latency }: RankedUsage) => time(latency?.[part]),
    value: ({ latency }: RankedUsage) => latency?.[part] ?? -1,
  })),
  {
    key: 'firstToken',
    text: ({ first_token }) => time(first_token?.p50),
    value: ({ first_token }) => first_token?.p50 ?? -1,
  },
  { key: 'speed', text: speedText, value: (of) => of.tokens_per_second ?? -1 },
]

function nameText(of: RankedUsage, { dimension, t }: RankingView): string {
  if (of.name !== '') return of.name
  return of.id > 0 ? t('analytics.deleted', { id: of.id }) : t(`analytics.none.${dimension}`)
}

export function rankingColumns(view: RankingView): DataTableColumns<RankedUsage> {
  const { scope, days, dimension, t } = view
  const isOthersKey = dimension === 'token' && scope === 'all'
  return [
    {
      key: 'name',
      title: t(`analytics.dimensions.${dimension}`),
      width: 240,
      fixed: matchMedia('(width < 700px)').matches ? undefined : 'left',
      sorter: (one, other) => nameText(one, view).localeCompare(nameText(other, view)),
      render(of) {
        const to = logLink(scope, days, dimension, of)
        const name = nameText(of, view)
        const owner = isOthersKey ? h('div', { class: 'quiet' }, of.username) : undefined
        return h('div', [to ? h(RouterLink, { to }, () => name) : name, owner])
      },
    },
    ...figures.map(({ key, text, value }) => ({
      key,
      title: t(`analytics.columns.${key}`),
      width: 118,
      align: 'right' as const,
      className: 'figures',
      sorter: (one: RankedUsage, other: RankedUsage) => value(one) - value(other),
      render: (of: RankedUsage) => text(of, view),
    })),
  ]
}

/** Names of columns are the API's, so that scripts can read them too. */
export function rankingCsv(
  items: readonly RankedUsage[],
  days: Days,
  dimension: Dimension,
): readonly (readonly Cell[])[] {
  const heads = [
    ...['from', 'to', dimension, 'id', 'username', 'requests', 'errors', 'quota', 'input_tokens'],
    ...['cache_read_tokens', 'cache_write_tokens', 'output_tokens', 'tokens_per_second'],
    ...['latency_p50_ms', 'latency_p95_ms', 'latency_p99_ms'],
    ...['first_token_p50_ms', 'first_token_p95_ms', 'first_token_p99_ms'],
  ]
  const rows = items.map((of): readonly Cell[] => [
    ...[days.from, days.to, of.name, of.id, of.username, of.requests, of.errors, of.quota],
    ...[of.input_tokens, of.cache_read_tokens, of.cache_write_tokens, of.output_tokens],
    of.tokens_per_second ?? '',
    ...(['p50', 'p95', 'p99'] as const).map((part) => of.latency?.[part] ?? ''),
    ...(['p50', 'p95', 'p99'] as const).map((part) => of.first_token?.[part] ?? ''),
  ])
  return [heads, ...rows]
}
