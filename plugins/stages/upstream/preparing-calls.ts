/**
 * The calls that go before the operation's own. They reach no further than it may, go out a few at a time, end with the request, and
 * what they carry needs room as answers do.
 */
import type { Reserved } from '../../../kernel/contract/line/record.js'
import type { WholeAnswer } from '../../../kernel/contract/operation.js'
import type { UpstreamRequest } from '../../../kernel/contract/provider.js'
import type { Cancel } from '../../../kernel/contract/services/egress.js'
import { type EgressError, noRoom } from '../../../kernel/toolkit/errors/index.js'
import { limits } from '../../../kernel/toolkit/limits/index.js'
import { abortAll } from './abort-all.js'
import type { UpstreamKit } from './exchange.js'
import { Places } from './places.js'
import { preparingCall } from './preparing-call.js'

export class PreparingCalls {
  private readonly running = new Set<Cancel>()
  private readonly places = new Places(limits.prepareCallsAtOnce)
  private made = 0
  private ended: EgressError | undefined

  constructor(
    private readonly state: Reserved,
    private readonly kit: UpstreamKit,
  ) {}

  /** Calls that are under way, and any that would come later, come to this. */
  end(reason: EgressError): void {
    this.ended ??= reason
    abortAll(this.running)
  }

  async fetch(request: UpstreamRequest): Promise<WholeAnswer> {
    this.made += 1
    if (this.made > limits.prepareCallsMax) throw new RangeError('it makes too many calls')
    return this.places.with(() => this.holding(request))
  }

  /** What a call carries is held as long as the call takes. */
  private async holding(request: UpstreamRequest): Promise<WholeAnswer> {
    if (this.ended !== undefined) throw this.ended
    const { room } = this.state
    const bytes = request.body?.length ?? 0
    if (room === undefined || bytes <= limits.uncountedBytesMax) return this.cancellable(request)
    if (!room.add(bytes)) throw noRoom()
    try {
      return await this.cancellable(request)
    } finally {
      room.keep(Math.max(0, room.held - bytes))
    }
  }

  /** The promise of a body that is aborted never settles, so it is rejected here. */
  private cancellable(request: UpstreamRequest): Promise<WholeAnswer> {
    const own: Cancel = {}
    const running: Cancel = {}
    this.running.add(running)
    return new Promise<WholeAnswer>((resolve, reject) => {
      running.abort = () => {
        reject(this.ended)
        own.abort?.()
      }
      preparingCall(request, this.state, this.kit, own).then(resolve, reject)
    }).finally(() => this.running.delete(running))
  }
}
