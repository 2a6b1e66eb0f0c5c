/**
 * Bytes of a generative stream as events, and a whole body as the events its stream would have been. A stream has no
 * terminator: it is complete when the upstream closed and every candidate had a finish reason.
 */
import type { Event } from '../../../kernel/contract/event.js'
import type { Transform } from '../../../kernel/contract/format.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import { decodeFrames, type Frame, type FrameReader } from '../../../kernel/toolkit/format/index.js'
import { ChunkDecoder } from './decode-chunk.js'
import { failureIn, failureOfReply, unreadable } from './errors.js'
import { parsedObject } from './fields.js'

export function decodeStream(): Transform<Buffer, Event> {
  return decodeFrames(new ChunkReader())
}

/** One body as the events of its stream, `end` included; a body that is an error as one failure. */
export function decodeReply(body: JsonObject): Event[] {
  const failure = failureOfReply(body)
  if (failure !== undefined) return [{ type: 'failure', failure }]
  const decoder = new ChunkDecoder()
  return [...decoder.take(body), ...decoder.finish()]
}

/**
 * The JSON of a frame; undefined for an empty one. The service sends an error in the middle of a stream as
 * JSON without `data:`, which the standard would ignore (googleapis/python-genai and js-genai read it so).
 */
export function jsonOf({ comment, data, bytes }: Pick<Frame, 'comment' | 'data' | 'bytes'>) {
  if (!comment) return data
  const text = bytes.toString('utf8').trim()
  return text.startsWith('{') || text.startsWith('[') ? text : undefined
}

class ChunkReader implements FrameReader {
  private readonly decoder = new ChunkDecoder()
  private torn = false

  take(frame: Frame): readonly Event[] {
    const json = jsonOf(frame)
    if (json === undefined) return []
    const chunk = parsedObject(json)
    if (chunk === undefined) {
      // What the end of input cut in two was never sent whole: the stream broke, as its missing end shows.
      this.torn = frame.cut
      return this.torn ? [] : [{ type: 'failure', failure: unreadable() }]
    }
    const failure = failureIn(chunk)
    return failure === undefined ? this.decoder.take(chunk) : [{ type: 'failure', failure }]
  }

  closed(): readonly Event[] {
    return this.decoder.complete && !this.torn ? this.decoder.finish() : []
  }
}
