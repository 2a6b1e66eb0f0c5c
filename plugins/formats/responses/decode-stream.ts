/** A responses stream as canonical events: frames in, one JSON object each, told to the decoder in order. */
import type { Event } from '../../../kernel/contract/event.js'
import type { Failure } from '../../../kernel/contract/failure.js'
import type { Transform } from '../../../kernel/contract/format.js'
import { isObject, type JsonObject } from '../../../kernel/contract/json.js'
import { Refusal } from '../../../kernel/errors.js'
import { type Frame, SseFramer } from '../../../kernel/wire/sse.js'
import { EventDecoder } from './decode-event.js'
import { tooLarge, unreadable } from './failure.js'

export function decodeStream(): Transform<Buffer, Event> {
  return new StreamDecoder()
}

class StreamDecoder implements Transform<Buffer, Event> {
  private readonly framer = new SseFramer()
  private readonly decoder = new EventDecoder()
  private broken = false

  push(chunk: Buffer): Event[] {
    return this.decode(() => this.framer.push(chunk))
  }

  flush(): Event[] {
    return this.decode(() => this.framer.flush())
  }

  private decode(frames: () => readonly Frame[]): Event[] {
    if (this.broken) return []
    try {
      return frames().flatMap((frame) => this.decodeFrame(frame))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return this.fail(tooLarge())
    }
  }

  private decodeFrame(frame: Frame): Event[] {
    if (this.broken || isNothing(frame)) return []
    const wire = wireEvent(frame)
    if (wire !== undefined) return this.decoder.decode(wire)
    // What the end of input cut in two was never sent whole: the stream broke, as its missing end says already.
    return frame.cut ? [] : this.fail(unreadable())
  }

  private fail(failure: Failure): Event[] {
    this.broken = true
    return [{ type: 'failure', failure }]
  }
}

/** Comments, and the terminator of another format that some upstreams write all the same. */
export function isNothing({ comment, data }: Pick<Frame, 'comment' | 'data'>): boolean {
  return comment || data === '[DONE]'
}

/** The object of one frame, its kind taken from the event name where it does not say itself. */
export function wireEvent({ event, data }: Pick<Frame, 'event' | 'data'>): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(data)
    if (!isObject(value)) return undefined
    return typeof value.type === 'string' ? value : { ...value, type: event }
  } catch {
    return undefined
  }
}
