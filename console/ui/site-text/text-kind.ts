/** What a text of the operator is written in. */
export type TextKind = 'empty' | 'address' | 'html' | 'markdown'

export function kindOf(text: string): TextKind {
  const trimmed = text.trim()
  if (trimmed === '') return 'empty'
  if (/^https?:\/\/\S+$/i.test(trimmed) && URL.canParse(trimmed)) return 'address'
  // Who writes HTML begins with it; a tag somewhere within Markdown stays what it is there.
  return /^<(?:!doctype|!--|[a-z][a-z0-9]*[\s/>])/i.test(trimmed) ? 'html' : 'markdown'
}
