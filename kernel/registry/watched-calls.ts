/**
 * The calls of the gateway that a function of a plugin is given. While one of them is under way an upstream takes the time, and only
 * what comes beside that is held against the plugin; a call that is none is its mistake.
 */
import type { WholeAnswer } from '../contract/operation.js'
import type { UpstreamRequest } from '../contract/provider.js'
import { isAddressed } from './provider-shapes.js'

type Fetch = (request: UpstreamRequest) => Promise<WholeAnswer>

class WatchedCalls {
  private running = 0

  constructor(private readonly call: Fetch) {}

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
      return await this.call(request)
    } finally {
      this.running -= 1
    }
  }
}

interface WithCalls {
  readonly fetch: Fetch
}

/** The context with its calls watched, and whether one of them is under way. */
export function watching<Context extends WithCalls>(context: Context) {
  const calls = new WatchedCalls((request) => context.fetch(request))
  return {
    watched: { ...context, fetch: (request: UpstreamRequest) => calls.fetch(request) },
    isWaiting: () => calls.areUnderWay,
  }
}
