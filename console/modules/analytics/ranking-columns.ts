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
  /** Below it. */
  readonly beside?: (of: RankedUsage, view: RankingView) => string
  readonly value: (of: RankedUsage) => number
}

const time = (ms: number | undefined) => (ms === undefined ? '—' : lastingText(ms))

const figures: readonly Figure[] = [
  {
    key: 'spend',
    width: 96,
    text: ({ quota }, { money }) => money(quota),
    value: ({ quota }) => Number(quota),
  },
  {
    key: 'requests',
    width: 112,
    text: ({ requests }) => countText(requests),
    value: (of) => Number(of.requests),
  },
  {
    key: 'errors',
    width: 92,
    text: ({ errors }) => countText(errors),
    beside: (of) => shareText(errorShare(of)),
    value: (of) => Number(of.errors),
  },
  {
    key: 'tokens',
    width: 112,
    text: (of) => countText(tokensOf(of)),
    beside: (of, { t }) => t('analytics.cachedPart', { share: shareText(cachedShare(of)) }),
    value: tokensOf,
  },
  {
    key: 'latency',
    width: 186,
    text: ({ latency }) =>
      latency ? [latency.p50, latency.p95, latency.p99].map(time).join(' / ') : '—',
    value: ({ latency }) => latency?.p95 ?? -1,
  },
  {
    key: 'firstToken',
    width: 96,
    text: ({ first_token }) => time(first_token?.p50),
    value: ({ first_token }) => first_token?.p50 ?? -1,
  },
  { key: 'speed', width: 110, text: speedText, value: (of) => of.tokens_per_second ?? -1 },
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
      width: 180,
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
    ...figures.map(({ key, width, text, beside, value }) => ({
      key,
      title: t(`analytics.columns.${key}`),
      width,
      align: 'right' as const,
      className: 'figures',
      sorter: (one: RankedUsage, other: RankedUsage) => value(one) - value(other),
      render: (of: RankedUsage) =>
        h('div', { class: 'figure' }, [
          text(of, view),
          beside && h('div', { class: 'quiet' }, beside(of, view)),
        ]),
    })),
  ]
}
