/**
 * Changes members of a JSON object in its bytes and leaves every other byte as it was: numbers keep their spelling, a
 * body of megabytes is not written anew (kernel/README.md section 5). Linear in the bytes; nothing is decoded but the keys.
 */
import type { Json, JsonObject } from '../../contract/json.js'
import { CLOSE, COMMA, isSpace, OPEN, QUOTE, skipSpace, skipString } from './scan.js'

/** What members become: new JSON, or `undefined` for gone. A key that is not there yet is appended. */
export type Changes = Readonly<Record<string, Json | undefined>>

/** `bytes` are one valid JSON object. Answers the same buffer where nothing changes. */
export function replaceRanges(bytes: Buffer, changes: Changes): Buffer {
  const keys = Object.keys(changes)
  if (keys.length === 0) return bytes
  return new Splice(bytes, changes, keys).done()
}

/**
 * The bytes of `value`, which was made out of `original` by changing members: those that are not the very same differ.
 */
export function rewritten(
  value: JsonObject,
  original: { readonly value: JsonObject; readonly bytes: Buffer },
): Buffer {
  const changes: Record<string, Json | undefined> = {}
  for (const key in value) if (value[key] !== original.value[key]) changes[key] = value[key]
  for (const key in original.value) if (!Object.hasOwn(value, key)) changes[key] = undefined
  return replaceRanges(original.bytes, changes)
}

class Splice {
  private readonly pieces: Buffer[] = []
  /** Everything before stands in `pieces` or is gone. */
  private taken = 0
  private at = 0
  /** A member stands in the output, so the next needs a comma in front. */
  private kept = false
  /** A member is gone, and the comma behind it with it where none was kept before. */
  private dropped = false
  private readonly missing: Set<string>

  constructor(
    private readonly bytes: Buffer,
    private readonly changes: Changes,
    keys: readonly string[],
  ) {
    this.missing = new Set(keys.filter((key) => changes[key] !== undefined))
  }

  done(): Buffer {
    const { bytes } = this
    this.at = bytes.indexOf(OPEN) + 1
    this.keepTo(this.at)
    this.at = skipSpace(bytes, this.at)
    while (bytes[this.at] === QUOTE) {
      this.member()
      this.at = skipSpace(bytes, this.at)
      if (bytes[this.at] === COMMA) this.at = skipSpace(bytes, this.at + 1)
    }
    this.append()
    this.keepTo(bytes.length)
    return Buffer.concat(this.pieces)
  }

  /** One member, from its key on; what stands between it and the one before belongs to it. */
  private member(): void {
    const { bytes } = this
    const start = this.at
    const keyEnd = skipString(bytes, start + 1)
    const key = keyAt(bytes, start, keyEnd)
    const valueStart = skipSpace(bytes, skipSpace(bytes, keyEnd) + 1)
    const valueEnd = skipValue(bytes, valueStart)
    this.at = valueEnd
    if (!Object.hasOwn(this.changes, key)) {
      this.keep(start, valueEnd)
      return
    }
    const value = this.changes[key]
    this.missing.delete(key)
    if (value === undefined) {
      this.dropped = true
      this.taken = valueEnd
      return
    }
    this.keep(start, valueStart)
    this.pieces.push(Buffer.from(JSON.stringify(value)))
    this.taken = valueEnd
  }

  /** With all that led up to it, unless the member before is gone: then the comma in between is too. */
  private keep(start: number, end: number): void {
    if (!this.kept && this.dropped) this.taken = start
    this.kept = true
    this.keepTo(end)
  }

  private keepTo(end: number): void {
    if (end > this.taken) this.pieces.push(this.bytes.subarray(this.taken, end))
    this.taken = end
  }

  private append(): void {
    if (this.missing.size === 0) return
    const texts = [...this.missing].map(
      (key) => `${JSON.stringify(key)}:${JSON.stringify(this.changes[key])}`,
    )
    this.pieces.push(Buffer.from(`${this.kept ? ',' : ''}${texts.join(',')}`))
  }
}

/** Escapes in keys are rare; only then is one parsed. */
function keyAt(bytes: Buffer, start: number, end: number): string {
  const text = bytes.toString('utf8', start + 1, end - 1)
  return text.includes('\\') ? JSON.parse(`"${text}"`) : text
}

function skipValue(bytes: Buffer, from: number): number {
  const first = bytes[from]
  if (first === QUOTE) return skipString(bytes, from + 1)
  if (first === OPEN || first === 0x5b) return skipNested(bytes, from + 1)
  let at = from
  while (at < bytes.length && !endsScalar(bytes[at])) at += 1
  return at
}

function skipNested(bytes: Buffer, from: number): number {
  let depth = 1
  let at = from
  while (depth > 0 && at < bytes.length) {
    const byte = bytes[at]
    at += 1
    if (byte === QUOTE) at = skipString(bytes, at)
    else if (byte === OPEN || byte === 0x5b) depth += 1
    else if (byte === CLOSE || byte === 0x5d) depth -= 1
  }
  return at
}

function endsScalar(byte: number | undefined): boolean {
  return byte === COMMA || byte === CLOSE || isSpace(byte)
}
