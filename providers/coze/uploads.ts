/** Uploads of what a call shows as bytes (https://docs.coze.cn/developer_guides/upload_files): one form a file. */
import type { Failure } from '../../kernel/contract/failure.js'
import { isObject, type Json, type JsonObject } from '../../kernel/contract/json.js'
import type { WholeAnswer } from '../../kernel/contract/operation.js'
import type { Adapter, PrepareContext } from '../../kernel/contract/provider.js'
import { changed } from '../../kernel/toolkit/body/index.js'
import { objectOf, parsedObject } from '../../kernel/toolkit/operation/index.js'
import {
  type FileToUpload,
  uploadEach,
  uploadRequest,
  upstreamUrl,
} from '../../kernel/toolkit/provider/index.js'
import { fail, failureOfCode } from './fail.js'

/** For bots: files stand in the content of messages. */
export const prepare: Adapter['prepare'] = async (wire, { baseUrl }, credentials, { fetch }) => {
  if (wire.kind !== 'json' || !Array.isArray(wire.value.additional_messages)) return wire
  const messages: readonly Json[] = wire.value.additional_messages
  const waiting = messages.flatMap(itemsOf).filter(isWaiting)
  if (waiting.length === 0) return wire
  const known = await uploadedIds(waiting, { baseUrl, credentials, fetch })
  if ('failure' in known) return known
  const sent = messages.map((message) => withIds(message, known))
  return changed(wire, { ...wire.value, additional_messages: sent })
}

export type Waiting = JsonObject & { readonly upload: FileToUpload }

export function isWaiting(item: Json | undefined): item is Waiting {
  if (!isObject(item) || !isObject(item.upload)) return false
  const { base64, mime, name = '' } = item.upload
  return [base64, mime, name].every((text) => typeof text === 'string')
}

interface UploadTerms extends Pick<PrepareContext, 'fetch'> {
  readonly baseUrl: string
  readonly credentials: Parameters<typeof uploadRequest>[1]
}

/** The id each of them has at the service, or why one has none. */
export async function uploadedIds(
  waiting: readonly Waiting[],
  { baseUrl, credentials, fetch }: UploadTerms,
): Promise<ReadonlyMap<Json, string> | { readonly failure: Failure }> {
  const url = upstreamUrl(baseUrl, '/v1/files/upload')
  const ids = await uploadEach(waiting, async ({ upload }) =>
    idOf(await fetch(uploadRequest(url, credentials, upload))),
  )
  if ('failure' in ids) return ids
  return new Map(waiting.map((item, at) => [item, ids[at]!]))
}

/** Only a message with something to upload has its pieces in a list; any other is a text already. */
function itemsOf(message: Json): readonly Json[] {
  return isObject(message) && Array.isArray(message.content) ? message.content : []
}

function withIds(message: Json, ids: ReadonlyMap<Json, string>): Json {
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
