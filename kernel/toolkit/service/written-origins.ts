/** Addresses an admin wrote into a field of a channel: every text in it, however deep, that is one from its beginning to its end. */
import type { Json } from '../../contract/json.js'

/** Fields stand as long as the record of their channel, which is replaced when an admin edits it. */
const known = new WeakMap<object, ReadonlySet<string>>()

export function writtenOrigins(field: Json | undefined): ReadonlySet<string> {
  if (typeof field !== 'object' || field === null) return found(field)
  const before = known.get(field)
  if (before !== undefined) return before
  const origins = found(field)
  known.set(field, origins)
  return origins
}

/** Scheme, host and port, where a socket counts as the call it begins as. Undefined: no address of the web. */
export function originOf(text: string): string | undefined {
  if (!/^(?:http|ws)s?:\/\//i.test(text) || !URL.canParse(text)) return undefined
  const { protocol, host } = new URL(text)
  return `${protocol.replace(/^ws/, 'http')}//${host}`
}

/** Depth costs no stack: what is stored was checked by nobody who reads it here. */
function found(field: Json | undefined): ReadonlySet<string> {
  const origins = new Set<string>()
  const open: (Json | undefined)[] = [field]
  while (open.length > 0) {
    const value = open.pop()
    if (typeof value === 'string') {
      const origin = originOf(value)
      if (origin !== undefined) origins.add(origin)
    } else if (typeof value === 'object' && value !== null) {
      for (const inner of Object.values(value)) open.push(inner)
    }
  }
  return origins
}
