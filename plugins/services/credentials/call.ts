/** The one call an exchange may make: to the channel's own address or a host the provider's manifest names. */
import type { Clock } from '../../../kernel/contract/kit.js'
import type { Channel } from '../../../kernel/contract/line/channel.js'
import type { WholeAnswer } from '../../../kernel/contract/operation.js'
import type { UpstreamRequest } from '../../../kernel/contract/provider.js'
import type { Cancel, Egress } from '../../../kernel/contract/services/egress.js'
import type { Providers } from '../../../kernel/contract/services/providers.js'
import { readAll } from '../../../kernel/toolkit/body/index.js'
import { Refusal, timedOut } from '../../../kernel/toolkit/errors/index.js'
import { limits } from '../../../kernel/toolkit/limits/index.js'
import { mayReach } from '../../../kernel/toolkit/service/index.js'

/** Every call of the channel waits for it, so it may be silent this long, or take this long in all. */
const silenceMs = 30_000
const longestMs = 45_000

export type ExchangeCall = (channel: Channel, request: UpstreamRequest) => Promise<WholeAnswer>

interface CallDependencies {
  readonly egress: Egress
  readonly providers: Providers
  readonly clock: Clock
}

export function createCall({ egress, providers, clock }: CallDependencies): ExchangeCall {
  // The promise of a body that is aborted never settles.
  return (channel, request) =>
    new Promise((resolve, reject) => {
      const cancel: Cancel = {}
      const cancelLimit = clock.after(longestMs, () => {
        reject(timedOut())
        cancel.abort?.()
      })
      answerTo(channel, request, cancel).then(resolve, reject).finally(cancelLimit)
    })

  async function answerTo(
    channel: Channel,
    { method, url, headers, body }: UpstreamRequest,
    cancel: Cancel,
  ): Promise<WholeAnswer> {
    if (!mayReach(url, channel.baseUrl, providers.hosts(channel.type), channel.settings)) {
      throw new Refusal('channel:address_refused')
    }
    const reply = await egress.open({
      method,
      url,
      headers,
      body,
      namedBy: 'admin',
      headersTimeoutMs: silenceMs,
      idleTimeoutMs: silenceMs,
      proxy: channel.proxy,
      cancel,
    })
    cancel.abort = () => reply.body.abort()
    const bytes = await readAll(reply.body, limits.errorBodyBytesMax)
    return { status: reply.status, headers: reply.headers, body: bytes }
  }
}
