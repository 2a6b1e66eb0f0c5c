/** The place of one worker: who has it now, and when the next one may have it. */
import type { Worker } from 'node:cluster'

/** Who ends sooner keeps the next one waiting, ever longer. */
const youngMs = 60_000
const delayMsMin = 1_000
const delayMsMax = 30_000

export class Place {
  worker: Worker | undefined
  ready = false
  private begunAt = 0
  private nextDelayMs = 0
  private timer: NodeJS.Timeout | undefined

  constructor(readonly number: number) {}

  get pid(): number | undefined {
    return this.worker?.process.pid
  }

  begun(worker: Worker): void {
    this.worker = worker
    this.begunAt = performance.now()
  }

  /** Returns how long to wait for the next one. */
  ended(): number {
    this.worker = undefined
    this.ready = false
    const isYoung = performance.now() - this.begunAt < youngMs
    const delayMs = isYoung ? this.nextDelayMs : 0
    this.nextDelayMs = Math.min(Math.max(delayMs * 2, delayMsMin), delayMsMax)
    return delayMs
  }

  later(ms: number, start: () => void): void {
    this.timer = setTimeout(start, ms)
  }

  cancel(): void {
    clearTimeout(this.timer)
  }
}
