/** The service's own collection of models that make images; the whole list is of every public model there is. */
import type { JsonObject } from '../../kernel/contract/json.js'
import type { UpstreamQuery } from '../../kernel/contract/provider.js'
import { upstreamFailure } from '../../kernel/toolkit/errors/index.js'
import { objectsOf, someText } from '../../kernel/toolkit/json/index.js'
import {
  bearerGet,
  type NamePage,
  readNames,
  upstreamUrl,
} from '../../kernel/toolkit/provider/index.js'

export const models: UpstreamQuery<readonly string[]> = {
  request: ({ baseUrl }, credentials) =>
    bearerGet(upstreamUrl(baseUrl, '/v1/collections/text-to-image'), credentials),
  read: (answer) =>
    readNames(answer, (status, headers, head) => upstreamFailure({ status, headers, head }), pick),
}

function pick({ models: found }: JsonObject): NamePage | undefined {
  if (!Array.isArray(found)) return undefined
  return { names: objectsOf(found).map(nameOf) }
}

function nameOf({ owner, name }: JsonObject): string | undefined {
  const [by, called] = [someText(owner), someText(name)]
  return by === undefined || called === undefined ? undefined : `${by}/${called}`
}
