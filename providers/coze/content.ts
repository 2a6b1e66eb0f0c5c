/** What a message to a bot is made of. Files go by address only: bytes would have to be uploaded first. */
import type { Part } from '../../kernel/contract/call.js'

export type Content =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'file' | 'audio'; readonly file_url: string }

/** One piece, or none where there is no word for it. */
export function contentOf(part: Part): Content[] {
  if (part.kind === 'text' || part.kind === 'refusal') {
    return part.text === '' ? [] : [{ type: 'text', text: part.text }]
  }
  if (part.kind !== 'media' || part.type === 'video' || !('url' in part.source)) return []
  return [{ type: part.type, file_url: part.source.url }]
}
