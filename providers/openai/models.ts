/** Which models this key may use (`GET /v1/models`). */
import type { UpstreamQuery } from '../../kernel/contract/provider.js'
import { bearerGet, readNames, upstreamUrl } from '../../kernel/toolkit/provider/index.js'
import { payerHeaders } from './call.js'
import { fail } from './fail.js'

export const models: UpstreamQuery<readonly string[]> = {
  request: (channel, credentials) =>
    bearerGet(upstreamUrl(channel.baseUrl, '/v1/models'), credentials, payerHeaders(channel)),
  read: (answer) => readNames(answer, fail),
}
