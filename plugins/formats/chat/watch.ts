/**
 * Watches a chat stream that passes to a chat client as it is. Whole frames are forwarded, in the buffer they came in
 * where nothing is withheld; text is counted by scanning; only what holds usage or an error is parsed.
 */
import type { Usage } from '../../../kernel/contract/event.js'
import type { Failure } from '../../../kernel/contract/failure.js'
import type { StreamWatch } from '../../../kernel/contract/format.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import { limits } from '../../../kernel/limits.js'
import { FrameScanner, parseFrame, withoutMark } from '../../../kernel/wire/sse.js'
import { failureOfError } from '../../../kernel/wire/upstream-failure.js'
import { type FrameReading, readFrame, terminator } from './decode-stream.js'
import { isContent, readDelta } from './delta.js'
import { tooLarge } from './errors.js'
import { objectOf, objectsOf, present } from './fields.js'
import { TextScan } from './text-scan.js'
import { findUsage } from './usage.js'

export function watch(client: { readonly wantsUsage: boolean }): StreamWatch {
  return new ChatWatch(client.wantsUsage)
}

const nothing = Buffer.alloc(0)

class ChatWatch implements StreamWatch {
  started = false
  ended = false
  failure: Failure | undefined
  usage: Usage | undefined
  raw: JsonObject | undefined
  private readonly scanner = new FrameScanner()
  private readonly text = new TextScan()
  private first = true
  /** Whether the last frame was forwarded: the rest of its line end goes the same way. */
  private passed = true
  /** The beginning of a frame that is not complete yet. */
  private held: Buffer[] = []
  private heldBytes = 0
  /** The frame was too large to hold: it passes in pieces, only counted. */
  private passing = false

  constructor(private readonly wantsUsage: boolean) {}

  get units(): number {
    return this.text.units
  }

  push(chunk: Buffer): Buffer {
    const out: Buffer[] = []
    /** Forwarded so far up to here; a run of frames that pass stays one piece of the chunk. */
    let forwarded = 0
    let from = 0
    while (!this.over) {
      const end = this.scanner.next(chunk, from)
      if (end === -1) break
      const before = this.held
      if (this.passes(chunk, from, end)) {
        out.push(...before)
      } else {
        if (from > forwarded) out.push(stretch(chunk, forwarded, from))
        forwarded = end
      }
      from = end
    }
    if (from > forwarded) out.push(stretch(chunk, forwarded, from))
    if (from < chunk.length && !this.over) out.push(...this.hold(chunk.subarray(from)))
    return joined(out)
  }

  /** Only a terminator passes without its blank line: anything else may have been cut (failures.md S5). */
  flush(): Buffer {
    if (this.over || this.passing || this.heldBytes === 0) return nothing
    const rest = Buffer.concat(this.held)
    if (parseFrame(rest).data !== terminator) return nothing
    this.ended = true
    return Buffer.from(`data: ${terminator}\n\n`)
  }

  private get over(): boolean {
    return this.ended || this.failure !== undefined
  }

  /** A frame is complete: the held beginning and this stretch of the chunk. False: it is withheld. */
  private passes(chunk: Buffer, from: number, end: number): boolean {
    if (this.passing) {
      this.passOn(chunk, from, end)
      this.passing = false
      this.first = false
      return this.settleLong()
    }
    if (isLineEnd(chunk, from, end) && this.held.length === 0) return this.passed
    const frame = this.held.length === 0 ? undefined : this.completed(chunk.subarray(from, end))
    this.passed =
      frame === undefined ? this.frame(chunk, from, end) : this.frame(frame, 0, frame.length)
    this.first = false
    return this.passed
  }

  private completed(last: Buffer): Buffer {
    const whole = Buffer.concat([...this.held, last])
    this.held = []
    this.heldBytes = 0
    return whole
  }

