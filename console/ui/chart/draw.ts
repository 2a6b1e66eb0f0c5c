/** Draws charts. Loaded when the first one is shown, with no more of the charting library than is drawn here. */
import {
  ArcElement,
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  DoughnutController,
  Legend,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  Tooltip,
} from 'chart.js'
import { type PictureOptions, picture } from './picture.js'

Chart.register(
  ...[BarController, LineController, DoughnutController],
  ...[BarElement, LineElement, PointElement, ArcElement],
  ...[CategoryScale, LinearScale, Legend, Tooltip],
)

export interface Drawing {
  show(terms: PictureOptions): void
  end(): void
}

/** Follows the size of its element. */
export function drawingIn(element: HTMLElement): Drawing {
  const canvas = element.appendChild(document.createElement('canvas'))
  let chart: Chart | undefined
  const end = () => chart?.destroy()
  return {
    show(terms) {
      end()
      chart = new Chart(canvas, picture(terms))
    },
    end,
  }
}
