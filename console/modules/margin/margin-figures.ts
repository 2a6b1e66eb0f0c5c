/** Figures of margins: revenue is what was earned where the cost is known. Amounts are billionths of a US dollar. */
import type { Days } from '../../api/analytics.js'
import type { MarginOverview, MarginSums } from '../../api/margin.js'
import { locale } from '../../shell/i18n.js'
import type { ChartData } from '../../ui/chart/chart-data.js'
import { beginOf, countOf } from '../../ui/days.js'

type Translate = (key: string, terms?: Record<string, unknown>) => string

const perQuota = 2_000n

export function revenueOf({ known_quota }: Pick<MarginSums, 'known_quota'>): bigint {
  return BigInt(known_quota) * perQuota
}

/** The nearest whole quota, as amounts are shown by. */
export function quotaOf(billionths: bigint): bigint {
  const half = billionths < 0n ? -perQuota / 2n : perQuota / 2n
  return (billionths + half) / perQuota
}

/** `12.5 %`; of nothing there is no share. */
export function shareOf(part: bigint, whole: bigint): string {
  if (whole <= 0n) return '—'
  const share = Number((part * 10_000n) / whole) / 10_000
  return new Intl.NumberFormat(locale.value, {
    style: 'percent',
    maximumFractionDigits: 1,
  }).format(share)
}

const figures = ['revenue', 'cost', 'margin', 'percent'] as const

function figureOf(name: (typeof figures)[number], sums: MarginSums, about: (q: bigint) => string) {
  const margin = BigInt(sums.margin)
  if (name === 'percent') return shareOf(margin, revenueOf(sums))
  const amounts = { revenue: revenueOf(sums), cost: BigInt(sums.cost), margin }
  return about(quotaOf(amounts[name]))
}

export function tilesOf(
  overview: MarginOverview | undefined,
  t: Translate,
  about: (quota: bigint) => string,
) {
  return figures.map((name) => {
    const title = t(`margin.tiles.${name}`)
    if (overview === undefined) return { name, title, figure: undefined, beside: undefined }
    const { totals, before } = overview
    const isBlank = BigInt(before.known_quota) === 0n && BigInt(before.cost) === 0n
    const amount = figureOf(name, before, about)
    const beside = isBlank ? t('margin.noBefore') : t('margin.before', { amount })
    return { name, title, figure: figureOf(name, totals, about), beside }
  })
}

export function dayChart(
  overview: (MarginOverview & { readonly days: Days }) | undefined,
  t: Translate,
): ChartData | undefined {
  if (overview === undefined) return undefined
  const { days, series } = overview
  const byDay = new Map(series.map((day) => [day.at, day]))
  const first = beginOf(days.from)
  const moments = Array.from({ length: countOf(days) }, (_, at) => first + at * 86_400)
  const label = new Intl.DateTimeFormat(locale.value, {
    ...{ month: 'short', day: 'numeric', timeZone: 'UTC' },
  })
  const line = (name: string, of: (day: MarginSums) => bigint) => ({
    name: t(`margin.tiles.${name}`),
    values: moments.map((at) => {
      const day = byDay.get(at)
      return day === undefined ? 0n : of(day)
    }),
  })
  return {
    kind: 'lines',
    labels: moments.map((at) => label.format(at * 1000)),
    series: [
      line('revenue', revenueOf),
      line('cost', ({ cost }) => BigInt(cost)),
      line('margin', ({ margin }) => BigInt(margin)),
    ],
  }
}
