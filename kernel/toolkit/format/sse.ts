/**
 * Server-sent events as bytes: where one event ends and the next begins, whatever the cuts of the network, and what
 * stands in an event. Lines end with LF, CR or CRLF, also mixed; nothing is decoded before an event is whole, so no
 * character is ever torn (S1 to S4; https://html.spec.whatwg.org/multipage/server-sent-events.html).
 */
import type { Json } from '../../contract/json.js'
import { Collector } from '../body/collect.js'
import { Refusal } from '../errors/refusal.js'
import { holdsTooMuch } from '../json/scan.js'
import { limits } from '../limits/limits.js'

/** What one event holds. */
export interface FrameFields {
  /** Name of the event; "" is the default. */
  readonly event: string
  /** The data lines, joined by LF. */
  readonly data: string
  /** Nothing is dispatched: comments, ids and blank lines only. `data` is "" then. */
  readonly comment: boolean
}

export interface Frame extends FrameFields {
  /** The exact bytes, separator included; all frames of a stream in a row are the stream. */
  readonly bytes: Buffer
  /**
   * The input ended before the blank line; only `flush` returns such a frame. The standard drops it: take it only
   * where it makes sense by itself, such as a terminator.
   */
  readonly cut: boolean
}

/** Cuts a stream into events. Throws `upstream_too_large` when one event is larger than `maxBytes`. */
export class SseFramer {
  private readonly scanner = new FrameScanner()
  private readonly maxBytes: number
  private readonly held = new Collector()
  private first = true

  constructor({ maxBytes = limits.wholeEventBytesMax }: { readonly maxBytes?: number } = {}) {
    this.maxBytes = maxBytes
  }

  push(chunk: Buffer): Frame[] {
    const frames: Frame[] = []
    let from = 0
    for (;;) {
      const begins = this.scanner.behindBlank(chunk, from)
      if (begins > from) frames.push(this.blank(chunk.subarray(from, begins)))
      from = begins
      const end = this.scanner.next(chunk, from)
      if (end === -1) break
      frames.push(this.frame(this.completed(chunk.subarray(from, end)), false))
      from = end
    }
    if (from < chunk.length) this.hold(chunk.subarray(from))
    return frames
  }

  flush(): Frame[] {
    if (this.held.bytes === 0) return []
    return [this.frame(this.completed(Buffer.alloc(0)), true)]
  }

  private hold(piece: Buffer): void {
    this.held.add(piece)
    if (this.held.bytes > this.maxBytes) throw new Refusal('upstream_too_large')
  }

  private completed(last: Buffer): Buffer {
    const { held } = this
    if (held.bytes + last.length > this.maxBytes) throw new Refusal('upstream_too_large')
    if (held.bytes === 0) return bounded(last)
    held.add(last)
    return bounded(held.all())
  }

  /** Blank lines in a row are one frame that says nothing: each by itself would cost as much as an event. */
  private blank(bytes: Buffer): Frame {
    this.first = false
    return { event: '', data: '', comment: true, bytes, cut: false }
  }

  private frame(bytes: Buffer, cut: boolean): Frame {
    const { event, data, comment } = parseFrame(this.first ? withoutMark(bytes) : bytes)
    this.first = false
    return { event, data, comment, bytes, cut }
  }
}

/** An event whose data holds more than can be read at once is too large, however few its bytes. */
function bounded(frame: Buffer): Buffer {
  if (!holdsTooMuch(frame)) return frame
  throw new Refusal('upstream_too_large')
}

const LF = 0x0a
const CR = 0x0d

/** Finds the ends of events without looking into them. One scanner per stream; chunks come in order. */
export class FrameScanner {
  /** No byte of the current line was seen yet. */
  private lineEmpty = true
  /** No byte of the current frame was seen yet. */
  private frameEmpty = true
  /** The last chunk ended with CR: an LF in front of the next belongs to it. */
  private afterCr = false
  private crChunk: Buffer | undefined
  private crAt = -1

