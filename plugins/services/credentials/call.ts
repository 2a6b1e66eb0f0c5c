/** The one call an exchange may make: to the channel's own address or a host the provider's manifest names. */
import type { Channel } from '../../../kernel/contract/line/channel.js'
import type { WholeAnswer } from '../../../kernel/contract/operation.js'
import type { UpstreamRequest } from '../../../kernel/contract/provider.js'
import type { Egress } from '../../../kernel/contract/services/egress.js'
import type { Providers } from '../../../kernel/contract/services/providers.js'
import { readAll } from '../../../kernel/toolkit/body/index.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { limits } from '../../../kernel/toolkit/limits/index.js'
import { mayReach } from '../../../kernel/toolkit/service/index.js'

/** Every call of the channel waits for it. */
const silenceMs = 30_000

export type ExchangeCall = (channel: Channel, request: UpstreamRequest) => Promise<WholeAnswer>

export function createCall(services: {
  readonly egress: Egress
  readonly providers: Providers
}): ExchangeCall {
  const { egress, providers } = services
  return async (channel, { method, url, headers, body }) => {
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
    })
    const bytes = await readAll(reply.body, limits.errorBodyBytesMax)
    return { status: reply.status, headers: reply.headers, body: bytes }
  }
}
