/** Perplexity: answers that have searched, in the chat format, with turns that alternate and a stream that just ends. */
import type { Provider } from '../../kernel/contract/provider.js'
import { upstreamUrl } from '../../kernel/wire/address.js'
import { bearerRequest } from '../../kernel/wire/bearer-request.js'
import { upstreamFailure } from '../../kernel/wire/upstream-failure.js'
import { alternate } from './alternate.js'
import { terminated } from './terminated.js'

export default function create(): Provider {
  return {
    operations: {
      chat: {
        format: 'chat',
        // Usage stands in every chunk.
        asksUsage: false,
        // Its server-sent events lack their end, so they too are framed anew.
        streamTypes: ['text/event-stream'],
        unframe: terminated,
        adjust: alternate,
        address: (_wire, { baseUrl }, credentials, context) =>
          bearerRequest(upstreamUrl(baseUrl, '/chat/completions'), credentials, context),
        fail: (status, headers, head) => upstreamFailure({ status, headers, head }),
      },
    },
  }
}
