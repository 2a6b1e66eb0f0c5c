/**
 * Collects the pieces of a body in few large buffers. Who sends a body of one byte a piece would otherwise have each of
 * them kept as an object, which takes a hundred times the room of what it holds (F6).
 */

/** Pieces from here on are kept as they are: they waste little, and copying them would cost more. */
const ownBytesMin = 16 * 1024
/** The first block that small pieces are copied into; further ones are as large as what is there, up to the second. */
const blockBytesMin = 4 * 1024
const blockBytesMax = 1024 * 1024

/** A body of a length that is known, from here on, is written into one buffer, once this part of it has come. */
const wholeBytesMin = 1024 * 1024
const wholePart = 1 / 4

/** Pieces that come in any case, before their number is held against what they bring. */
const freePieces = 4096
/** So many bytes a piece has to bring on average, beyond those. */
const bytesPerPieceMin = 64

export class Collector {
  private readonly buffers: Buffer[] = []
  private block: Buffer | undefined
  /** What of the block is in `buffers`, and what is written. */
  private from = 0
  private to = 0
  private length = 0
  /** Bytes that came and were taken away. */
  private taken = 0
  private pieces = 0
  /** Room for all of the body, which needs no copy at its end. */
  private whole: Buffer | undefined

  /** @param declared bytes the body will have, where that is known. What comes may be more, or less. */
  constructor(private declared = 0) {}

  /** Bytes there are. */
  get bytes(): number {
    return this.length
  }

  /** Bytes that came, here or taken away. */
  get came(): number {
    return this.taken + this.length
  }

  /**
   * More pieces than an honest sender makes of so many bytes. Each costs the parser of HTTP the same work, however small
   * it is.
   */
  get shredded(): boolean {
    return this.pieces > freePieces + this.came / bytesPerPieceMin
  }

  /** A piece alone, or a large one, is kept and not copied: it may not be written to afterwards. */
  add(chunk: Buffer): void {
    this.pieces += 1
    this.length += chunk.length
    if (this.whole !== undefined) {
      this.fill(this.whole, chunk)
    } else if (this.pieces === 1 || chunk.length >= ownBytesMin) {
      this.seal()
      this.buffers.push(chunk)
    } else {
      this.copy(chunk)
    }
    if (this.declared >= wholeBytesMin && this.length >= this.declared * wholePart) this.unite()
  }

  /** Everything in one buffer. Called once: the pieces are let go. */
  all(): Buffer {
    this.divide()
    const { buffers } = this
    const all = buffers.length === 1 ? buffers[0]! : Buffer.concat(buffers, this.length)
    this.drop()
    return all
  }

  /** What there is, in order. More may come behind it. */
  take(): readonly Buffer[] {
    this.divide()
    this.taken += this.length
    this.length = 0
    return this.buffers.splice(0)
  }

  /** Something that was taken comes back, before what there is. */
  putBack(pieces: readonly Buffer[]): void {
    const bytes = bytesOf(pieces)
    this.buffers.unshift(...pieces)
    this.taken -= bytes
    this.length += bytes
  }

  /** Lets go of everything. */
  drop(): void {
    this.buffers.length = 0
    this.block = undefined
    this.whole = undefined
    this.from = 0
    this.to = 0
    this.length = 0
  }

  /** What there is moves into one buffer as large as the body will be. */
  private unite(): void {
    const { declared, length } = this
    this.declared = 0
    if (length > declared) return
    this.seal()
    const whole = Buffer.allocUnsafeSlow(declared)
    let at = 0
    for (const buffer of this.buffers) at += buffer.copy(whole, at)
    this.drop()
    this.whole = whole
    this.length = length
  }

  private fill(whole: Buffer, chunk: Buffer): void {
    const at = this.length - chunk.length
    if (this.length <= whole.length) {
      chunk.copy(whole, at)
      return
    }
    this.buffers.push(at === whole.length ? whole : whole.subarray(0, at), chunk)
    this.whole = undefined
  }

  /** Everything is in `buffers` from now on. */
  private divide(): void {
    const { whole, length } = this
    if (whole === undefined) {
      this.seal()
      return
    }
    this.whole = undefined
    this.buffers.push(length === whole.length ? whole : whole.subarray(0, length))
  }

  private copy(chunk: Buffer): void {
    let at = 0
    while (at < chunk.length) {
      const block = this.roomy()
      const copied = chunk.copy(block, this.to, at)
      this.to += copied
      at += copied
    }
  }

  /** A block with room in it. */
  private roomy(): Buffer {
    if (this.block !== undefined && this.to < this.block.length) return this.block
    this.seal()
    this.from = 0
    this.to = 0
    const bytes = Math.min(Math.max(this.length, blockBytesMin), blockBytesMax)
    this.block = Buffer.allocUnsafeSlow(bytes)
    return this.block
  }

  /** What was copied takes its place among the others; the rest of its block is used further. */
  private seal(): void {
    if (this.block === undefined || this.from === this.to) return
    this.buffers.push(this.block.subarray(this.from, this.to))
    this.from = this.to
  }
}

export function bytesOf(pieces: readonly Buffer[]): number {
  return pieces.reduce((bytes, piece) => bytes + piece.length, 0)
}
