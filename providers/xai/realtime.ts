/** The realtime socket: events in the words of OpenAI's, the model in the query, without which a default one speaks. */
import type {
  AddressContext,
  ChannelView,
  SameFormAdapter,
} from '../../kernel/contract/provider.js'
import { bearerRequest, upstreamUrl } from '../../kernel/toolkit/provider/index.js'
import { fail } from './fail.js'

export const realtime: SameFormAdapter = {
  format: 'same',
  address: (_wire, channel, credentials, context) => ({
    ...bearerRequest(urlOf(channel, context), credentials, context),
    method: 'GET',
  }),
  socket(channel, credentials, context) {
    const { authorization } = bearerRequest('', credentials, context).headers
    const url = urlOf(channel, context).replace(/^http/, 'ws')
    return { url, headers: { authorization: authorization ?? '' }, protocols: [] }
  },
  fail,
}

function urlOf({ baseUrl }: ChannelView, { model }: AddressContext): string {
  return `${upstreamUrl(baseUrl, '/v1/realtime')}?model=${encodeURIComponent(model)}`
}
