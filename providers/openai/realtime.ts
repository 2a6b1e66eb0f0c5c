/** The realtime socket: the base URL with a WebSocket scheme, the model in the query. */
import type {
  AddressContext,
  ChannelView,
  SameFormAdapter,
} from '../../kernel/contract/provider.js'
import { bearerRequest, upstreamUrl } from '../../kernel/toolkit/provider/index.js'
import { payerHeaders } from './call.js'
import { fail } from './fail.js'

export const realtime: SameFormAdapter = {
  format: 'same',
  // The beta shape is retired: a client that requests it by this header gets the upstream's answer to it.
  forwards: ['openai-beta'],
  address: (_wire, channel, credentials, context) => ({
    ...bearerRequest(urlOf(channel, context), credentials, context, payerHeaders(channel)),
    method: 'GET',
  }),
  socket(channel, credentials, context) {
    const url = urlOf(channel, context).replace(/^http/, 'ws')
    const request = bearerRequest(url, credentials, context, payerHeaders(channel))
    const { accept: _, 'content-type': __, ...headers } = request.headers
    return { url, headers, protocols: [] }
  },
  fail,
}

function urlOf({ baseUrl }: ChannelView, { model }: AddressContext): string {
  return `${upstreamUrl(baseUrl, '/v1/realtime')}?model=${encodeURIComponent(model)}`
}
