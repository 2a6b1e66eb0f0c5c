/** Draws charts. Loaded when the first one is shown, with no more of the charting library than is drawn here. */
import { BarChart, LineChart, PieChart } from 'echarts/charts'
import { GridComponent, LegendScrollComponent, TooltipComponent } from 'echarts/components'
import { init, use } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'
import { type PictureOptions, picture } from './picture.js'

use([
  BarChart,
  LineChart,
  PieChart,
  GridComponent,
  LegendScrollComponent,
  TooltipComponent,
  CanvasRenderer,
])

export interface Drawing {
  show(terms: PictureOptions): void
  end(): void
}

/** Follows the size of its element. */
export function drawingIn(element: HTMLElement): Drawing {
  const chart = init(element)
  const watcher = new ResizeObserver(() => chart.resize())
  watcher.observe(element)
  return {
    show: (terms) => chart.setOption(picture(terms), { notMerge: true }),
    end() {
      watcher.disconnect()
      chart.dispose()
    },
  }
}
