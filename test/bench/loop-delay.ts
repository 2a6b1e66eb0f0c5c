/** Loaded into a gateway under test before anything else: states on demand how late its event loop was since last queried. */
import { monitorEventLoopDelay } from 'node:perf_hooks'

export interface LoopDelay {
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  readonly max: number
}

const resolutionMs = 1
const histogram = monitorEventLoopDelay({ resolution: resolutionMs })
histogram.enable()

process.on('message', (ask) => {
  if (ask !== 'loop delay') return
  // What is recorded is the time between two ticks of a timer; what it had to be is not delay.
  const ms = (nanoseconds: number) => Math.max(nanoseconds / 1e6 - resolutionMs, 0)
  const result: LoopDelay = {
    p50: ms(histogram.percentile(50)),
    p99: ms(histogram.percentile(99)),
    max: ms(histogram.max),
  }
  histogram.reset()
  process.send?.(result)
})
