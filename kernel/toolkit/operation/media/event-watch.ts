/**
 * Watches an event stream of a media operation: pieces of a picture, of sound or of a transcript, then a last event with
 * the usage. Large events pass in pieces; of those only the end is looked at.
 */
import type { Usage } from '../../../contract/event.js'
import type { Failure } from '../../../contract/failure.js'
import type { JsonObject } from '../../../contract/json.js'
import type { OperationWatch } from '../../../contract/operation.js'
import { failureOfError, nestedError, tooLarge } from '../../errors/upstream-failure.js'
import { FrameGate, type FrameKeeper } from '../../format/frame-gate.js'
import { parseFrame, withoutMark } from '../../format/sse.js'
import { failureIn, garbled, parsedObject, uncounted } from '../operation-answer.js'

/** `last` brings the usage. Where an answer holds several results, each may have its own. */
export type EventKind = 'content' | 'last' | 'other'

/** What one operation makes of its events. */
export interface EventReader {
  kindOf(type: string): EventKind
  /** A piece of content. Absent: content passes unread. */
  content?(event: JsonObject): void
  /** A last event; where it passed in pieces, only its usage is there. */
  last(event: JsonObject): void
  readonly usage: Usage | undefined
  readonly raw: JsonObject | undefined
  /** Running estimate of delivered output tokens. */
  readonly estimatedTokens: number
}

const nothing = Buffer.alloc(0)
const blankLine = Buffer.from('\n\n')
const terminator = '[DONE]'
/** How much of the end of a large event is kept: a usage object is far smaller. */
const tailBytes = 4096

export class EventWatch implements OperationWatch, FrameKeeper {
  readonly binary = false
  started = false
  ended = false
  failure: Failure | undefined
  private readonly gate = new FrameGate(this)
  private first = true
  /** A last event was seen: what follows is more of the same, or the end. */
  private complete = false
  private pieceKind: EventKind = 'other'
  private tail = nothing
  private usageText: string | undefined

  constructor(private readonly reader: EventReader) {}

  get estimatedTokens(): number {
    return this.reader.estimatedTokens
  }

  get raw(): JsonObject | undefined {
    return this.reader.raw
  }

  /** What broke off before it was counted is billed as estimated. */
  get usage(): Usage | undefined {
    return this.reader.usage ?? (this.started ? uncounted : undefined)
  }

  get over(): boolean {
    return this.ended || this.failure !== undefined
  }

  push(chunk: Buffer): Buffer {
    return this.gate.push(chunk)
  }

  /** The upstream may close behind a last event; without one the stream broke (S5). */
  flush(): Buffer {
    const rest = this.gate.rest()
    const passes = rest.length > 0 && !this.over && this.isLast(rest)
    if (this.failure === undefined && this.complete) this.ended = true
    return passes ? Buffer.concat([rest, blankLine]) : nothing
  }

  whole(bytes: Buffer, from: number, end: number): boolean {
    const { reader, first } = this
    this.first = false
    const unread = reader.content === undefined
    if (unread && reader.kindOf(typeIn(bytes, from, end)) === 'content') {
      this.started = true
      return true
    }
    const frame = bytes.subarray(from, end)
    return this.read(first ? withoutMark(frame) : frame)
  }

  passesInPieces(head: Buffer): boolean {
    this.pieceKind = this.reader.kindOf(typeIn(head, 0, head.length))
    if (this.pieceKind === 'other') return false
    this.tail = nothing
    this.usageText = usageIn(head)
    return true
  }

  piece(bytes: Buffer, from: number, end: number): boolean {
    this.started = true
    if (this.pieceKind === 'last') {
      const ending = bytes.subarray(Math.max(from, end - tailBytes), end)
      this.tail = Buffer.concat([this.tail, ending]).subarray(-tailBytes)
    }
    return true
  }

  piecesEnd(): void {
    if (this.pieceKind !== 'last') return
    this.complete = true
    const usage = parsedObject(usageIn(this.tail) ?? this.usageText ?? '')
    this.reader.last({ usage })
  }

  tooLarge(): void {
    this.failure = tooLarge()
  }

  private isLast(rest: Buffer): boolean {
    const event = parsedObject(parseFrame(rest).data)
    return event !== undefined && this.reader.kindOf(typeOf(event)) === 'last' && this.take(event)
  }

  /** False: the frame is withheld, it is an error. */
  private read(frame: Buffer): boolean {
    const { comment, data } = parseFrame(frame)
    if (comment) return true
    if (data === terminator) {
      this.ended = true
      return true
    }
    const event = parsedObject(data)
    if (event !== undefined) return this.take(event)
    this.failure = garbled()
    return false
  }

  private take(event: JsonObject): boolean {
    const type = typeOf(event)
    this.failure =
      type === 'error' ? failureOfError(nestedError(event) ?? {}, 502) : failureIn(event)
    if (this.failure !== undefined) return false
    const kind = this.reader.kindOf(type)
    if (kind === 'other') return true
    this.started = true
    if (kind === 'content') {
      this.reader.content?.(event)
      return true
    }
    this.complete = true
    this.reader.last(event)
    return true
  }
}

function typeOf({ type }: JsonObject): string {
  return typeof type === 'string' ? type : ''
}

const typeKey = Buffer.from('"type"')
/** Behind an event name and before anything large. */
const typeWithin = 512
const longestType = 64

/** The type of an event without parsing it; "" where it does not stand near the beginning. */
function typeIn(bytes: Buffer, from: number, end: number): string {
  const near = bytes.subarray(from, Math.min(end, from + typeWithin))
  const key = near.indexOf(typeKey)
  if (key === -1) return ''
  const value = near.toString('latin1', key + typeKey.length, key + typeKey.length + longestType)
  const open = value.indexOf('"')
  return value.slice(0, open).trim() === ':'
    ? value.slice(open + 1, value.indexOf('"', open + 1))
    : ''
}

/** The text of the last usage object in a stretch of an event. */
function usageIn(bytes: Buffer): string | undefined {
  const text = bytes.toString('latin1')
  const key = text.lastIndexOf('"usage"')
  const open = text.indexOf('{', key)
  if (key === -1 || open === -1) return undefined
  let depth = 0
  for (let at = open; at < text.length; at += 1) {
    if (text[at] === '{') depth += 1
    else if (text[at] === '}') depth -= 1
    if (depth === 0) return text.slice(open, at + 1)
  }
  return undefined
}
