/** Bytes of a chat stream as events, and a whole reply as the events its stream would have been. */
import type { Event } from '../../../kernel/contract/event.js'
import type { Failure } from '../../../kernel/contract/failure.js'
import type { Transform } from '../../../kernel/contract/format.js'
import { isObject, type JsonObject } from '../../../kernel/contract/json.js'
import { Refusal } from '../../../kernel/errors.js'
import { type Frame, SseFramer } from '../../../kernel/wire/sse.js'
import { ChunkDecoder } from './decode-chunk.js'
import { failureIn, failureOfReply, garbled, tooLarge } from './errors.js'
import { objectOf, objectsOf } from './fields.js'

/** The word in place of JSON that ends every stream of this format (FMT-10). */
export const terminator = '[DONE]'

export function decodeStream(): Transform<Buffer, Event> {
  return new StreamDecoder()
}

/** One body as the events of its stream, `end` included; a body that is an error as one failure. */
export function decodeReply(body: JsonObject): Event[] {
  const failure = failureOfReply(body)
  if (failure !== undefined) return [{ type: 'failure', failure }]
  const choices = objectsOf(body.choices).map((choice) => ({
    ...choice,
    delta: objectOf(choice.message) ?? {},
  }))
  const decoder = new ChunkDecoder()
  return [...decoder.take({ ...body, choices }), ...decoder.finish()]
}

export type FrameReading =
  | { readonly kind: 'chunk'; readonly chunk: JsonObject }
  | { readonly kind: 'failure'; readonly failure: Failure }

/** The chunk a frame holds, or the failure it is; a stream and a watch read frames alike. */
export function readFrame(event: string, data: string): FrameReading {
  const chunk = parsed(data)
  if (chunk === undefined) return { kind: 'failure', failure: garbled() }
  const isError = event === 'error' && chunk.error === undefined
  const failure = failureIn(isError ? { error: chunk } : chunk)
  return failure === undefined ? { kind: 'chunk', chunk } : { kind: 'failure', failure }
}

function parsed(data: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(data)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

class StreamDecoder implements Transform<Buffer, Event> {
  private readonly framer = new SseFramer()
  private readonly decoder = new ChunkDecoder()
  private over = false

  push(chunk: Buffer): Event[] {
    if (this.over) return []
    try {
      return this.framer.push(chunk).flatMap((frame) => this.take(frame))
    } catch (error) {
      if (error instanceof Refusal) return this.fail(tooLarge())
      throw error
    }
  }

  /** Only a terminator counts without its blank line: anything else may have been cut (failures.md S5). */
  flush(): Event[] {
    return this.framer
      .flush()
      .filter(({ data }) => data === terminator)
      .flatMap((frame) => this.take(frame))
  }

  private take({ comment, event, data }: Frame): Event[] {
    if (this.over || comment) return []
    if (data === terminator) {
      this.over = true
      return this.decoder.finish()
    }
    const reading = readFrame(event, data)
    if (reading.kind === 'failure') return this.fail(reading.failure)
    return this.decoder.take(reading.chunk)
  }

  private fail(failure: Failure): Event[] {
    this.over = true
    return [{ type: 'failure', failure }]
  }
}
