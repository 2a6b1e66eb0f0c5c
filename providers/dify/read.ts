/** An app's answer as canonical events: server-sent events, or one body where an override asks for that. */
import type { Event } from '../../kernel/contract/event.js'
import type { Transform } from '../../kernel/contract/format.js'
import { Refusal } from '../../kernel/errors.js'
import { parsedObject } from '../../kernel/wire/operation-answer.js'
import { type Frame, SseFramer } from '../../kernel/wire/sse.js'
import { AppDecoder, asStream } from './decode.js'
import { failureOfEvent } from './fail.js'

export function readApp(): Transform<Buffer, Event> {
  return new AppReader()
}

const BRACE = 0x7b

class AppReader implements Transform<Buffer, Event> {
  private readonly decoder = new AppDecoder()
  private readonly framer = new SseFramer()
  /** The pieces of a whole body; undefined: it is a stream, or nothing came yet. */
  private body: Buffer[] | undefined
  private begun = false

  push(chunk: Buffer): Event[] {
    if (chunk.length === 0) return []
    if (!this.begun && chunk[0] === BRACE) this.body = []
    this.begun = true
    if (this.body === undefined) return this.framed(chunk)
    this.body.push(chunk)
    return []
  }

  /** What the end of input cut in two was never sent whole. */
  flush(): Event[] {
    if (this.body === undefined) return []
    const whole = parsedObject(Buffer.concat(this.body).toString('utf8'))
    if (whole === undefined) return this.decoder.fail()
    const events = asStream(whole)
    if (events === undefined) return this.decoder.fail(failureOfEvent(whole))
    return events.flatMap((event) => this.decoder.decode(event))
  }

  private framed(chunk: Buffer): Event[] {
    try {
      return this.framer.push(chunk).flatMap((frame) => this.frame(frame))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return this.decoder.fail()
    }
  }

  /** A ping has a name and no data, so it comes as a comment. */
  private frame({ comment, data }: Frame): Event[] {
    if (comment) return []
    const event = parsedObject(data)
    return event === undefined ? this.decoder.fail() : this.decoder.decode(event)
  }
}