  /**
   * The index behind the frame that stands open at `from`, or -1 where it goes on in the next chunk. The LF of a CRLF
   * that was cut in two behind a frame is a frame of its own.
   */
  next(chunk: Buffer, from: number): number {
    let at = from
    if (this.afterCr && at < chunk.length) {
      this.afterCr = false
      if (chunk[at] === LF) {
        at += 1
        if (this.frameEmpty) return at
      }
    }
    while (at < chunk.length) {
      const lineEnd = this.lineEnd(chunk, at)
      const blank = lineEnd === at && this.lineEmpty
      this.lineEmpty = lineEnd !== -1
      this.frameEmpty = blank
      if (lineEnd === -1) return -1
      at = this.behind(chunk, lineEnd)
      if (blank) return at
    }
    return -1
  }

  /** The index behind blank lines where a frame would begin with them; else `from`. */
  behindBlank(chunk: Buffer, from: number): number {
    if (!this.frameEmpty || !this.lineEmpty || this.afterCr) return from
    let at = from
    while (chunk[at] === LF) at += 1
    return at
  }

  private lineEnd(chunk: Buffer, from: number): number {
    const lf = chunk.indexOf(LF, from)
    const cr = this.nextCr(chunk, from)
    return cr === -1 || (lf !== -1 && lf < cr) ? lf : cr
  }

  /** Streams with CR are rare: one look per chunk is remembered. */
  private nextCr(chunk: Buffer, from: number): number {
    if (this.crChunk !== chunk || (this.crAt !== -1 && this.crAt < from)) {
      this.crChunk = chunk
      this.crAt = chunk.indexOf(CR, from)
    }
    return this.crAt
  }

  private behind(chunk: Buffer, lineEnd: number): number {
    const next = lineEnd + 1
    if (chunk[lineEnd] === LF) return next
    if (next === chunk.length) this.afterCr = true
    return chunk[next] === LF ? next + 1 : next
  }
}

/** Reads one whole frame. Unknown fields, ids and retry times are ignored; a byte order mark is not. */
export function parseFrame(bytes: Buffer): FrameFields {
  const text = bytes.toString('utf8')
  // By far the most frames are one line of data.
  const oneLine = text.endsWith('\n\n') && text.indexOf('\n') === text.length - 2
  if (oneLine && text.startsWith('data: ') && !text.includes('\r')) {
    return { event: '', data: text.slice('data: '.length, -2), comment: false }
  }
  let event = ''
  let data: string | undefined
  for (const line of text.split(lineBreak)) {
    const colon = line.indexOf(':')
    const name = colon === -1 ? line : line.slice(0, colon)
    if (name !== 'data' && name !== 'event') continue
    const start = line[colon + 1] === ' ' ? colon + 2 : colon + 1
    const value = colon === -1 ? '' : line.slice(start)
    if (name === 'event') event = value
    else data = data === undefined ? value : `${data}\n${value}`
  }
  return data === undefined
    ? { event: '', data: '', comment: true }
    : { event, data, comment: false }
}

const lineBreak = /\r\n|\r|\n/

/** A stream may open with one byte order mark, which is no part of its first line. */
export function withoutMark(bytes: Buffer): Buffer {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes
}

/** An event of the default name. */
export function sseData(json: Json): Buffer {
  return Buffer.from(`data: ${JSON.stringify(json)}\n\n`)
}

export function sseEvent(name: string, json: Json): Buffer {
  return Buffer.from(`event: ${name}\ndata: ${JSON.stringify(json)}\n\n`)
}

const tornEventEnds = Buffer.from('\n\n')

/**
 * What is written in the middle of a stream. Where its reader has some of it, that may end inside an event which passed in
 * pieces; it ends first, so that what is written stands alone. A blank line too many means nothing.
 */
export function breakingIn(given: Buffer, begun: boolean): Buffer {
  return begun ? Buffer.concat([tornEventEnds, given]) : given
}

/** Where the JSON of a plain `data: {…}` frame begins; -1 for any other frame. */
export function jsonStart(bytes: Buffer, from: number, end: number): number {
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
