/**
 * `Adapter.prepare` as the gateway calls it. While one of its calls is under way the upstream takes the time, and only what comes
 * beside that is held against the plugin; a call that is none is its mistake.
 */
import type { WholeAnswer } from '../contract/operation.js'
import type { Adapter, PrepareContext, UpstreamRequest } from '../contract/provider.js'
import type { Health } from './health.js'
import { isAddressed, isPrepared } from './provider-shapes.js'
import { containedLater, timeLimits } from './verb.js'

export function containedPrepare(adapter: Adapter, health: Health): Adapter['prepare'] {
  const { prepare } = adapter
  if (prepare === undefined) return undefined
  const tally = health.tally('prepare')
  const options = { tally, limitMs: timeLimits.outgoing, isSound: isPrepared }
  return (wire, channel, credentials, context) => {
    const calls = new Calls(context)
    const watched = { ...context, fetch: (request: UpstreamRequest) => calls.fetch(request) }
    return containedLater({ ...options, isWaiting: () => calls.areUnderWay }, () =>
      prepare.call(adapter, wire, channel, credentials, watched),
    )
  }
}

class Calls {
  private running = 0

  constructor(private readonly context: PrepareContext) {}

  get areUnderWay(): boolean {
    return this.running > 0
  }

  fetch(request: UpstreamRequest): Promise<WholeAnswer> {
    const answer = this.answerOf(request)
    // The plugin may not wait for it, and nobody else does.
    answer.catch(() => {})
    return answer
  }

  private async answerOf(request: UpstreamRequest): Promise<WholeAnswer> {
    if (!isAddressed(request)) throw new TypeError('what it calls is not what its contract says')
    this.running += 1
    try {
      return await this.context.fetch(request)
    } finally {
      this.running -= 1
    }
  }
}
