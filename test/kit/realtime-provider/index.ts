/** A provider of the tests that speaks realtime only: a bearer key, the model in the query. */
import type { Provider, SameFormAdapter } from '../../../kernel/contract/provider.js'
import { upstreamFailure } from '../../../kernel/toolkit/errors/upstream-failure.js'
import { upstreamUrl } from '../../../kernel/toolkit/provider/address.js'
import { bearerRequest } from '../../../kernel/toolkit/provider/bearer-request.js'

export default function create(): Provider {
  return { operations: { realtime } }
}

const realtime: SameFormAdapter = {
  format: 'same',
  forwards: ['x-test-forwarded'],
  address: (_, { baseUrl }, credentials, context) =>
    bearerRequest(upstreamUrl(baseUrl, '/v1/realtime'), credentials, context),
  socket(channel, { key }, { model, forwarded }) {
    const url = `${upstreamUrl(channel.baseUrl, '/v1/realtime')}?model=${encodeURIComponent(model)}`
    const extra = forwarded.headers['x-test-forwarded']
    return {
      url: url.replace(/^http/, 'ws'),
      headers: {
        authorization: `Bearer ${key}`,
        ...(extra !== undefined && { 'x-test-forwarded': extra }),
      },
      protocols: [],
    }
  },
  fail: (status, headers, head) => upstreamFailure({ status, headers, head }),
}
