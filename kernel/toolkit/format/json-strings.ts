/**
 * Strings of JSON in bytes that are scanned and not parsed: where one ends, and which of the keys that matter it is. A
 * string may come in pieces.
 */

/** Finds a key among the few that matter by its bytes; every other one is ''. */
export type KeyFinder<Key extends string> = (bytes: Buffer, from: number, to: number) => Key | ''

/** `names` are ASCII. */
export function keyFinder<Key extends string>(names: readonly Key[]): KeyFinder<Key> {
  const longest = Math.max(...names.map(({ length }) => length))
  const namesByLength = Array.from({ length: longest + 1 }, (_, length) => {
    const fitting = names.filter((name) => name.length === length)
    return fitting.length === 0 ? undefined : fitting
  })
  return (bytes, from, to) => {
    const candidates = namesByLength[to - from]
    if (candidates === undefined) return ''
    for (const name of candidates) if (equals(bytes, from, name)) return name
    return ''
  }
}

function equals(bytes: Buffer, from: number, name: string): boolean {
  for (let at = 0; at < name.length; at += 1) {
    if (bytes[from + at] !== name.charCodeAt(at)) return false
  }
  return true
}

/** More bytes than any key that matters has. */
const keyBytesMax = 32

/** Reads the key that a string is, piece by piece. */
export class KeyReader<Key extends string> {
  /** Beginning of a string that goes on in the next piece, as far as a key can be long. */
  private carried = ''

  constructor(private readonly find: KeyFinder<Key>) {}

  /** A new chunk begins. */
  begin(): void {
    this.carried = ''
  }

  /** The string goes on from `from` to `to`. Returns its key once it has ended, and '' before. */
  read(bytes: Buffer, from: number, to: number, ended: boolean): Key | '' {
    if (ended && this.carried === '') return this.find(bytes, from, to)
    this.carried += bytes.toString('latin1', from, Math.min(to, from + keyBytesMax))
    if (!ended) return ''
    const whole = Buffer.from(this.carried, 'latin1')
    this.carried = ''
    return this.find(whole, 0, whole.length)
  }
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
