/**
 * Cuts a stream of bytes into the messages of a client. The first message has no type; it opens the connection.
 * Bytes that came in many pieces are joined once per message, so a message of many MB costs what it weighs.
 */

export interface Frames {
  /** Set once: the client's first message was among the bytes. */
  readonly opened: boolean
  readonly frames: readonly Buffer[]
}

export class FrameReader {
  private pieces: Buffer[] = []
  private size = 0
  /** Bytes that must be there before looking again is worth while. */
  private needed = 4
  private open = false

  read(bytes: Buffer): Frames {
    this.pieces.push(bytes)
    this.size += bytes.length
    if (this.size < this.needed) return { opened: false, frames: [] }
    const data = this.pieces.length === 1 ? bytes : Buffer.concat(this.pieces)
    let at = 0
    const opened = !this.open && this.take(data, at, 0)
    if (opened) {
      at = data.readInt32BE(0)
      this.open = true
    }
    const frames: Buffer[] = []
    while (this.open && this.take(data, at, 1)) {
      const end = at + 1 + data.readInt32BE(at + 1)
      frames.push(data.subarray(at, end))
      at = end
    }
    this.size = data.length - at
    this.pieces = this.size > 0 ? [data.subarray(at)] : []
    return { opened, frames }
  }

  /** True when a whole message stands at `at`; else notes how many bytes it needs. */
  private take(data: Buffer, at: number, typeBytes: number): boolean {
    const head = typeBytes + 4
    const left = data.length - at
    this.needed = left < head ? head : typeBytes + data.readInt32BE(at + typeBytes)
    return left >= this.needed
  }
}
