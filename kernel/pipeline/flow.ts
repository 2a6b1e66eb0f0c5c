/**
 * How a stream gets from the upstream's bytes to the client's: watched and passed on where both speak one format,
 * decoded and encoded again where they do not. Deliver treats both alike.
 */
import type { Event, Usage } from '../contract/event.js'
import type { Failure } from '../contract/failure.js'
import type { StreamEncoder, StreamWatch, Transform } from '../contract/format.js'
import type { JsonObject } from '../contract/json.js'
import type { Opened } from '../contract/line/record.js'
import type { EventsReply } from '../contract/line/reply.js'
import { plainJson } from '../toolkit/stage/plain-json.js'
import { dated, Tally } from '../toolkit/stage/tally.js'

export interface Flow {
  /** Client bytes that were ready when the stream opened. */
  head(): Buffer
  push(chunk: Buffer): Buffer
  flush(): Buffer
  readonly ended: boolean
  readonly failure: Failure | undefined
  readonly usage: Usage | undefined
  readonly raw: JsonObject | undefined
  readonly estimatedTokens: number
  /** The whole answer once it is written, where the format lets requests refer to it. */
  readonly answer?: JsonObject
}

export function flowOf(state: Opened, { mode }: EventsReply): Flow {
  return mode.kind === 'verbatim'
    ? verbatimFlow(mode.watch, mode.head)
    : new ConvertedFlow(mode.decoder, encoderOf(state), dated(mode.head, state))
}

function encoderOf(state: Opened): StreamEncoder {
  const encoder = state.format.encodeStream(state)
  const read = plainJson(state.call())
  if (read === undefined) return encoder
  return {
    push: (event) => read([event]).flatMap((one) => encoder.push(one)),
    flush: () => encoder.flush(),
    get answer() {
      return encoder.answer
    },
  }
}

function verbatimFlow(watch: StreamWatch, head: readonly Buffer[]): Flow {
  return Object.assign(watch, { head: () => (head.length === 1 ? head[0]! : Buffer.concat(head)) })
}

class ConvertedFlow implements Flow {
  private readonly counted = new Tally()

  constructor(
    private readonly decoder: Transform<Buffer, Event>,
    private readonly encoder: StreamEncoder,
    private readonly first: readonly Event[],
  ) {}

  get ended(): boolean {
    return this.counted.ended
  }
  get failure(): Failure | undefined {
    return this.counted.failure
  }
  get usage(): Usage | undefined {
    return this.counted.usage
  }
  get raw(): JsonObject | undefined {
    return this.counted.raw
  }
  get estimatedTokens(): number {
    return this.counted.estimatedTokens
  }
  get answer(): JsonObject | undefined {
    return this.encoder.answer
  }

  head(): Buffer {
    return this.encode(this.first)
  }

  push(chunk: Buffer): Buffer {
    return this.encode(this.decoder.push(chunk))
  }

  flush(): Buffer {
    return this.encode(this.decoder.flush())
  }

  private encode(events: readonly Event[]): Buffer {
    const out: Buffer[] = []
    for (const event of events) {
      this.counted.note(event)
      if (event.type === 'failure') break
      // Not spread: one event may release more than a call takes arguments.
      for (const bytes of this.encoder.push(event)) out.push(bytes)
    }
    if (this.ended) for (const bytes of this.encoder.flush()) out.push(bytes)
    return out.length === 1 ? out[0]! : Buffer.concat(out)
  }
}
