/** Files that a service has to have before the call that names them (`Adapter.prepare`). */
import type { Failure } from '../../contract/failure.js'
import type { JsonObject } from '../../contract/json.js'
import type { Credentials, UpstreamRequest } from '../../contract/provider.js'
import { isBase64 } from '../body/base64.js'
import { formBytes } from '../body/form.js'
import { Refusal } from '../errors/refusal.js'
import { fileName } from './file-names.js'

/** As `encode` writes it into the outgoing JSON, in the place of what the upload will return. */
export type FileToUpload = {
  readonly base64: string
  readonly mime: string
  readonly name?: string
}

/**
 * The file as a form with a bearer key: most services take it as `file`, and some with further fields. Throws a `Refusal` where the
 * client's text is no base64 or holds nothing, which would be uploaded as another file than the client has.
 */
export function uploadRequest(
  url: string,
  { key, token }: Credentials,
  { base64, mime, name }: FileToUpload,
  fields: JsonObject = {},
): UpstreamRequest {
  const bytes = isBase64(base64) ? Buffer.from(base64, 'base64') : nothing
  if (bytes.length === 0) throw new Refusal('invalid_request', { reason: emptyOrNone })
  const file = { field: 'file', filename: fileName(name, mime), mime, bytes }
  const form = formBytes({ kind: 'form', fields, files: [file] })
  const headers = {
    'content-type': form.type,
    accept: 'application/json',
    authorization: `Bearer ${(token ?? key).trim()}`,
  }
  return { method: 'POST', url, headers, body: form.bytes }
}

const nothing = Buffer.alloc(0)
const emptyOrNone = 'A file in the request is empty, or is not the base64 it should be.'

interface FailedUpload {
  readonly failure: Failure
}

/** No more files than this are made ready at once, each of which is there three times: as text, as bytes, and as a form. */
const atOnce = 3

/** What each file came to, in their order, or the first failure, after which no further one is begun. */
export async function uploadEach<File, Result>(
  files: readonly File[],
  upload: (file: File) => Promise<Result>,
): Promise<readonly Exclude<Result, FailedUpload>[] | FailedUpload> {
  const uploaded: Exclude<Result, FailedUpload>[] = []
  let failed: FailedUpload | undefined
  let next = 0
  async function goOn(): Promise<void> {
    while (next < files.length && failed === undefined) {
      const at = next++
      const result = await upload(files[at]!)
      if (isFailed(result)) failed ??= result
      else uploaded[at] = result as Exclude<Result, FailedUpload>
    }
  }
  try {
    await Promise.all(Array.from({ length: Math.min(atOnce, files.length) }, goOn))
  } finally {
    next = files.length
  }
  return failed ?? uploaded
}

function isFailed(result: unknown): result is FailedUpload {
  return typeof result === 'object' && result !== null && 'failure' in result
}
