/** The models that chat, embed or rank (`GET /v1/models`), in pages of at most a thousand. */
import type { JsonObject } from '../../kernel/contract/json.js'
import type { UpstreamQuery } from '../../kernel/contract/provider.js'
import { objectsOf, someText } from '../../kernel/toolkit/json/index.js'
import {
  bearerGet,
  type NamePage,
  normalBase,
  readNames,
} from '../../kernel/toolkit/provider/index.js'
import { fail } from './call.js'

export const models: UpstreamQuery<readonly string[]> = {
  request({ baseUrl }, credentials, { page }) {
    const after = page === undefined ? '' : `&page_token=${encodeURIComponent(page)}`
    const base = normalBase(baseUrl).replace(/\/v2$/, '')
    return bearerGet(`${base}/v1/models?page_size=1000${after}`, credentials)
  },
  read: (answer) => readNames(answer, fail, pick),
}

const served: ReadonlySet<unknown> = new Set(['chat', 'embed', 'rerank'])

function pick({ models: list, next_page_token: token }: JsonObject): NamePage | undefined {
  if (!Array.isArray(list)) return undefined
  const able = objectsOf(list).filter(isServed)
  const names = able.map(({ name }) => someText(name))
  const next = someText(token)
  return next === undefined ? { names } : { names, next }
}

/** A model whose purpose is not listed is left to the operator. */
function isServed({ endpoints }: JsonObject): boolean {
  return !Array.isArray(endpoints) || endpoints.some((endpoint) => served.has(endpoint))
}