  /** Keeps an incomplete frame back, up to a bound; beyond it the frame passes in pieces. */
  private hold(piece: Buffer): Buffer[] {
    if (this.passing) {
      this.passOn(piece, 0, piece.length)
      return this.failure === undefined ? [piece] : []
    }
    this.held.push(piece)
    this.heldBytes += piece.length
    if (this.heldBytes <= limits.frameHoldBytesMax) return []
    const whole = this.completed(nothing)
    this.passing = true
    this.text.begin()
    this.passOn(whole, 0, whole.length)
    return this.failure === undefined ? [whole] : []
  }

  private passOn(bytes: Buffer, from: number, to: number): void {
    this.heldBytes += to - from
    this.text.scan(bytes, from, to)
    // A delta of this size is content of some kind, be it an image.
    this.started ||= this.text.delivered || this.text.delta
    if (this.heldBytes > limits.eventBytesMax) this.failure = tooLarge()
    else if (this.text.error) this.failure = failureOfError({}, 502)
  }

  private settleLong(): boolean {
    this.heldBytes = 0
    const usage = this.text.usageText
    if (usage !== '') {
      const reading = readFrame('', `{"choices":[],"usage":${usage}}`)
      if (reading.kind === 'chunk') this.noteUsage(reading.chunk)
    }
    return this.failure === undefined
  }

  private frame(bytes: Buffer, from: number, end: number): boolean {
    const json = this.first ? -1 : jsonStart(bytes, from, end)
    if (json === -1) return this.unusual(bytes.subarray(from, end))
    this.text.begin()
    this.text.scan(bytes, json, end)
    if (this.started && !this.text.mustRead) return true
    return this.read(readFrame('', parseFrame(bytes.subarray(from, end)).data))
  }

  /** The first frame, comments, named events, the terminator: read by the rules of the standard. */
  private unusual(bytes: Buffer): boolean {
    const { comment, event, data } = parseFrame(this.first ? withoutMark(bytes) : bytes)
    if (comment) return true
    if (data === terminator) {
      this.ended = true
      return true
    }
    this.text.begin()
    this.text.scan(bytes, 0, bytes.length)
    return this.read(readFrame(event, data))
  }

  private read(reading: FrameReading): boolean {
    if (reading.kind === 'failure') {
      this.failure = reading.failure
      return false
    }
    const { chunk } = reading
    this.started ||= objectsOf(chunk.choices).some(holdsContent)
    const choices = objectsOf(chunk.choices)
    const told = this.noteUsage(chunk)
    return !told || choices.length > 0 || this.wantsUsage
  }

  private noteUsage(chunk: JsonObject): boolean {
    const reading = findUsage(chunk)
    if (reading === undefined) return false
    this.usage = { ...this.usage, ...present(reading.usage) }
    this.raw = reading.raw
    return true
  }
}

function holdsContent(choice: JsonObject): boolean {
  return readDelta(objectOf(choice.delta) ?? {}).some(isContent)
}

/** The second half of a line end that was cut in two, or a blank line. */
function isLineEnd(bytes: Buffer, from: number, end: number): boolean {
  return end === from + 1 && bytes[from] === 0x0a
}

/** Where the JSON of a plain `data: {…}` frame begins; -1 for any other frame. */
function jsonStart(bytes: Buffer, from: number, end: number): number {
  const isData =
    bytes[from] === 0x64 &&
    bytes[from + 1] === 0x61 &&
    bytes[from + 2] === 0x74 &&
    bytes[from + 3] === 0x61 &&
    bytes[from + 4] === 0x3a
  if (!isData) return -1
  const start = bytes[from + 5] === 0x20 ? from + 6 : from + 5
  return start < end && bytes[start] === 0x7b ? start : -1
}

/** The very buffer where all of it is meant. */
function stretch(chunk: Buffer, from: number, to: number): Buffer {
  return from === 0 && to === chunk.length ? chunk : chunk.subarray(from, to)
}

function joined(pieces: readonly Buffer[]): Buffer {
  if (pieces.length === 1) return pieces[0]!
  return pieces.length === 0 ? nothing : Buffer.concat(pieces)
}
