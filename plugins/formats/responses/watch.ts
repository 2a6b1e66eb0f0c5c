/**
 * Watches a responses stream that passes to a responses client as it is. Pieces of text are recognised by their bytes
 * and only counted; what repeats them passes unread; what ends the answer, or is an error, is read.
 */
import type { Usage } from '../../../kernel/contract/event.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import {
  FrameWatch,
  parseFrame,
  TokenCounter,
  withoutMark,
} from '../../../kernel/toolkit/format/index.js'
import { endings } from './decode-event.js'
import { isNothing, wireEvent } from './decode-stream.js'
import { Digest } from './digest.js'
import { failureIn, unreadable } from './failure.js'
import { objectOf, objectsOf, textOf } from './fields.js'
import { stringOf, typeOf } from './frame-scan.js'
import { itemBegins, itemEnds } from './item-notes.js'
import { textDeltas } from './items.js'
import { countItem } from './read-reply.js'
import { ServerTools } from './server-tools.js'
import { findUsage } from './usage.js'

export class ResponsesWatch extends FrameWatch {
  started = false
  usage: Usage | undefined
  raw: JsonObject | undefined

  private readonly counter = new TokenCounter()
  private readonly tools = new ServerTools()
  private first = true
  private anyItem = false
  /** Text of the item at hand was counted. */
  private spoke = false
  /** The frame that passes in pieces holds text. */
  private counting = false
  /** The frame that passes in pieces has to be read. */
  private digest: Digest | undefined

  get estimatedTokens(): number {
    return this.counter.estimatedTokens
  }

  /** Only the blank line may be missing of what is still taken. */
  flush(): Buffer {
    if (this.over) return nothing
    if (this.digest !== undefined) {
      this.piecesEnd()
      return this.ended ? blankLine : nothing
    }
    const rest = this.gate.rest()
    if (rest.length === 0 || wireEvent(parseFrame(rest)) === undefined) return nothing
    return this.lastFrame(rest)
  }

  whole(bytes: Buffer, from: number, end: number): boolean {
    const frame = bytes.subarray(from, end)
    const type = typeOf(frame)
    if (isInside(type)) this.inside(type, frame)
    else this.read(this.first ? withoutMark(frame) : frame)
    this.first = false
    return this.failure === undefined
  }

  /** Whatever could be an error is kept until it is whole, since that is withheld (ERR-2). */
  passesInPieces(head: Buffer): boolean {
    const type = typeOf(head)
    const inside = isInside(type)
    if (!inside && !(this.started && endings.has(type))) return false
    this.started = true
    const reported = type === itemEnds && !this.spoke && !holdsTool(head)
    this.counting = reported || textDeltas.has(type)
    this.spoke ||= this.counting
    if (type === itemEnds || !inside) this.digest = new Digest()
    return true
  }

  piece(bytes: Buffer, from: number, end: number): boolean {
    if (this.counting) this.counter.addJson(bytes, from, end)
    this.digest?.add(bytes, from, end)
    return true
  }

  piecesEnd(): void {
    this.first = false
    this.counting = false
    const { digest } = this
    this.digest = undefined
    if (digest === undefined) return
    const bytes = digest.taken()
    if (bytes === undefined) this.tooLarge()
    else this.read(bytes)
  }

  private inside(type: string, frame: Buffer): void {
    this.started = true
    if (textDeltas.has(type)) {
      const text = stringOf(frame, deltaKey)
      if (text === undefined) return
      this.counter.addJson(frame, text.from, text.to)
      this.spoke = true
    } else if (type === itemBegins) {
      this.spoke = false
    } else if (type === itemEnds) {
      this.anyItem = true
      if (this.spoke && !holdsTool(frame)) this.spoke = false
      else this.read(frame)
    }
  }

  private read(frame: Buffer): void {
    const fields = parseFrame(frame)
    if (isNothing(fields)) return
    const wire = wireEvent(fields)
    if (wire === undefined) this.failure = unreadable()
    else this.note(wire)
  }

  private note(wire: JsonObject): void {
    const type = textOf(wire.type) ?? ''
    if (type === 'error' || type === 'response.failed') this.failure = failureIn(wire)
    else if (endings.has(type)) this.end(wire)
    else if (isInside(type)) this.noteInside(type, wire)
    else this.tools.offered(objectOf(wire.response) ?? {})
  }

  private noteInside(type: string, { delta, item }: JsonObject): void {
    this.started = true
    if (textDeltas.has(type)) {
      this.counter.add(textOf(delta) ?? '')
      this.spoke = true
    } else if (type === itemBegins) {
      this.spoke = false
    } else if (type === itemEnds) {
      this.noteItem(objectOf(item) ?? {})
    }
  }

  private noteItem(item: JsonObject): void {
    this.anyItem = true
    this.tools.note(item)
    if (!this.spoke) countItem(item, this.counter)
    this.spoke = false
  }

  private end(wire: JsonObject): void {
    const response = objectOf(wire.response) ?? {}
    if (response.status === 'failed') {
      this.failure = failureIn(wire)
      return
    }
    this.tools.offered(response)
    this.tools.called(response)
    if (!this.anyItem) for (const item of objectsOf(response.output)) countItem(item, this.counter)
    const reading = findUsage(response, this.tools.counts)
    this.usage = reading?.usage
    this.raw = reading?.raw
    this.started = true
    this.ended = true
  }
}

const nothing = Buffer.alloc(0)
const blankLine = Buffer.from('\n\n')
const deltaKey = Buffer.from('"delta"')

/** Events of what is inside an answer have one word more than those of the answer itself; none of them is an error. */
function isInside(type: string): boolean {
  return type.startsWith('response.') && type.indexOf('.', 'response.'.length) !== -1
}

const toolMarks = [
  '"web_search_call"',
  '"file_search_call"',
  '"image_generation_call"',
  '"code_interpreter_call"',
].map((mark) => Buffer.from(mark))

/** Calls that are counted; quotes inside a text are escaped. */
function holdsTool(frame: Buffer): boolean {
  return toolMarks.some((mark) => frame.includes(mark))
}
