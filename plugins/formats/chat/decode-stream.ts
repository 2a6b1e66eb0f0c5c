/** Bytes of a chat stream as events, and a whole reply as the events its stream would have been. */
import type { Event } from '../../../kernel/contract/event.js'
import type { Failure } from '../../../kernel/contract/failure.js'
import type { Limits, Transform } from '../../../kernel/contract/format.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import { garbled } from '../../../kernel/toolkit/errors/index.js'
import { decodeFrames, type Frame, type FrameReader } from '../../../kernel/toolkit/format/index.js'
import { ChunkDecoder } from './decode-chunk.js'
import { failureIn, failureOfReply } from './errors.js'
import { objectOf, objectsOf, parsedObject } from './fields.js'

/** The word in place of JSON that ends every stream of this format (FMT-10). */
export const terminator = '[DONE]'

export function decodeStream(limits?: Limits): Transform<Buffer, Event> {
  return decodeFrames(new ChunkReader(limits?.choices ?? 1))
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
  const chunk = parsedObject(data)
  if (chunk === undefined) return { kind: 'failure', failure: garbled() }
  const isError = event === 'error' && chunk.error === undefined
  const failure = failureIn(isError ? { error: chunk } : chunk)
  return failure === undefined ? { kind: 'chunk', chunk } : { kind: 'failure', failure }
}

class ChunkReader implements FrameReader {
  private readonly decoder = new ChunkDecoder()

  constructor(private readonly choices: number) {}

  take({ comment, event, data, cut }: Frame): readonly Event[] {
    if (comment) return []
    if (data === terminator) return this.decoder.finish()
    const reading = readFrame(event, data)
    if (cut && !this.isLast(reading)) return []
    if (reading.kind === 'chunk') return this.decoder.take(reading.chunk)
    return [{ type: 'failure', failure: reading.failure }]
  }

  /** Some upstreams close behind the last reason to stop and never send the terminator. */
  closed(): readonly Event[] {
    return this.decoder.completes(this.choices) ? this.decoder.finish() : []
  }

  /** A frame without its blank line may have been cut (S5), but not where it is whole and ends the answer. */
  private isLast(reading: FrameReading): boolean {
    return reading.kind === 'chunk' && this.decoder.completes(this.choices, reading.chunk)
  }
}
