/** The clock of the machine. Its timers never keep the process alive. */
import type { Clock } from '../contract/kit.js'

/** Longest delay a timer of the runtime takes; above it the timer would fire at once. */
const delayMsMax = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after,
}

function after(ms: number, run: () => void): () => void {
  let timer: NodeJS.Timeout
  const arm = (left: number) => {
    const step = Math.min(left, delayMsMax)
    timer = setTimeout(() => (left > step ? arm(left - step) : run()), step)
    timer.unref()
  }
  arm(ms)
  return () => clearTimeout(timer)
}
