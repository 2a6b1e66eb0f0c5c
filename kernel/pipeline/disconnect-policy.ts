/**
 * How long an upstream call outlives its reader (M9, M11): `drain` reads on for a bounded time, amount and
 * number of calls, so that the upstream's own count can be billed; past any bound the call ends. The same watch ends
 * calls when the gateway stops.
 */
import type { Clock } from '../contract/kit.js'
import type {
  DisconnectOptions,
  DisconnectPolicy,
  DisconnectWatch,
} from '../contract/services/disconnect-policy.js'
import { limits } from '../toolkit/limits/limits.js'
import { LinkedList } from '../toolkit/service/linked-list.js'

export interface StoppableDisconnectPolicy extends DisconnectPolicy {
  /** Ends every call still running, and each that would begin; the gateway is stopping. */
  endAll(): void
}

export function createDisconnectPolicy(clock: Clock): StoppableDisconnectPolicy {
  const open = new LinkedList<Watch>()
  const draining = new Set<Watch>()
  let stopping = false

  class Watch implements DisconnectWatch {
    private bytesLeft: number = limits.drainBytesMax
    private cancelTimer: (() => void) | undefined
    private readonly entry = open.add(this)

    constructor(private readonly options: DisconnectOptions) {
      if (stopping) this.end('stopping')
      else options.sink.onGone(() => this.left())
    }

    read(bytes: number): void {
      if (!draining.has(this)) return
      this.bytesLeft -= bytes
      if (this.bytesLeft < 0) this.end('clientGone')
    }

    release(): void {
      open.remove(this.entry)
      draining.delete(this)
      this.cancelTimer?.()
    }

    end(reason: 'clientGone' | 'stopping'): void {
      if (!this.entry.isListed) return
      this.release()
      this.options.end(reason)
    }

    private left(): void {
      if (!this.entry.isListed || draining.has(this)) return
      if (this.options.policy === 'abort' || draining.size >= limits.drainsMax) {
        this.end('clientGone')
        return
      }
      draining.add(this)
      this.cancelTimer = clock.after(limits.drainMs, () => this.end('clientGone'))
      this.options.drain?.()
    }
  }

  return {
    watch: (options) => new Watch(options),
    endAll: () => {
      stopping = true
      for (const { value } of open.entries()) value.end('stopping')
    },
  }
}
