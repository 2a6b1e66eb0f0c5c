/** Columns of a ranking; each sorts what is listed. */

import { ScrollText } from '@lucide/vue'
import type { DataTableColumns } from 'naive-ui'
import { h } from 'vue'
import { type LocationQuery, RouterLink } from 'vue-router'
import type { Days, Dimension, RankedUsage } from '../../api/analytics.js'
import type { Scope } from '../../api/data.js'
import { countText, lastingText } from '../../ui/time.js'
import { cachedShare, errorShare, shareText, speedText, tokensOf } from '../../ui/usage-figures.js'
import { logLink, onlyLink } from './links.js'

export interface RankingView {
  readonly scope: Scope
  readonly days: Days
  readonly dimension: Dimension
  /** Of the address. */
  readonly query: LocationQuery
  readonly t: (key: string, terms?: Record<string, unknown>) => string
  readonly money: (quota: number | string) => string
}

interface Figure {
  readonly key: string
  readonly width: number
  readonly text: (of: RankedUsage, view: RankingView) => string
  readonly value: (of: RankedUsage) => number
}

const time = (ms: number | undefined) => (ms === undefined ? '—' : lastingText(ms))

const figures: readonly Figure[] = [
  {
    key: 'spend',
    width: 92,
    text: ({ quota }, { money }) => money(quota),
    value: ({ quota }) => Number(quota),
  },
  {
    key: 'requests',
    width: 92,
    text: ({ requests }) => countText(requests),
    value: (of) => Number(of.requests),
  },
  {
    key: 'errors',
    width: 76,
    text: ({ errors }) => countText(errors),
    value: (of) => Number(of.errors),
  },
  {
    key: 'errorShare',
    width: 78,
    text: (of) => shareText(errorShare(of)),
    value: (of) => errorShare(of) ?? -1,
  },
  { key: 'tokens', width: 104, text: (of) => countText(tokensOf(of)), value: tokensOf },
  {
    key: 'cached',
    width: 80,
    text: (of) => shareText(cachedShare(of)),
    value: (of) => cachedShare(of) ?? -1,
  },
  {
    key: 'latency',
    width: 168,
    text: ({ latency }) =>
      latency ? [latency.p50, latency.p95, latency.p99].map(time).join(' / ') : '—',
    value: ({ latency }) => latency?.p95 ?? -1,
  },
  {
    key: 'firstToken',
    width: 84,
    text: ({ first_token }) => time(first_token?.p50),
    value: ({ first_token }) => first_token?.p50 ?? -1,
  },
  { key: 'speed', width: 84, text: speedText, value: (of) => of.tokens_per_second ?? -1 },
]

function nameText(of: RankedUsage, { dimension, t }: RankingView): string {
  if (of.name !== '') return of.name
  return of.id > 0 ? t('analytics.deleted', { id: of.id }) : t(`analytics.none.${dimension}`)
}

function logIcon(to: object, name: string) {
  return h(RouterLink, { to, class: 'to-log', title: name, 'aria-label': name }, () =>
    h(ScrollText, { size: 15, 'aria-hidden': true }),
  )
}

export function rankingColumns(view: RankingView): DataTableColumns<RankedUsage> {
  const { scope, days, dimension, t } = view
  const isOthersKey = dimension === 'token' && scope === 'all'
  return [
    {
      key: 'name',
      title: t(`analytics.dimensions.${dimension}`),
      width: 196,
      fixed: matchMedia('(width < 700px)').matches ? undefined : 'left',
      sorter: (one, other) => nameText(one, view).localeCompare(nameText(other, view)),
      render(of) {
        const name = nameText(of, view)
        const to = onlyLink(scope, view.query, dimension, of)
        const log = logLink(scope, days, dimension, of)
        const owner = isOthersKey ? h('div', { class: 'quiet' }, of.username) : undefined
        const words = h('div', { class: 'words' }, [
          to ? h(RouterLink, { to }, () => name) : name,
          owner,
        ])
        return h('div', { class: 'line' }, [
          words,
          log && logIcon(log, t('analytics.logOf', { name })),
        ])
      },
    },
    ...figures.map(({ key, width, text, value }) => ({
      key,
      title: t(`analytics.columns.${key}`),
      width,
      align: 'right' as const,
      className: 'figures',
      sorter: (one: RankedUsage, other: RankedUsage) => value(one) - value(other),
      render: (of: RankedUsage) => text(of, view),
    })),
  ]
}
