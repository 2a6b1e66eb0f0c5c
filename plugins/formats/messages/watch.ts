/**
 * Watches a messages stream that passes to a messages client as it is. Content deltas are recognised by their bytes and
 * only counted; every other frame is read by the decoder, so billing and conversion see the same numbers.
 */
import type { Event, Usage } from '../../../kernel/contract/event.js'
import { isObject, type JsonObject } from '../../../kernel/contract/json.js'
import {
  FrameWatch,
  parseFrame,
  TokenCounter,
  withoutMark,
} from '../../../kernel/toolkit/format/index.js'
import { EventDecoder } from './decode-event.js'
import { wireEvent } from './decode-stream.js'
import { unreadable } from './failure.js'

export class MessagesWatch extends FrameWatch {
  started = false
  usage: Usage | undefined
  raw: JsonObject | undefined

  private readonly decoder = new EventDecoder()
  private readonly counter = new TokenCounter()
  /** The frame that passes in pieces holds text. */
  private counting = false
  private first = true

  get estimatedTokens(): number {
    return this.counter.estimatedTokens
  }

  flush(): Buffer {
    const rest = this.gate.rest()
    // Only the blank line is missing of a frame that can be read.
    if (this.over || rest.length === 0 || wireEvent(parseFrame(rest)) === undefined) return nothing
    return this.lastFrame(rest)
  }

  whole(bytes: Buffer, from: number, end: number): boolean {
    const frame = bytes.subarray(from, end)
    if (this.started && this.countDelta(frame)) return true
    return this.read(frame)
  }

  /** Only content may pass in pieces; anything else could be an error, which is withheld (ERR-2). */
  passesInPieces(head: Buffer): boolean {
    this.counting = holds(head, deltaMarks)
    return this.started && holds(head, blockMarks)
  }

  piece(bytes: Buffer, from: number, end: number): boolean {
    if (this.counting) this.counter.addJson(bytes, from, end)
    return true
  }

  piecesEnd(): void {
    this.counting = false
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
