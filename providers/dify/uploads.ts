/**
 * Uploads of what a call shows as bytes (https://docs.dify.ai/en/api-reference/files/upload-file): one form a file, for the very user
 * the call names, since no other may use it.
 */
import type { Body } from '../../kernel/contract/body.js'
import type { Failure } from '../../kernel/contract/failure.js'
import { isObject, type Json, type JsonObject } from '../../kernel/contract/json.js'
import type { WholeAnswer } from '../../kernel/contract/operation.js'
import type { Adapter } from '../../kernel/contract/provider.js'
import { changed } from '../../kernel/toolkit/body/index.js'
import { notExpressible } from '../../kernel/toolkit/errors/index.js'
import { limits } from '../../kernel/toolkit/limits/index.js'
import { parsedObject } from '../../kernel/toolkit/operation/index.js'
import {
  type FileToUpload,
  uploadEach,
  uploadRequest,
  upstreamUrl,
} from '../../kernel/toolkit/provider/index.js'
import { fail } from './fail.js'
import { inputsOf } from './settings.js'

export const prepare: Adapter['prepare'] = async (wire, channel, credentials, { fetch }) => {
  if (wire.kind !== 'json') return wire
  const { file } = inputsOf(channel.settings)
  const waiting = waitingIn(wire.value, file)
  if (waiting.length === 0) return wire
  // The files of the call itself were counted before; these stand in inputs the client wrote.
  if (waiting.length > limits.prepareCallsMax) throw notExpressible('inputs')
  const url = upstreamUrl(channel.baseUrl, '/v1/files/upload')
  const { user = '' } = wire.value
  const ids = await uploadEach(waiting, async ({ upload }) =>
    idOf(await fetch(uploadRequest(url, credentials, upload, { user }))),
  )
  if ('failure' in ids) return ids
  return withIds(wire, file, new Map(waiting.map((one, at) => [one, ids[at]!])))
}

type Waiting = JsonObject & { readonly upload: FileToUpload }

function isWaiting(value: Json | undefined): value is Waiting {
  if (!isObject(value) || !isObject(value.upload)) return false
  const { base64, mime, name } = value.upload
  return [base64, mime, name].every((text) => typeof text === 'string')
}

/** They stand beside the inputs, or are the input the channel names. */
function waitingIn({ files, inputs }: JsonObject, file: string | undefined): readonly Waiting[] {
  const given = file !== undefined && isObject(inputs) ? inputs[file] : undefined
  return [files, given].flat().filter(isWaiting)
}

function withIds(
  wire: Body & { readonly kind: 'json' },
  file: string | undefined,
  ids: ReadonlyMap<Waiting, string>,
): Body {
  const { files, inputs } = wire.value
  const sent = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(sent)
    if (!isWaiting(value)) return value
    const { upload: _, ...known } = value
    return { ...known, upload_file_id: ids.get(value)! }
  }
  const given = file !== undefined && isObject(inputs) ? inputs[file] : undefined
  return changed(wire, {
    ...wire.value,
    ...(files !== undefined && { files: sent(files) }),
    ...(given !== undefined && { inputs: { ...(inputs as JsonObject), [file!]: sent(given) } }),
  })
}

/** An upload is a 201, before that was documented a 200. */
function idOf({ status, headers, body }: WholeAnswer): string | { readonly failure: Failure } {
  if (status < 200 || status > 299) return { failure: fail(status, headers, body) }
  const id = parsedObject(body.toString('utf8'))?.id
  return typeof id === 'string' && id !== '' ? id : { failure: fail(502, headers, body) }
}
