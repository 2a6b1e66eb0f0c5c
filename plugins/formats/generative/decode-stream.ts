/**
 * Bytes of a generative stream as events, and a whole body as the events its stream would have been. A stream has no
 * terminator: it is complete when the upstream closed and every candidate had said why it stopped.
 */
import type { Event } from '../../../kernel/contract/event.js'
import type { Failure } from '../../../kernel/contract/failure.js'
import type { Transform } from '../../../kernel/contract/format.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import { Refusal } from '../../../kernel/errors.js'
import { type Frame, SseFramer } from '../../../kernel/wire/sse.js'
import { ChunkDecoder } from './decode-chunk.js'
import { failureIn, failureOfReply, tooLarge, unreadable } from './errors.js'
import { parsedObject } from './fields.js'

export function decodeStream(): Transform<Buffer, Event> {
  return new StreamDecoder()
}

/** One body as the events of its stream, `end` included; a body that is an error as one failure. */
export function decodeReply(body: JsonObject): Event[] {
  const failure = failureOfReply(body)
  if (failure !== undefined) return [{ type: 'failure', failure }]
  const decoder = new ChunkDecoder()
  return [...decoder.take(body), ...decoder.finish()]
}

/**
 * The JSON of a frame; undefined for one that says nothing. The service sends an error in the middle of a stream as
 * JSON without `data:`, which the standard would ignore (googleapis/python-genai and js-genai read it so).
 */
export function jsonOf({ comment, data, bytes }: Pick<Frame, 'comment' | 'data' | 'bytes'>) {
  if (!comment) return data
  const text = bytes.toString('utf8').trim()
  return text.startsWith('{') || text.startsWith('[') ? text : undefined
}

class StreamDecoder implements Transform<Buffer, Event> {
  private readonly framer = new SseFramer()
  private readonly decoder = new ChunkDecoder()
  private over = false

  push(chunk: Buffer): Event[] {
    return this.decode(() => this.framer.push(chunk))
  }

  flush(): Event[] {
    const events = this.decode(() => this.framer.flush())
    if (this.over || !this.decoder.complete) return events
    this.over = true
    return [...events, ...this.decoder.finish()]
  }

  private decode(frames: () => readonly Frame[]): Event[] {
    if (this.over) return []
    try {
      return frames().flatMap((frame) => this.take(frame))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return this.fail(tooLarge())
    }
  }

  private take(frame: Frame): Event[] {
    const json = jsonOf(frame)
    if (this.over || json === undefined) return []
    const chunk = parsedObject(json)
    if (chunk !== undefined) {
      const failure = failureIn(chunk)
      return failure === undefined ? this.decoder.take(chunk) : this.fail(failure)
    }
    if (!frame.cut) return this.fail(unreadable())
    // What the end of input cut in two was never sent whole: the stream broke, as its missing end says.
    this.over = true
    return []
  }

  private fail(failure: Failure): Event[] {
    this.over = true
    return [{ type: 'failure', failure }]
  }
}
