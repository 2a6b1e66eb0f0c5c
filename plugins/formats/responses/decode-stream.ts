/** A responses stream as canonical events: frames in, one JSON object each, passed to the decoder in order. */
import type { Event } from '../../../kernel/contract/event.js'
import type { Transform } from '../../../kernel/contract/format.js'
import { isObject, type JsonObject } from '../../../kernel/contract/json.js'
import { decodeFrames, type Frame, type FrameReader } from '../../../kernel/toolkit/format/index.js'
import { EventDecoder } from './decode-event.js'
import { unreadable } from './failure.js'

export function decodeStream(): Transform<Buffer, Event> {
  return decodeFrames(new WireReader())
}

class WireReader implements FrameReader {
  private readonly decoder = new EventDecoder()

  take(frame: Frame): readonly Event[] {
    if (isNothing(frame)) return []
    const wire = wireEvent(frame)
    if (wire !== undefined) return this.decoder.decode(wire)
    // What the end of input cut in two was never sent whole: the stream broke, as its missing end shows already.
    return frame.cut ? [] : [{ type: 'failure', failure: unreadable() }]
  }
}

/** Comments, and the terminator of another format that some upstreams write all the same. */
export function isNothing({ comment, data }: Pick<Frame, 'comment' | 'data'>): boolean {
  return comment || data === '[DONE]'
}

/** The object of one frame, its kind taken from the event name where it has none itself. */
export function wireEvent({ event, data }: Pick<Frame, 'event' | 'data'>): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(data)
    if (!isObject(value)) return undefined
    return typeof value.type === 'string' ? value : { ...value, type: event }
  } catch {
    return undefined
  }
}
