/** Which models this key may use (`GET /v1/models`), newest first, in pages of at most a thousand. */
import type { UpstreamQuery } from '../../kernel/contract/provider.js'
import { someText } from '../../kernel/toolkit/json/index.js'
import { listedIds, readNames, upstreamUrl } from '../../kernel/toolkit/provider/index.js'
import { fail } from './fail.js'

export const models: UpstreamQuery<readonly string[]> = {
  request({ baseUrl }, { key }, { page }) {
    const after = page === undefined ? '' : `&after_id=${encodeURIComponent(page)}`
    return {
      method: 'GET',
      url: upstreamUrl(baseUrl, `/v1/models?limit=1000${after}`),
      headers: {
        accept: 'application/json',
        'x-api-key': key,
        'anthropic-version': '2023-06-01',
      },
    }
  },
  read: (answer) =>
    readNames(answer, fail, (body) => {
      const page = listedIds(body)
      const next = body.has_more === true ? someText(body.last_id) : undefined
      return page === undefined || next === undefined ? page : { ...page, next }
    }),
}
