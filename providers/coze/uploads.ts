/** Uploads of what a call shows as bytes (https://docs.coze.cn/developer_guides/upload_files): one form a file. */
import type { Failure } from '../../kernel/contract/failure.js'
import { isObject, type Json, type JsonObject } from '../../kernel/contract/json.js'
import type { WholeAnswer } from '../../kernel/contract/operation.js'
import type { Adapter } from '../../kernel/contract/provider.js'
import { changed } from '../../kernel/toolkit/body/index.js'
import { objectOf, parsedObject } from '../../kernel/toolkit/operation/index.js'
import {
  type FileToUpload,
  uploadEach,
  uploadRequest,
  upstreamUrl,
} from '../../kernel/toolkit/provider/index.js'
import { fail, failureOfCode } from './fail.js'

export const prepare: Adapter['prepare'] = async (wire, { baseUrl }, credentials, { fetch }) => {
  if (wire.kind !== 'json' || !Array.isArray(wire.value.additional_messages)) return wire
  const messages: readonly Json[] = wire.value.additional_messages
  const waiting = messages.flatMap(itemsOf).filter(isWaiting)
  if (waiting.length === 0) return wire
  const url = upstreamUrl(baseUrl, '/v1/files/upload')
  const ids = await uploadEach(waiting, async ({ upload }) =>
    idOf(await fetch(uploadRequest(url, credentials, upload))),
  )
  if ('failure' in ids) return ids
  const known = new Map(waiting.map((item, at) => [item, ids[at]!]))
  const sent = messages.map((message) => withIds(message, known))
  return changed(wire, { ...wire.value, additional_messages: sent })
}

type Waiting = JsonObject & { readonly upload: FileToUpload }

function isWaiting(item: Json): item is Waiting {
  return isObject(item) && isObject(item.upload)
}

/** Only a message with something to upload has its pieces in a list; any other is a text already. */
function itemsOf(message: Json): readonly Json[] {
  return isObject(message) && Array.isArray(message.content) ? message.content : []
}

function withIds(message: Json, ids: ReadonlyMap<Waiting, string>): Json {
  if (!isObject(message) || !Array.isArray(message.content)) return message
  const items = itemsOf(message).map((item) =>
    isWaiting(item) ? { type: item.type, file_id: ids.get(item)! } : item,
  )
  return { ...message, content: JSON.stringify(items) }
}

function idOf({ status, headers, body }: WholeAnswer): string | { readonly failure: Failure } {
  if (status < 200 || status > 299) return { failure: fail(status, headers, body) }
  const answer = parsedObject(body.toString('utf8')) ?? {}
  const id = objectOf(answer.data)?.id
  return typeof id === 'string' && id !== '' ? id : { failure: failureOfCode(answer) }
}
