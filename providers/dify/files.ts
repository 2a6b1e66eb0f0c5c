/** Files an app is shown. Only addresses can be sent: bytes would have to be uploaded first. */
import type { Part } from '../../kernel/contract/call.js'
import type { JsonObject } from '../../kernel/contract/json.js'

const types = { image: 'image', audio: 'audio', video: 'video', file: 'document' } as const

/** One file, or none. */
export function fileOf(part: Part): JsonObject[] {
  if (part.kind !== 'media' || !('url' in part.source)) return []
  const { type, source } = part
  return [{ type: types[type], transfer_method: 'remote_url', url: source.url }]
}
