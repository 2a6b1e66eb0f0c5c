/** What went over the wire for one answer, as the raw tabs show it. */
import { markRaw, shallowReactive } from 'vue'

export interface RawEvent {
  /** Since the request was sent. */
  readonly ms: number
  readonly text: string
}

export interface Exchange {
  readonly model: string
  readonly body: string
  status: number
  headers: readonly (readonly [string, string])[]
  readonly events: RawEvent[]
  /** How many came; the array itself is not watched. */
  count: number
  /** How many of them were not kept, since there were too many. */
  dropped: number
}

/** Letters kept of one answer's events. */
const keptMax = 8_000_000

export function newExchange(model: string, body: string): Exchange {
  const events = markRaw<RawEvent[]>([])
  return shallowReactive({ model, body, status: 0, headers: [], events, count: 0, dropped: 0 })
}

/** Takes events in without notifying anyone; `tell` does, once for many. */
export class Recorder {
  private kept = 0
  private dropped = 0

  constructor(private readonly exchange: Exchange) {}

  take(text: string, ms: number): void {
    this.kept += text.length
    if (this.kept > keptMax) this.dropped += 1
    else this.exchange.events.push({ ms, text })
  }

  tell(): void {
    this.exchange.dropped = this.dropped
    this.exchange.count = this.exchange.events.length + this.dropped
  }
}
