/** A chart as the options of the charting library. */
import type { EChartsCoreOption } from 'echarts/core'
import type { ChartData, ChartSeries } from './chart-data.js'
import type { ChartColours } from './colours.js'

export interface PictureOptions {
  readonly data: ChartData
  readonly colours: ChartColours
  readonly still: boolean
  /** A value in full, as in a tooltip, and short, as along an axis. */
  readonly valueText: (value: number) => string
  readonly axisText: (value: number) => string
}

export function picture(terms: PictureOptions): EChartsCoreOption {
  const { data, still, colours } = terms
  return {
    color: [...colours.series],
    animation: !still,
    animationDuration: 300,
    textStyle: { color: colours.text, fontFamily: 'system-ui, sans-serif' },
    tooltip: tooltip(terms),
    ...kinds[data.kind](terms),
  }
}

const kinds = { stacked: overTime, lines: overTime, ranks, share }

function tooltip({ data, colours, valueText }: PictureOptions) {
  const { kind } = data
  return {
    trigger: kind === 'share' ? 'item' : 'axis',
    axisPointer: { type: kind === 'lines' ? 'line' : 'shadow' },
    confine: true,
    backgroundColor: colours.raised,
    borderColor: colours.line,
    textStyle: { color: colours.text, fontSize: 13 },
    order: kind === 'stacked' ? 'valueDesc' : 'seriesAsc',
    valueFormatter: (value: unknown) => valueText(Number(value)),
  }
}

function legend({ colours }: PictureOptions) {
  return {
    type: 'scroll',
    bottom: 0,
    icon: 'roundRect',
    itemWidth: 10,
    itemHeight: 10,
    textStyle: { color: colours.text },
    pageTextStyle: { color: colours.quiet },
    pageIconColor: colours.quiet,
    pageIconInactiveColor: colours.line,
  }
}

function labelsAxis({ data, colours }: PictureOptions) {
  return {
    type: 'category',
    data: [...data.labels],
    axisLine: { lineStyle: { color: colours.line } },
    axisTick: { show: false },
    axisLabel: { color: colours.quiet, hideOverlap: true },
  }
}

function valuesAxis({ colours, axisText }: PictureOptions) {
  return {
    type: 'value',
    splitNumber: 4,
    splitLine: { lineStyle: { color: colours.line } },
    axisLabel: { color: colours.quiet, hideOverlap: true, formatter: axisText },
  }
}

function numbers({ values }: ChartSeries): number[] {
  return values.map(Number)
}

function overTime(terms: PictureOptions) {
  const { data } = terms
  const look =
    data.kind === 'stacked'
      ? { type: 'bar', stack: 'all', barMaxWidth: 32 }
      : { type: 'line', smooth: 0.2, showSymbol: false, lineStyle: { width: 2 } }
  return {
    grid: { left: 4, right: 8, top: 12, bottom: 36, outerBoundsMode: 'same' },
    legend: legend(terms),
    xAxis: labelsAxis(terms),
    yAxis: valuesAxis(terms),
    series: data.series.map((one) => ({ ...look, name: one.name, data: numbers(one) })),
  }
}

/** The greatest stands on top. */
function ranks(terms: PictureOptions) {
  const { data, colours, valueText } = terms
  const [one] = data.series
  return {
    grid: { left: 4, right: 72, top: 4, bottom: 4, outerBoundsMode: 'same' },
    xAxis: { ...valuesAxis(terms), show: false },
    yAxis: {
      ...labelsAxis(terms),
      inverse: true,
      axisLine: { show: false },
      axisLabel: { color: colours.text, width: 150, overflow: 'truncate' },
    },
    series: one && [
      {
        type: 'bar',
        name: one.name,
        data: numbers(one),
        barMaxWidth: 18,
        itemStyle: { borderRadius: [0, 4, 4, 0] },
        label: {
          show: true,
          position: 'right',
          color: colours.quiet,
          formatter: ({ value }: { readonly value: unknown }) => valueText(Number(value)),
        },
      },
    ],
  }
}

/** Names and shares stand beside it, as a list of the page. */
function share({ data, colours }: PictureOptions) {
  const [one] = data.series
  return {
    series: one && [
      {
        type: 'pie',
        name: one.name,
        radius: ['58%', '92%'],
        padAngle: 1,
        itemStyle: { borderRadius: 4, borderColor: colours.surface, borderWidth: 1 },
        label: { show: false },
        data: numbers(one).map((value, at) => ({ name: data.labels[at], value })),
      },
    ],
  }
}
