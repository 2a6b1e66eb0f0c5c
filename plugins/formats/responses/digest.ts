/**
 * A frame that passes in pieces, made small enough to be read in the end: everything stays as it is, but strings are
 * cut short. A response of many megabytes of text and pictures is a few kilobytes without them.
 */

/** Bytes of a string that are kept; no type, status or count is longer. */
const stringBytesKept = 1024

const QUOTE = 0x22
const BACKSLASH = 0x5c
const LOWER_U = 0x75

export class Digest {
  private readonly kept: Buffer[] = []
  private inString = false
  /** Bytes of the open string so far. */
  private length = 0
  private escaped = false
  /** Digits that are missing of a `\uXXXX`. */
  private digits = 0
  private cutting = false

  add(bytes: Buffer, from: number, to: number): void {
    let at = from
    while (at < to) at = this.inString ? this.string(bytes, at, to) : this.plain(bytes, at, to)
  }

  /** All that was kept, in a row. */
  get bytes(): Buffer {
    return Buffer.concat(this.kept)
  }

  private plain(bytes: Buffer, from: number, to: number): number {
    const quote = bytes.indexOf(QUOTE, from)
    this.inString = quote !== -1 && quote < to
    const end = this.inString ? quote + 1 : to
    this.keep(bytes, from, end)
    return end
  }

  private string(bytes: Buffer, from: number, to: number): number {
    let keptFrom = from
    for (let at = from; at < to; at += 1) {
      const byte = bytes[at]!
      if (!this.cutting && this.length >= stringBytesKept && !this.inEscape) {
        this.keep(bytes, keptFrom, at)
        this.cutting = true
      }
      if (byte === QUOTE && !this.escaped) {
        if (this.cutting) keptFrom = at
        this.keep(bytes, keptFrom, at + 1)
        this.endString()
        return at + 1
      }
      this.length += 1
      this.pass(byte)
    }
    if (!this.cutting) this.keep(bytes, keptFrom, to)
    return to
  }

  /** Half an escape is no JSON; half a character is one nobody reads. */
  private get inEscape(): boolean {
    return this.escaped || this.digits > 0
  }

  private pass(byte: number): void {
    if (this.digits > 0) this.digits -= 1
    else if (this.escaped) {
      this.escaped = false
      this.digits = byte === LOWER_U ? 4 : 0
    } else this.escaped = byte === BACKSLASH
  }

  private endString(): void {
    this.inString = false
    this.cutting = false
    this.length = 0
  }

  /** Copied, so that the chunk it came in can go. */
  private keep(bytes: Buffer, from: number, to: number): void {
    if (to > from) this.kept.push(Buffer.from(bytes.subarray(from, to)))
  }
}
