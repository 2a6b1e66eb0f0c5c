/** A question of management, put by the route the operator gave it. */
import type { ChannelView, Credentials, UpstreamRequest } from '../../kernel/contract/provider.js'
import { Refusal } from '../../kernel/toolkit/errors/index.js'
import { upstreamUrl } from '../../kernel/toolkit/provider/index.js'
import { sent } from './auth.js'
import { joined } from './call.js'
import { managementRoute } from './routes.js'
import { documentOf } from './table.js'

export function questionBy(
  incomingPath: string,
): (channel: ChannelView, credentials: Credentials) => UpstreamRequest {
  return ({ baseUrl, settings }, credentials) => {
    const route = managementRoute(documentOf(settings), incomingPath)
    if (route === undefined || route.path.includes('{model}')) {
      const reason = `The channel has no route for ${incomingPath} that names no model.`
      throw new Refusal('invalid_request', { reason, param: 'settings' })
    }
    const { headers, query } = sent(route.auth, credentials)
    return {
      method: 'GET',
      url: joined(upstreamUrl(baseUrl, route.path), query),
      headers: { accept: 'application/json', ...headers },
    }
  }
}
