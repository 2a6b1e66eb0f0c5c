/**
 * Google's own models in the model garden (`GET publishers/google/models`); those of other makers are listed nowhere a
 * plain call reaches. The list is the same for every project and region.
 */
import type { JsonObject } from '../../kernel/contract/json.js'
import type { Credentials, UpstreamQuery } from '../../kernel/contract/provider.js'
import { objectsOf, someText } from '../../kernel/toolkit/json/index.js'
import { type NamePage, readNames, upstreamUrl } from '../../kernel/toolkit/provider/index.js'
import { serviceAccount } from './account.js'
import { fail } from './fail.js'
import { isEmbedding, isImagen } from './model.js'

export const models: UpstreamQuery<readonly string[]> = {
  request({ baseUrl }, credentials, { page }) {
    const after = page === undefined ? '' : `&pageToken=${encodeURIComponent(page)}`
    const path = `/v1beta1/publishers/google/models?pageSize=100${after}`
    return {
      method: 'GET',
      url: upstreamUrl(baseUrl, path),
      headers: { accept: 'application/json', ...authorization(credentials) },
    }
  },
  read: (answer) => readNames(answer, fail, pick),
}

/** No project stands in the address, so a header names the caller's. */
function authorization({ key, token }: Credentials): Record<string, string> {
  if (token === undefined) return { 'x-goog-api-key': key.trim() }
  const project = serviceAccount(key)?.project
  const headers = { authorization: `Bearer ${token}` }
  return project === undefined ? headers : { ...headers, 'x-goog-user-project': project }
}

function pick({ publisherModels: list, nextPageToken }: JsonObject): NamePage | undefined {
  if (!Array.isArray(list)) return undefined
  const names = objectsOf(list)
    .map(({ name }) => bare(someText(name) ?? ''))
    .filter(isServed)
  const next = someText(nextPageToken)
  return next === undefined ? { names } : { names, next }
}

/** As in `publishers/google/models/gemini-flash`. */
function bare(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1)
}

/** The garden holds much that is called in other ways. */
function isServed(name: string): boolean {
  return name.startsWith('gemini-') || isEmbedding(name) || isImagen(name)
}
