/** Finds a key that stands twice in one object of a JSON text, of which a parser keeps the last without an error. */
const token = /"(?:[^"\\]|\\.)*"|[{}[\]:,]/g

/** The text is valid JSON. */
export function twiceIn(text: string): string | undefined {
  const open: (Set<string> | undefined)[] = []
  let last = ''
  for (const [part] of text.matchAll(token)) {
    if (part === '{') open.push(new Set())
    else if (part === '[') open.push(undefined)
    else if (part === '}' || part === ']') open.pop()
    else if (part === ':') {
      const key = JSON.parse(last) as string
      const keys = open.at(-1)
      if (keys?.has(key)) return key
      keys?.add(key)
    }
    last = part
  }
  return undefined
}
