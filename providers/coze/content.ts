/** What a message to a bot is made of. Files go by address, or as bytes that are uploaded before the call. */
import type { Part } from '../../kernel/contract/call.js'
import type { FileToUpload } from '../../kernel/toolkit/provider/index.js'

type FileType = 'image' | 'file' | 'audio'

export type Content =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: FileType; readonly file_url: string }
  | { readonly type: FileType; readonly upload: FileToUpload }

/** One piece, or none where there is no word for it. */
export function contentOf(part: Part): Content[] {
  if (part.kind === 'text' || part.kind === 'refusal') {
    return part.text === '' ? [] : [{ type: 'text', text: part.text }]
  }
  if (part.kind !== 'media' || part.type === 'video' || 'id' in part.source) return []
  const { type, source, name } = part
  if ('url' in source) return [{ type, file_url: source.url }]
  return [{ type, upload: { ...source, ...(name !== undefined && { name }) } }]
}
