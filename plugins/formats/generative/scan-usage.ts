/**
 * The last usage object of a stream, found and kept as bytes. Each chunk brings one and only the last matters, so none is
 * parsed or copied on the way.
 */
import { Collector } from '../../../kernel/toolkit/body/index.js'
import type { StringEnds } from '../../../kernel/toolkit/format/index.js'

/** Bytes of a chunk that are kept where they are. */
export interface Stretch {
  readonly bytes: Buffer
  readonly from: number
  readonly to: number
}

export class LastUsage {
  /** The last object that counts something. */
  kept: Stretch | undefined
  /** How deep in an object; 0: not in one. */
  depth = 0
  private from = -1
  private counts = false
  private readonly pieces = new Collector()

  /** A new chunk begins. */
  begin(): void {
    this.depth = 0
    this.from = -1
    this.pieces.drop()
  }

  /** An object opens at `from`. */
  open(from: number): void {
    this.depth = 1
    this.from = from
    this.counts = false
  }

  /** The next piece of the chunk begins at `from`. */
  goOn(from: number): void {
    if (this.from !== -1) this.from = from
  }

  /** The piece ends at `to`. */
  pause(bytes: Buffer, to: number): void {
    if (this.from !== -1) this.pieces.add(bytes.subarray(this.from, to))
  }

  /** Goes on in the object; returns where to go on, behind `to` where a string goes on in the next piece. */
  skip(bytes: Buffer, from: number, to: number, strings: StringEnds): number {
    let at = from
    let { depth } = this
    while (at < to && depth > 0) {
      const byte = bytes[at]!
      at += 1
      if (byte === 0x22) at = strings.next(bytes, at, to) + 1
      else if (byte === 0x7b || byte === 0x5b) depth += 1
      else if (byte === 0x7d || byte === 0x5d) depth -= 1
      else if (byte >= 0x30 && byte <= 0x39) this.counts = true
    }
    this.depth = depth
    if (depth === 0) this.close(bytes, at)
    return at
  }

  /** Some services send an object that counts nothing until the end. */
  private close(bytes: Buffer, to: number): void {
    const { from, pieces } = this
    this.from = -1
    if (!this.counts) return
    if (pieces.bytes === 0) this.kept = { bytes, from, to }
    else {
      pieces.add(bytes.subarray(from, to))
      const whole = pieces.all()
      this.kept = { bytes: whole, from: 0, to: whole.length }
    }
  }
}
