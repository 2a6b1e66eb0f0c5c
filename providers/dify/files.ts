/** Files an app is shown: by address, or as bytes that are uploaded before the call. */
import type { Part } from '../../kernel/contract/call.js'
import type { JsonObject } from '../../kernel/contract/json.js'
import { fileName } from '../../kernel/toolkit/provider/index.js'
import { kindOfFile } from './file-kinds.js'

/** One file, or none. What waits for its upload holds `upload` in the place of the id. */
export function fileOf(part: Part): JsonObject[] {
  if (part.kind !== 'media' || 'id' in part.source) return []
  const { type, source, name } = part
  if ('url' in source) {
    const kind = type === 'file' ? 'document' : type
    return [{ type: kind, transfer_method: 'remote_url', url: source.url }]
  }
  const upload = { ...source, name: fileName(name, source.mime) }
  const kind = type === 'file' ? kindOfFile(upload.name) : type
  return [{ type: kind, transfer_method: 'local_file', upload }]
}
