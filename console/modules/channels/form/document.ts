/** JSON documents of a channel, which come and go as text. */
export type Document = Readonly<Record<string, unknown>>

/** Empty where it is none. */
export function documentOf(text: string): Document {
  return readDocument(text) ?? {}
}

/** Undefined: it is no JSON object. A blank text is the empty one. */
export function readDocument(text: string): Document | undefined {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Document) : undefined
  } catch {
    return undefined
  }
}
