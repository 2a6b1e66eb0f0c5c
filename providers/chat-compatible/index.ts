/** Upstreams that speak the chat format with a bearer key and nothing else of their own: the manifest is their table. */
import type { Adapter, Provider } from '../../kernel/contract/provider.js'
import { upstreamUrl } from '../../kernel/wire/address.js'
import { bearerRequest } from '../../kernel/wire/bearer-request.js'
import { upstreamFailure } from '../../kernel/wire/upstream-failure.js'

export default function create(): Provider {
  return { operations: { chat } }
}

const chat: Adapter = {
  format: 'chat',
  address: (_, channel, credentials, context) =>
    bearerRequest(upstreamUrl(channel.baseUrl, '/v1/chat/completions'), credentials, context),
  fail: (status, headers, head) => upstreamFailure({ status, headers, head }),
}
