/**
 * Watches a chat stream that passes to a chat client as it is. Whole frames are forwarded, in the buffer they came in
 * where nothing is withheld; text is counted by scanning; only what holds usage or an error is parsed.
 */
import type { Usage } from '../../../kernel/contract/event.js'
import type { Reader, StreamWatch } from '../../../kernel/contract/format.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import { failureOfError } from '../../../kernel/toolkit/errors/index.js'
import {
  FrameWatch,
  jsonStart,
  parseFrame,
  withoutMark,
} from '../../../kernel/toolkit/format/index.js'
import { stoppedChoices } from './decode-chunk.js'
import { type FrameReading, readFrame, terminator } from './decode-stream.js'
import { isContent, readDelta } from './delta.js'
import { objectOf, objectsOf, present } from './fields.js'
import { TextScan } from './text-scan.js'
import { findUsage } from './usage.js'

export function watch({ wantsUsage, limits }: Pick<Reader, 'wantsUsage' | 'limits'>): StreamWatch {
  return new ChatWatch(wantsUsage, limits?.choices ?? 1)
}

const nothing = Buffer.alloc(0)
const blankLine = Buffer.from('\n\n')
const lastFrame = Buffer.from(`data: ${terminator}\n\n`)

class ChatWatch extends FrameWatch {
  started = false
  usage: Usage | undefined
  raw: JsonObject | undefined
  private readonly text = new TextScan()
  private first = true
  /** Answers that were given a reason to stop. */
  private readonly stopped = new Set<number>()

  constructor(
    private readonly wantsUsage: boolean,
    private readonly choices: number,
  ) {
    super()
  }

  get estimatedTokens(): number {
    return this.text.estimatedTokens
  }

  /** Some upstreams close behind the last reason to stop; the client gets the terminator all the same. */
  flush(): Buffer {
    if (this.over) return nothing
    const last = this.cutFrame(this.gate.rest())
    if (this.over || this.stopped.size < this.choices) return this.ended ? lastFrame : nothing
    this.ended = true
    return last.length === 0 ? lastFrame : Buffer.concat([last, blankLine, lastFrame])
  }

  /**
   * Without its blank line a frame may have been cut (S5): only the terminator passes, and what is whole and
   * ends the answer.
   */
  private cutFrame(rest: Buffer): Buffer {
    if (rest.length === 0) return nothing
    const { comment, event, data } = parseFrame(this.first ? withoutMark(rest) : rest)
    this.ended = data === terminator
    if (comment || this.ended) return nothing
    const reading = readFrame(event, data)
    if (reading.kind === 'failure') return nothing
    const stopped = new Set([...this.stopped, ...stoppedChoices(reading.chunk)])
    if (stopped.size < this.choices) return nothing
    return this.whole(rest, 0, rest.length) ? rest : nothing
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
    // So large a frame is not searched for which alternative it belongs to.
    if (this.text.stop) this.stopped.add(0)
    const usage = this.text.usageText
    if (usage === '') return
    const reading = readFrame('', `{"choices":[],"usage":${usage}}`)
    if (reading.kind === 'chunk') this.noteUsage(reading.chunk)
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
    for (const choice of stoppedChoices(chunk)) this.stopped.add(choice)
    const reported = this.noteUsage(chunk)
    return !reported || choices.length > 0 || this.wantsUsage
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
