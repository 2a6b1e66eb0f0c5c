/**
 * Where a verbatim stream passes: whole frames are shown to a keeper and forwarded in the buffer they came in, as far as
 * nothing is withheld. The beginning of a frame is held back until it is whole; one that is too large for that passes
 * in pieces where the keeper allows it. Nothing is copied while frames and chunks coincide.
 */

import { Collector } from '../body/collect.js'
import { holdsTooMuch } from '../json/scan.js'
import { limits } from '../limits/limits.js'
import { FrameScanner } from './sse.js'

export interface FrameKeeper {
  /** Nothing more is forwarded: the stream ended or failed. */
  readonly over: boolean
  /** One whole frame, its separator included. False: it is withheld for good. */
  whole(bytes: Buffer, from: number, end: number): boolean
  /** The head of a frame that is larger than what is held back. False: it is kept until it is whole. */
  passesInPieces(head: Buffer): boolean
  /** A piece of a frame that passes unread. False: it is withheld. */
  piece(bytes: Buffer, from: number, end: number): boolean
  /** The frame that passed in pieces is complete. */
  piecesEnd(): void
  /** A frame exceeded `limits.eventBytesMax`, or `limits.wholeEventBytesMax` where it was kept until it is whole. */
  tooLarge(): void
}

const nothing: Buffer = Buffer.alloc(0)

export class FrameGate {
  private readonly scanner = new FrameScanner()
  /** Whether the last frame was forwarded: the rest of its line end goes the same way. */
  private passed = true
  /** The beginning of a frame that is not complete yet. */
  private readonly held = new Collector()
  /** What was held of the frame that is complete now. */
  private head = nothing
  private frameBytes = 0
  /** How many bytes may be held before the keeper decides whether the frame passes in pieces. */
  private holdMax: number = limits.frameHoldBytesMax
  private inPieces = false

  constructor(private readonly keeper: FrameKeeper) {}

  /** Answers what to forward now: the very chunk where all of it passes. */
  push(chunk: Buffer): Buffer {
    const { keeper } = this
    const out: Buffer[] = []
    /** Forwarded so far up to here; a run of frames that pass stays one piece of the chunk. */
    let forwarded = 0
    let from = 0
    while (!keeper.over) {
      const end = this.scanner.next(chunk, from)
      if (end === -1) break
      this.head = nothing
      if (this.passes(chunk, from, end)) {
        if (this.head.length > 0) out.push(this.head)
      } else {
        if (from > forwarded) out.push(stretch(chunk, forwarded, from))
        forwarded = end
      }
      from = end
    }
    if (from > forwarded) out.push(stretch(chunk, forwarded, from))
    if (from < chunk.length && !keeper.over) this.open(chunk.subarray(from), out)
    return joined(out)
  }

  /** The frame the stream broke off in, without its blank line; empty where none is held. */
  rest(): Buffer {
    return this.inPieces ? nothing : this.held.all()
  }

  /** A frame is complete: what is held of it and this stretch of the chunk. */
  private passes(chunk: Buffer, from: number, end: number): boolean {
    if (this.inPieces) return this.lastPiece(chunk, from, end)
    if (this.held.bytes > 0) {
      const frame = this.taken(chunk.subarray(from, end))
      this.passed = this.shown(frame, 0, frame.length)
    } else if (!isLineEnd(chunk, from, end)) {
      this.passed = this.shown(chunk, from, end)
    }
    return this.passed
  }

  private shown(bytes: Buffer, from: number, end: number): boolean {
    const fits = end - from <= limits.wholeEventBytesMax && !holdsTooMuch(bytes, from, end)
    if (fits) return this.keeper.whole(bytes, from, end)
    this.keeper.tooLarge()
    return false
  }

  /** The frame goes on in the next chunk. */
  private open(piece: Buffer, out: Buffer[]): void {
    this.frameBytes += piece.length
    if (this.frameBytes > limits.eventBytesMax) this.keeper.tooLarge()
    else if (this.inPieces) this.passPiece(piece, out)
    else {
      this.held.add(piece)
      if (this.frameBytes > this.holdMax) this.askForPieces(out)
      if (this.held.bytes > limits.wholeEventBytesMax) this.keeper.tooLarge()
    }
  }

  private askForPieces(out: Buffer[]): void {
    const head = this.held.all()
    this.inPieces = this.keeper.passesInPieces(head)
    // Asked once only: what has to be read keeps its place until it is whole.
    this.holdMax = Number.POSITIVE_INFINITY
    if (this.inPieces) this.passPiece(head, out)
    else this.held.add(head)
  }

  private passPiece(piece: Buffer, out: Buffer[]): void {
    if (this.keeper.piece(piece, 0, piece.length)) out.push(piece)
  }

  private lastPiece(chunk: Buffer, from: number, end: number): boolean {
    this.frameBytes += end - from
    if (this.frameBytes > limits.eventBytesMax) this.keeper.tooLarge()
    this.passed = !this.keeper.over && this.keeper.piece(chunk, from, end)
    if (this.passed) this.keeper.piecesEnd()
    this.inPieces = false
    this.frameEnds()
    return this.passed
  }

  private taken(last: Buffer): Buffer {
    const { bytes } = this.held
    this.held.add(last)
    const whole = this.held.all()
    this.head = whole.subarray(0, bytes)
    this.frameEnds()
    return whole
  }

  private frameEnds(): void {
    this.frameBytes = 0
    this.holdMax = limits.frameHoldBytesMax
  }
}

/** The second half of a line end that was cut in two, or a blank line. */
function isLineEnd(bytes: Buffer, from: number, end: number): boolean {
  return end === from + 1 && bytes[from] === 0x0a
}

/** The very buffer where all of it is meant. */
function stretch(chunk: Buffer, from: number, to: number): Buffer {
  return from === 0 && to === chunk.length ? chunk : chunk.subarray(from, to)
}

function joined(pieces: readonly Buffer[]): Buffer {
  if (pieces.length === 1) return pieces[0]!
  return pieces.length === 0 ? nothing : Buffer.concat(pieces)
}
