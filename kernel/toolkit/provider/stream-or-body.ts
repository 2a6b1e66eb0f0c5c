/**
 * The answer of an upstream in words of its own: server-sent events, or one JSON body in their place. Which of the two it
 * is shows in its first byte.
 */
import type { Event } from '../../contract/event.js'
import type { Transform } from '../../contract/format.js'
import type { JsonObject } from '../../contract/json.js'
import { Collector } from '../body/collect.js'
import { Refusal } from '../errors/refusal.js'
import { type Frame, SseFramer } from '../format/sse.js'
import { replyObject } from '../json/reply.js'

export interface AnswerReader {
  /** One event of the stream; comments do not come here. */
  frame(frame: Frame): Event[]
  /** The whole body; undefined: it is not the object it began as. */
  whole(body: JsonObject | undefined): Event[]
  /** The stream ended, and this is what stood behind its last blank line. Absent: what was cut off counts for nothing. */
  rest?(frames: readonly Frame[]): Event[]
  /** An event was larger than the gateway takes. */
  tooLarge(): Event[]
}

const BRACE = 0x7b

export class StreamOrBody implements Transform<Buffer, Event> {
  private readonly framer = new SseFramer()
  /** The pieces of a whole body; undefined: it is a stream, or nothing came yet. */
  private body: Collector | undefined
  private begun = false

  constructor(private readonly reader: AnswerReader) {}

  push(chunk: Buffer): Event[] {
    if (chunk.length === 0) return []
    if (!this.begun && chunk[0] === BRACE) this.body = new Collector()
    this.begun = true
    if (this.body === undefined) return this.framed(chunk)
    this.body.add(chunk)
    return []
  }

  flush(): Event[] {
    const { body, reader } = this
    if (body === undefined) return reader.rest?.(this.framer.flush()) ?? []
    return reader.whole(replyObject(body.all()))
  }

  private framed(chunk: Buffer): Event[] {
    try {
      return this.framer
        .push(chunk)
        .flatMap((frame) => (frame.comment ? [] : this.reader.frame(frame)))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return this.reader.tooLarge()
    }
  }
}
