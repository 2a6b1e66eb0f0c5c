/** Strings of JSON in bytes: where one ends, and which of the keys that matter it is. */

const names = [
  'args',
  'code',
  'text',
  'error',
  'index',
  'parts',
  'candidates',
  'finishReason',
  'functionCall',
  'usageMetadata',
  'executableCode',
  'promptFeedback',
  'thoughtSignature',
  'webSearchQueries',
] as const

/** The keys that matter; every other one is ''. */
export type Key = (typeof names)[number] | ''

const namesByLength = Array.from({ length: 18 }, (_, length): readonly Key[] | undefined => {
  const fitting = names.filter((name) => name.length === length)
  return fitting.length === 0 ? undefined : fitting
})

export function keyAt(bytes: Buffer, from: number, to: number): Key {
  const candidates = namesByLength[to - from]
  if (candidates === undefined) return ''
  for (const name of candidates) if (equals(bytes, from, name)) return name
  return ''
}

function equals(bytes: Buffer, from: number, name: string): boolean {
  for (let at = 0; at < name.length; at += 1) {
    if (bytes[from + at] !== name.charCodeAt(at)) return false
  }
  return true
}

/** Bytes of a string looked at one by one before its end is searched for. */
const steps = 64

/** Finds the ends of strings, which may come in pieces. */
export class StringEnds {
  /** A backslash stands at the end of the last piece. */
  private escaped = false

  /** A new chunk begins. */
  begin(): void {
    this.escaped = false
  }

  /** Index of the closing quote of the string that goes on at `from`; `to` where it comes later. */
  next(bytes: Buffer, from: number, to: number): number {
    const stepTo = to - from > steps ? from + steps : to
    let at = from
    let { escaped } = this
    while (at < stepTo) {
      const byte = bytes[at]!
      if (escaped) escaped = false
      else if (byte === 0x5c) escaped = true
      else if (byte === 0x22) break
      at += 1
    }
    this.escaped = escaped
    return at < stepTo || stepTo === to ? at : this.found(bytes, at, to)
  }

  private found(bytes: Buffer, from: number, to: number): number {
    let start = this.escaped ? from + 1 : from
    this.escaped = false
    for (;;) {
      const quote = bytes.indexOf(0x22, start)
      const end = quote === -1 || quote >= to ? to : quote
      const escapes = backslashes(bytes, start, end) % 2 === 1
      if (end === to) {
        this.escaped = escapes
        return to
      }
      if (!escapes) return quote
      start = quote + 1
    }
  }
}

function backslashes(bytes: Buffer, from: number, before: number): number {
  let at = before
  while (at > from && bytes[at - 1] === 0x5c) at -= 1
  return before - at
}
