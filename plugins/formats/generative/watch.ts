/**
 * Watches a generative stream that passes to a client of the same format. Chunks are scanned, not parsed; only errors and
 * verdicts on the prompt are read. For a reader of events the very bytes pass, for a reader of an array the chunks in
 * new frames.
 */
import type { Usage } from '../../../kernel/contract/event.js'
import type { Reader, StreamWatch } from '../../../kernel/contract/format.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import {
  FrameWatch,
  jsonStart,
  parseFrame,
  withoutMark,
} from '../../../kernel/toolkit/format/index.js'
import { jsonOf } from './decode-stream.js'
import { failureIn, unreadable } from './errors.js'
import { parsedObject } from './fields.js'
import { ArrayFraming } from './framing.js'
import { ChunkScan } from './scan.js'
import type { Stretch } from './scan-usage.js'
import { readUsage } from './usage.js'

export function watch({ hints }: Omit<Reader, 'model'>): StreamWatch {
  return new GenerativeWatch(hints?.framing === 'array' ? new ArrayFraming() : undefined)
}

const nothing = Buffer.alloc(0)
/** Data may stand in several lines; no string of JSON holds a line end. */
const laterLines = /(?<![\r\n])[\r\n]+data:/g

class GenerativeWatch extends FrameWatch {
  private readonly scan = new ChunkScan()
  private first = true
  /** A frame passes in pieces and is not complete. */
  private torn = false
  /** Elements for a reader of an array that are ready. */
  private elements: Buffer[] = []
  private reported: { readonly kept: Stretch; readonly raw: JsonObject } | undefined

  constructor(private readonly array: ArrayFraming | undefined) {
    super()
  }

  get started(): boolean {
    return this.scan.content
  }

  get estimatedTokens(): number {
    return this.scan.estimatedTokens
  }

  get raw(): JsonObject | undefined {
    const kept = this.scan.usage
    if (kept === undefined) return undefined
    // Each chunk brings new counts and only the last matter, so they are read on demand.
    if (this.reported?.kept !== kept) {
      const { bytes, from, to } = kept
      const json = bytes.toString('utf8', from, to).replace(laterLines, '')
      this.reported = { kept, raw: parsedObject(json) ?? {} }
    }
    return this.reported.raw
  }

  get usage(): Usage | undefined {
    const { raw } = this
    return raw && readUsage(raw, this.scan.searched)
  }

  override push(chunk: Buffer): Buffer {
    const passed = this.gate.push(chunk)
    return this.array === undefined ? passed : this.ready()
  }

  /** The upstream closed. Only the blank line is missing of a last frame that can be read; any other was cut. */
  flush(): Buffer {
    if (this.over) return nothing
    const rest = this.gate.rest()
    const passed = isBlank(rest) ? nothing : this.last(rest)
    this.ended = this.failure === undefined && !this.torn && this.scan.complete
    if (this.array === undefined) return passed
    if (this.ended) this.elements.push(this.array.end())
    return this.ready()
  }

  whole(bytes: Buffer, from: number, end: number): boolean {
    const json = this.first ? -1 : jsonStart(bytes, from, end)
    // An element of an array is what stands in one line of data, without the line's end.
    const to = this.array === undefined || json === -1 ? end : lineEnd(bytes, json, end)
    const passes =
      json === -1 || to === -1
        ? this.unusual(bytes.subarray(from, end))
        : this.chunk(bytes, json, to)
    this.first = false
    return passes && this.array === undefined
  }

  /** An array needs its elements whole. What could be an error is read first (ERR-2). */
  passesInPieces(head: Buffer): boolean {
    if (this.array !== undefined || jsonStart(head, 0, head.length) === -1) return false
    const peek = new ChunkScan()
    peek.scan(head, 0, head.length)
    this.torn = peek.known && !peek.mustRead
    if (this.torn) this.scan.begin()
    return this.torn
  }

  piece(bytes: Buffer, from: number, end: number): boolean {
    this.scan.scan(bytes, from, end)
    if (this.scan.mustRead) this.failure = unreadable()
    return this.failure === undefined
  }

  piecesEnd(): void {
    this.torn = false
    this.first = false
  }

  private last(rest: Buffer): Buffer {
    if (parsedObject(this.jsonIn(rest) ?? '') === undefined) {
      this.torn = true
      return nothing
    }
    return this.lastFrame(rest)
  }

  private chunk(bytes: Buffer, from: number, end: number): boolean {
    const { scan } = this
    scan.begin()
    scan.scan(bytes, from, end)
    const read = !scan.known || scan.mustRead || !scan.content
    if (read && !this.reads(bytes.toString('utf8', from, end))) return false
    if (this.array !== undefined) this.elements.push(this.array.element(bytes.subarray(from, end)))
    return true
  }

  /** The first frame, comments, named events, JSON without a frame: read by the rules of the standard. */
  private unusual(bytes: Buffer): boolean {
    const json = this.jsonIn(bytes)
    if (json === undefined) return true
    const reported = Buffer.from(json)
    return this.chunk(reported, 0, reported.length)
  }

  private jsonIn(bytes: Buffer): string | undefined {
    const marked = this.first ? withoutMark(bytes) : bytes
    return jsonOf({ ...parseFrame(marked), bytes: marked })
  }

  private reads(json: string): boolean {
    const chunk = parsedObject(json)
    this.failure = chunk === undefined ? unreadable() : failureIn(chunk)
    return this.failure === undefined
  }

  private ready(): Buffer {
    if (this.elements.length === 0) return nothing
    const [only] = this.elements
    const ready = this.elements.length === 1 ? only! : Buffer.concat(this.elements)
    this.elements = []
    return ready
  }
}

/** Where the line that goes on at `from` ends; -1 where more than blank lines follow it. */
function lineEnd(bytes: Buffer, from: number, end: number): number {
  let at = from
  while (at < end && bytes[at] !== 0x0a && bytes[at] !== 0x0d) at += 1
  return isBlank(bytes.subarray(at, end)) ? at : -1
}

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0x0a || byte === 0x0d || byte === 0x20)
}
