/** The list of models, without those that are shut down. */
import type { JsonObject } from '../../kernel/contract/json.js'
import type { UpstreamQuery } from '../../kernel/contract/provider.js'
import { objectsOf, someText } from '../../kernel/toolkit/json/index.js'
import { bearerGet, type NamePage, readNames } from '../../kernel/toolkit/provider/index.js'
import { fail } from './fail.js'
import { urlOf } from './place.js'

export const models: UpstreamQuery<readonly string[]> = {
  request: ({ baseUrl }, credentials) => bearerGet(urlOf(baseUrl, '/models'), credentials),
  read: (answer) => readNames(answer, fail, pick),
}

function pick({ data }: JsonObject): NamePage | undefined {
  if (!Array.isArray(data)) return undefined
  const running = objectsOf(data).filter(({ status }) => status !== 'Shutdown')
  return { names: running.map(({ id }) => someText(id)) }
}
