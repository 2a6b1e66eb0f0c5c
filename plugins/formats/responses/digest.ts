/**
 * A frame that passes in pieces, made small enough to be read in the end: everything stays as it is, but strings are
 * cut short, and what stands deep, such as the probabilities of every token, is left out. A response of many megabytes of
 * text and pictures is a few kilobytes without them.
 */
import { Collector } from '../../../kernel/toolkit/body/index.js'
import { holdsTooMuch } from '../../../kernel/toolkit/json/index.js'
import { limits } from '../../../kernel/toolkit/limits/index.js'

/** Bytes of a string that are kept; no type, status or count is longer. */
const stringBytesKept = 1024

/** Objects and lists this deep stay empty: the parts of the content of an item stand above. */
const emptyDepth = 7

const QUOTE = 0x22
const BACKSLASH = 0x5c
const LOWER_U = 0x75
/** Brackets of lists differ from those of objects in one bit. */
const OPEN = 0x7b
const CLOSE = 0x7d

export class Digest {
  private readonly kept = new Collector()
  private over = false
  private depth = 0
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

  /** All that was kept, in a row; undefined: even so it is too much to be read. Called once. */
  taken(): Buffer | undefined {
    if (this.over) return undefined
    const bytes = this.kept.all()
    return holdsTooMuch(bytes) ? undefined : bytes
  }

  private plain(bytes: Buffer, from: number, to: number): number {
    const quote = bytes.indexOf(QUOTE, from)
    this.inString = quote !== -1 && quote < to
    const end = this.inString ? quote + 1 : to
    this.keepShallow(bytes, from, end)
    return end
  }

  /** No string stands in it. */
  private keepShallow(bytes: Buffer, from: number, to: number): void {
    let keptFrom = from
    for (let at = from; at < to; at += 1) {
      const bracket = bytes[at]! | 0x20
      if (bracket === OPEN) {
        if (this.depth === emptyDepth - 1) this.keep(bytes, keptFrom, at + 1)
        this.depth += 1
      } else if (bracket === CLOSE) {
        this.depth -= 1
        if (this.depth === emptyDepth - 1) keptFrom = at
      }
    }
    this.keep(bytes, keptFrom, to)
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

  /** Half an escape is no JSON; half a character cannot be read. */
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

  private keep(bytes: Buffer, from: number, to: number): void {
    if (to <= from || this.over || this.depth >= emptyDepth) return
    this.kept.add(bytes.subarray(from, to))
    this.over = this.kept.bytes > limits.wholeEventBytesMax
    if (this.over) this.kept.drop()
  }
}
