/**
 * Watches a chat stream that passes to a chat client as it is. Whole frames are forwarded, in the buffer they came in
 * where nothing is withheld; text is counted by scanning; only what holds usage or an error is parsed.
 */
import type { Usage } from '../../../kernel/contract/event.js'
import type { Failure } from '../../../kernel/contract/failure.js'
import type { StreamWatch } from '../../../kernel/contract/format.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import { FrameGate, type FrameKeeper } from '../../../kernel/wire/frame-gate.js'
import { jsonStart, parseFrame, withoutMark } from '../../../kernel/wire/sse.js'
import { failureOfError, tooLarge } from '../../../kernel/wire/upstream-failure.js'
import { type FrameReading, readFrame, terminator } from './decode-stream.js'
import { isContent, readDelta } from './delta.js'
import { objectOf, objectsOf, present } from './fields.js'
import { TextScan } from './text-scan.js'
import { findUsage } from './usage.js'

export function watch(client: { readonly wantsUsage: boolean }): StreamWatch {
  return new ChatWatch(client.wantsUsage)
}

const nothing = Buffer.alloc(0)

class ChatWatch implements StreamWatch, FrameKeeper {
  started = false
  ended = false
  failure: Failure | undefined
  usage: Usage | undefined
  raw: JsonObject | undefined
  private readonly gate = new FrameGate(this)
  private readonly text = new TextScan()
  private first = true

  constructor(private readonly wantsUsage: boolean) {}

  get units(): number {
    return this.text.units
  }

  get over(): boolean {
    return this.ended || this.failure !== undefined
  }

  push(chunk: Buffer): Buffer {
    return this.gate.push(chunk)
  }

  /** Only a terminator passes without its blank line: anything else may have been cut (failures.md S5). */
  flush(): Buffer {
    const rest = this.gate.rest()
    if (this.over || rest.length === 0 || parseFrame(rest).data !== terminator) return nothing
    this.ended = true
    return Buffer.from(`data: ${terminator}\n\n`)
  }

  whole(bytes: Buffer, from: number, end: number): boolean {
    const passed = this.frame(bytes, from, end)
    this.first = false
    return passed
  }

  passesInPieces(): boolean {
    this.text.begin()
    return true
  }

  piece(bytes: Buffer, from: number, end: number): boolean {
    this.text.scan(bytes, from, end)
    // A delta of this size is content of some kind, be it an image.
    this.started ||= this.text.delivered || this.text.delta
    if (this.text.error) this.failure = failureOfError({}, 502)
    return this.failure === undefined
  }

  piecesEnd(): void {
    this.first = false
    const usage = this.text.usageText
    if (usage === '') return
    const reading = readFrame('', `{"choices":[],"usage":${usage}}`)
    if (reading.kind === 'chunk') this.noteUsage(reading.chunk)
  }

  tooLarge(): void {
    this.failure = tooLarge()
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
