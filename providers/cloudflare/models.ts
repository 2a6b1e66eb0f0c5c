/** The models of the network that are served here (`GET …/ai/models/search`), in numbered pages. */
import { isObject, type JsonObject } from '../../kernel/contract/json.js'
import type { UpstreamQuery } from '../../kernel/contract/provider.js'
import { numberOf, objectsOf, someText } from '../../kernel/toolkit/json/index.js'
import { bearerGet, type NamePage, readNames } from '../../kernel/toolkit/provider/index.js'
import { accountUrl } from './address.js'
import { fail } from './fail.js'
import { isReranker } from './rerank.js'
import { isTranscriber } from './transcripts.js'

export const models: UpstreamQuery<readonly string[]> = {
  request: (channel, credentials, { page = '1' }) =>
    bearerGet(
      `${accountUrl(channel)}/models/search?per_page=100&page=${encodeURIComponent(page)}`,
      credentials,
    ),
  read: (answer) => readNames(answer, fail, pick),
}

const served: ReadonlySet<unknown> = new Set([
  'Text Generation',
  'Text Embeddings',
  'Text-to-Image',
])

function pick({ result, result_info: info }: JsonObject): NamePage | undefined {
  if (!Array.isArray(result)) return undefined
  const able = objectsOf(result).filter(isServed)
  const names = able.map(({ name }) => someText(name))
  const next = isObject(info) && result.length > 0 ? pageAfter(info) : undefined
  return next === undefined ? { names } : { names, next }
}

function isServed({ task, name }: JsonObject): boolean {
  const model = someText(name) ?? ''
  return (isObject(task) && served.has(task.name)) || isTranscriber(model) || isReranker(model)
}

function pageAfter(info: JsonObject): string | undefined {
  const [page, each, total] = [info.page, info.per_page, info.total_count].map(numberOf)
  if (page === undefined || each === undefined || total === undefined) return undefined
  return page * each < total ? String(page + 1) : undefined
}
