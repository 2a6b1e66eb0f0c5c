/** What a chart shows, apart from how it is drawn. Money stays whole: only pixels are made of floats. */
export type ChartValue = number | bigint

/** `stacked`: columns over time. `lines`: over time. `ranks`: one bar per label. `share`: parts of a ring. */
type ChartKind = 'stacked' | 'lines' | 'ranks' | 'share'

export interface ChartSeries {
  readonly name: string
  /** One per label. */
  readonly values: readonly ChartValue[]
}

export interface ChartData {
  readonly kind: ChartKind
  readonly labels: readonly string[]
  /** `ranks` and `share` have one. */
  readonly series: readonly ChartSeries[]
}

/** Nothing in it differs from zero. */
export function isBlank({ series }: ChartData): boolean {
  return series.every(({ values }) => values.every((value) => Number(value) === 0))
}

export function sumOf(values: readonly ChartValue[]): ChartValue {
  return values.every((value) => typeof value === 'bigint')
    ? values.reduce((sum, value) => sum + value, 0n)
    : values.reduce((sum: number, value) => sum + Number(value), 0)
}
