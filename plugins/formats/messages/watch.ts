/**
 * Watches a messages stream that passes to a messages client as it is. Content deltas are recognised by their bytes and
 * only counted; every other frame is read by the decoder, so billing and conversion see the same numbers.
 */
import type { Event, Usage } from '../../../kernel/contract/event.js'
import type { Failure } from '../../../kernel/contract/failure.js'
import type { StreamWatch } from '../../../kernel/contract/format.js'
import { isObject, type JsonObject } from '../../../kernel/contract/json.js'
import { limits } from '../../../kernel/limits.js'
import { FrameScanner, parseFrame, withoutMark } from '../../../kernel/wire/sse.js'
import { UnitCounter } from '../../../kernel/wire/units.js'
import { EventDecoder } from './decode-event.js'
import { wireEvent } from './decode-stream.js'
import { tooLarge, unreadable } from './failure.js'

export class MessagesWatch implements StreamWatch {
  started = false
  ended = false
  failure: Failure | undefined
  usage: Usage | undefined
  raw: JsonObject | undefined

  private readonly scanner = new FrameScanner()
  private readonly decoder = new EventDecoder()
  private readonly counter = new UnitCounter()
  private held: Buffer[] = []
  private heldBytes = 0
  /** The open frame is larger than what is held back, so it passes in pieces and is not read. */
  private passing = false
  private counting = false
  /** The open frame is large and no content: it is kept until it is whole. */
  private waiting = false
  private first = true

  get units(): number {
    return this.counter.units
  }

  push(chunk: Buffer): Buffer {
    if (this.failure !== undefined) return nothing
    const out: Buffer[] = []
    let from = 0
    let whole = this.heldBytes === 0
    for (;;) {
      const end = this.scanner.next(chunk, from)
      if (end === -1) break
      const frame = this.complete(chunk.subarray(from, end))
      if (this.passes(frame)) out.push(frame)
      else whole = false
      from = end
      if (this.failure !== undefined) return Buffer.concat(out)
    }
    if (from === chunk.length && whole) return chunk
    if (from < chunk.length) out.push(this.hold(chunk.subarray(from)))
    return out.length === 1 ? out[0]! : Buffer.concat(out)
  }

  flush(): Buffer {
    if (this.heldBytes === 0 || this.failure !== undefined || this.passing) return nothing
    const frame = this.complete(nothing)
    // Only the blank line is missing of a frame that can be read.
    if (wireEvent(parseFrame(frame)) === undefined) return nothing
    return this.passes(frame) ? Buffer.concat([frame, blankLine]) : nothing
  }

  private complete(last: Buffer): Buffer {
    if (this.heldBytes === 0) return last
    const frame = Buffer.concat([...this.held, last])
    this.held = []
    this.heldBytes = 0
    this.waiting = false
    return frame
  }

  /** Only content may pass in pieces; anything else could be an error, which is withheld (ERR-2). */
  private hold(piece: Buffer): Buffer {
    this.held.push(piece)
    this.heldBytes += piece.length
    if (this.passing) return this.passOn(this.complete(nothing))
    if (this.heldBytes > limits.eventBytesMax) this.failure = tooLarge()
    if (this.heldBytes <= limits.frameHoldBytesMax || this.waiting) return nothing
    const head = this.complete(nothing)
    if (this.started && holds(head, blockMarks)) return this.passOn(head)
    this.waiting = true
    this.held = [head]
    this.heldBytes = head.length
    return nothing
  }

  private passOn(pieces: Buffer): Buffer {
    if (!this.passing) this.counting = holds(pieces, deltaMarks)
    this.passing = true
    if (this.counting) this.counter.addJson(pieces, 0, pieces.length)
    return pieces
  }

  /** False: the frame is withheld for good. */
  private passes(frame: Buffer): boolean {
    if (this.passing) {
      this.passOn(frame)
      this.passing = false
      return true
    }
    if (this.started && this.countDelta(frame)) return true
    return this.read(frame)
  }

  /** True where the frame is a piece of content, and nothing else can be: quotes inside a text are escaped. */
  private countDelta(frame: Buffer): boolean {
    if (!holds(frame, deltaMarks)) return false
    for (const key of textKeys) {
      const from = valueStart(frame, key)
      if (from === -1) continue
      this.counter.addJson(frame, from, stringEnd(frame, from))
      return true
    }
    return true
  }

  private read(frame: Buffer): boolean {
    const fields = parseFrame(this.first ? withoutMark(frame) : frame)
    this.first = false
    if (fields.comment) return true
    const wire = wireEvent(fields)
    if (wire === undefined) this.failure = unreadable()
    else this.note(wire)
    return this.failure === undefined
  }

  private note(wire: JsonObject): void {
    if (contentTypes.has(wire.type)) this.started = true
    // Blocks are never closed here, since their pieces are counted and not decoded.
    if (wire.type === 'content_block_stop') return
    for (const event of this.decoder.decode(wire)) {
      if (event.type !== 'delta') this.take(event)
      else if (wire.type !== 'message_stop') this.counter.add(event.text ?? event.json ?? '')
    }
    const block = wire.content_block
    if (isObject(block) && isObject(block.input) && Object.keys(block.input).length > 0) {
      this.counter.add(JSON.stringify(block.input))
    }
  }

  private take(event: Event): void {
    if (event.type === 'failure') this.failure = event.failure
    else if (event.type === 'end') this.ended = true
    else if (event.type === 'usage') {
      this.usage = event.usage
      this.raw = event.raw
    }
  }
}

const nothing = Buffer.alloc(0)
const blankLine = Buffer.from('\n\n')

const contentTypes = new Set<unknown>([
  'content_block_start',
  'content_block_delta',
  'message_delta',
])

const deltaMarks = ['"type":"content_block_delta"', '"type": "content_block_delta"'].map(utf8)
const blockMarks = ['"type":"content_block_', '"type": "content_block_'].map(utf8)
const textKeys = ['"text"', '"thinking"', '"partial_json"'].map(utf8)

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a
const SPACE = 0x20

function holds(bytes: Buffer, marks: readonly Buffer[]): boolean {
  return marks.some((mark) => bytes.includes(mark))
}

/** Index behind the opening quote of the string at `key`; -1: no such key with a string. */
function valueStart(frame: Buffer, key: Buffer): number {
  const found = frame.indexOf(key)
  if (found === -1) return -1
  let at = found + key.length
  while (frame[at] === SPACE) at += 1
  if (frame[at] !== COLON) return -1
  at += 1
  while (frame[at] === SPACE) at += 1
  return frame[at] === QUOTE ? at + 1 : -1
}

function stringEnd(frame: Buffer, from: number): number {
  let at = from
  while (at < frame.length && frame[at] !== QUOTE) at += frame[at] === BACKSLASH ? 2 : 1
  return Math.min(at, frame.length)
}

function utf8(text: string): Buffer {
  return Buffer.from(text, 'utf8')
}
