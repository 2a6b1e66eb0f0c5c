/** The models that are running (`GET /v1/models`). */
import type { UpstreamQuery } from '../../kernel/contract/provider.js'
import { readNames, upstreamUrl } from '../../kernel/toolkit/provider/index.js'
import { authorization } from './call.js'
import { fail } from './fail.js'

export const models: UpstreamQuery<readonly string[]> = {
  request: ({ baseUrl }, credentials) => ({
    method: 'GET',
    url: upstreamUrl(baseUrl, '/v1/models'),
    headers: { accept: 'application/json', ...authorization(credentials) },
  }),
  read: (answer) => readNames(answer, fail),
}
