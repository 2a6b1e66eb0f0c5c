/** Which models this key may use (`GET /v1/models`). */
import type { Inquiry } from '../../kernel/contract/provider.js'
import { upstreamUrl } from '../../kernel/wire/address.js'
import { bearerGet, readNames } from '../../kernel/wire/inquiry.js'
import { payerHeaders } from './call.js'
import { fail } from './fail.js'

export const models: Inquiry<readonly string[]> = {
  request: (channel, credentials) =>
    bearerGet(upstreamUrl(channel.baseUrl, '/v1/models'), credentials, payerHeaders(channel)),
  read: (answer) => readNames(answer, fail),
}
