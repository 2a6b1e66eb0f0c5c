/** A chart as the settings of the charting library. */
import type {
  Chart,
  ChartConfiguration,
  ChartOptions,
  ChartType,
  Plugin,
  TooltipItem,
} from 'chart.js'
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

type Item = TooltipItem<ChartType>

export function picture(terms: PictureOptions): ChartConfiguration {
  return kinds[terms.data.kind](terms)
}

const kinds = { stacked, lines, ranks, share }

const family = 'system-ui, sans-serif'
/** Room beside the bars of a ranking for their values, pixels. */
const valueRoom = 72

function stacked(terms: PictureOptions): ChartConfiguration {
  const look = { maxBarThickness: 32, stack: 'all' }
  return {
    type: 'bar',
    data: overTime(terms, (colour) => ({ ...look, backgroundColor: colour })),
    options: {
      ...common(terms),
      scales: {
        x: { ...labelsAxis(terms), stacked: true },
        y: { ...valuesAxis(terms), stacked: true },
      },
    },
  }
}

function lines(terms: PictureOptions): ChartConfiguration {
  const look = {
    cubicInterpolationMode: 'monotone',
    pointRadius: 0,
    pointHitRadius: 12,
    borderWidth: 2,
  }
  return {
    type: 'line',
    data: overTime(terms, (colour) => ({ ...look, borderColor: colour, backgroundColor: colour })),
    options: { ...common(terms), scales: { x: labelsAxis(terms), y: valuesAxis(terms) } },
  }
}

/** The greatest stands on top. */
function ranks(terms: PictureOptions): ChartConfiguration {
  const { colours } = terms
  const look = { maxBarThickness: 18, borderRadius: 4, backgroundColor: colours.series[0] }
  return {
    type: 'bar',
    data: {
      labels: [...terms.data.labels],
      datasets: terms.data.series.slice(0, 1).map((one) => ({ ...look, ...named(one) })),
    },
    options: {
      ...common(terms),
      indexAxis: 'y',
      layout: { padding: { right: valueRoom } },
      plugins: { ...plugins(terms), legend: { display: false } },
      scales: {
        x: { display: false, beginAtZero: true },
        y: { ...labelsAxis(terms), ticks: { color: colours.text, font: { family } } },
      },
    },
    plugins: [valuesBeside(terms)],
  } as ChartConfiguration
}

/** Names and shares stand beside it, as a list of the page. */
function share(terms: PictureOptions): ChartConfiguration {
  const { data, colours } = terms
  const look = {
    backgroundColor: [...colours.series],
    borderColor: colours.surface,
    borderWidth: 1,
    borderRadius: 4,
  }
  return {
    type: 'doughnut',
    data: {
      labels: [...data.labels],
      datasets: data.series.slice(0, 1).map((one) => ({ ...look, ...named(one) })),
    },
    options: {
      ...common(terms),
      cutout: '63%',
      plugins: { ...plugins(terms), legend: { display: false } },
    } as ChartOptions,
  }
}

function overTime<Look extends object>(
  { data, colours }: PictureOptions,
  look: (colour: string) => Look,
) {
  const { series } = colours
  return {
    labels: [...data.labels],
    datasets: data.series.map((one, at) => ({
      ...look(series[at % series.length]!),
      ...named(one),
    })),
  }
}

function named({ name, values }: ChartSeries) {
  return { label: name, data: values.map(Number) }
}

function common(terms: PictureOptions) {
  return {
    responsive: true,
    maintainAspectRatio: false,
    animation: terms.still ? (false as const) : { duration: 300 },
    interaction: {
      mode: terms.data.kind === 'share' ? ('nearest' as const) : ('index' as const),
      axis: terms.data.kind === 'ranks' ? ('y' as const) : ('x' as const),
      intersect: terms.data.kind === 'share',
    },
    plugins: plugins(terms),
  }
}

function plugins({ data, colours, valueText }: PictureOptions) {
  const bySize = (one: Item, other: Item) => Number(other.raw) - Number(one.raw)
  return {
    legend: {
      position: 'bottom' as const,
      labels: { color: colours.text, boxWidth: 10, boxHeight: 10, font: { family } },
    },
    tooltip: {
      backgroundColor: colours.raised,
      borderColor: colours.line,
      borderWidth: 1,
      titleColor: colours.text,
      bodyColor: colours.text,
      titleFont: { family, size: 13 },
      bodyFont: { family, size: 13 },
      padding: 10,
      ...(data.kind === 'stacked' && { itemSort: bySize }),
      callbacks: {
        label: ({ dataset, label, raw }: Item) => {
          const name = data.kind === 'share' ? label : dataset.label
          return ` ${name}: ${valueText(Number(raw))}`
        },
      },
    },
  }
}

function labelsAxis({ colours }: PictureOptions) {
  return {
    grid: { display: false },
    border: { color: colours.line },
    ticks: { color: colours.quiet, font: { family }, maxRotation: 0, autoSkipPadding: 12 },
  }
}

function valuesAxis({ colours, axisText }: PictureOptions) {
  return {
    beginAtZero: true,
    grid: { color: colours.line },
    border: { display: false },
    ticks: {
      color: colours.quiet,
      font: { family },
      maxTicksLimit: 5,
      callback: (value: string | number) => axisText(Number(value)),
    },
  }
}

/** The value of each bar at its end. */
function valuesBeside({ colours, valueText }: PictureOptions): Plugin {
  return {
    id: 'values-beside',
    afterDatasetsDraw(chart: Chart) {
      const { ctx, data } = chart
      ctx.save()
      ctx.font = `12px ${family}`
      ctx.fillStyle = colours.quiet
      ctx.textBaseline = 'middle'
      const values = data.datasets[0]?.data ?? []
      for (const [at, { x, y }] of chart.getDatasetMeta(0).data.entries()) {
        ctx.fillText(valueText(Number(values[at])), x + 6, y)
      }
      ctx.restore()
    },
  }
}
