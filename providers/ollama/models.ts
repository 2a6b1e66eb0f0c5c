/** The models this server has pulled (`GET /api/tags`), with their tags. */
import type { JsonObject } from '../../kernel/contract/json.js'
import type { UpstreamQuery } from '../../kernel/contract/provider.js'
import { fieldOfEach, readNames, upstreamUrl } from '../../kernel/toolkit/provider/index.js'
import { authorization } from './call.js'
import { fail } from './fail.js'

export const models: UpstreamQuery<readonly string[]> = {
  request: ({ baseUrl }, credentials) => ({
    method: 'GET',
    url: upstreamUrl(baseUrl, '/api/tags'),
    headers: { accept: 'application/json', ...authorization(credentials) },
  }),
  read: (answer) =>
    readNames(answer, fail, ({ models: list }: JsonObject) => fieldOfEach(list, 'name')),
}
