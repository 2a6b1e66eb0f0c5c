/** The models of a service: `{data: [{id}]}` as most list them, or a bare list of `{id}`, as Together does. */
import { isObject, type Json, type JsonObject } from '../../kernel/contract/json.js'
import type { AdapterBase, UpstreamQuery } from '../../kernel/contract/provider.js'
import { parsedText } from '../../kernel/toolkit/json/index.js'
import { bearerList, upstreamUrl } from '../../kernel/toolkit/provider/index.js'
import { bearerOf, serviceOf } from './services.js'

export function modelList(fail: AdapterBase['fail']): UpstreamQuery<readonly string[]> {
  const list = bearerList(({ baseUrl, type }) => upstreamUrl(baseUrl, serviceOf(type).models), fail)
  return {
    request: (channel, credentials, context) =>
      list.request(channel, { ...credentials, key: bearerOf(channel, credentials) }, context),
    read(answer) {
      const value = answer.status === 200 ? parsedText(answer.body.toString('utf8')) : undefined
      if (!isBareList(value)) return list.read(answer)
      return list.read({ ...answer, body: Buffer.from(JSON.stringify({ data: value })) })
    },
  }
}

function isBareList(value: Json | undefined): value is JsonObject[] {
  return (
    Array.isArray(value) && value.length > 0 && value.every((one) => isObject(one) && 'id' in one)
  )
}
