/** The models that answer or embed (`GET /v1beta/models`), under the names calls use. */
import type { JsonObject } from '../../kernel/contract/json.js'
import type { UpstreamQuery } from '../../kernel/contract/provider.js'
import { objectsOf, someText } from '../../kernel/toolkit/json/index.js'
import { type NamePage, readNames } from '../../kernel/toolkit/provider/index.js'
import { bareName, root } from './address.js'
import { fail } from './fail.js'

export const models: UpstreamQuery<readonly string[]> = {
  request(channel, { key, token }, { page }) {
    const after = page === undefined ? '' : `&pageToken=${encodeURIComponent(page)}`
    return {
      method: 'GET',
      url: `${root(channel)}/models?pageSize=1000${after}`,
      headers: { accept: 'application/json', 'x-goog-api-key': (token ?? key).trim() },
    }
  },
  read: (answer) => readNames(answer, fail, pick),
}

/** `predict` makes images. */
const served: ReadonlySet<unknown> = new Set(['generateContent', 'embedContent', 'predict'])

function pick({ models: list, nextPageToken }: JsonObject): NamePage | undefined {
  if (!Array.isArray(list)) return undefined
  const able = objectsOf(list).filter(isServed)
  const names = able.map(({ name }) => bareName(someText(name) ?? ''))
  const next = someText(nextPageToken)
  return next === undefined ? { names } : { names, next }
}

function isServed({ supportedGenerationMethods: methods }: JsonObject): boolean {
  return Array.isArray(methods) && methods.some((method) => served.has(method))
}
