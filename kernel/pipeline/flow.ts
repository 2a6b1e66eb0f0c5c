/**
 * How a stream gets from the upstream's bytes to the client's: watched and passed on where both speak one format,
 * decoded and encoded again where they do not. Deliver treats both alike.
 */
import type { Event, Usage } from '../contract/event.js'
import type { EventsReply, Opened } from '../contract/exchange.js'
import type { Failure } from '../contract/failure.js'
import type { StreamEncoder, StreamWatch, Transform } from '../contract/format.js'
import type { JsonObject } from '../contract/json.js'
import { plainJson } from '../wire/plain-json.js'
import { UnitCounter } from '../wire/units.js'

export interface Flow {
  /** Client bytes that were ready when the stream opened. */
  head(): Buffer
  push(chunk: Buffer): Buffer
  flush(): Buffer
  readonly ended: boolean
  readonly failure: Failure | undefined
  readonly usage: Usage | undefined
  readonly raw: JsonObject | undefined
  readonly units: number
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
  get units(): number {
    return this.counted.units
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
      out.push(...this.encoder.push(event))
    }
    if (this.ended) out.push(...this.encoder.flush())
    return out.length === 1 ? out[0]! : Buffer.concat(out)
  }
}

/** What a list of events says of usage, text and its own end. */
export class Tally {
  ended = false
  failure: Failure | undefined
  usage: Usage | undefined
  raw: JsonObject | undefined
  private readonly text = new UnitCounter()

  get units(): number {
    return this.text.units
  }

  note(event: Event): void {
    if (event.type === 'delta') {
      this.text.add(event.text ?? event.json ?? '')
    } else if (event.type === 'usage') {
      this.usage = merge(this.usage, event.usage)
      this.raw = event.raw
    } else if (event.type === 'failure') {
      this.failure ??= event.failure
    } else if (event.type === 'end') {
      this.ended = true
    }
  }
}

/** The tally of a whole answer. */
export function tally(events: readonly Event[]): Tally {
  const counted = new Tally()
  for (const event of events) counted.note(event)
  return counted
}

type Start = Extract<Event, { readonly type: 'start' }>

/**
 * The beginning of an answer, which is told of it even where the upstream, or the plugin that reads it, does not: it was
 * made when the request came. A format has no clock; it makes an id of its own where none is told.
 */
export function dated(
  events: readonly Event[],
  { receivedAt }: Pick<Opened, 'receivedAt'>,
): readonly Event[] {
  const at = events.findIndex(({ type }) => type === 'start')
  if (at < 0) return [begun({ type: 'start' }, receivedAt), ...events]
  const start = begun(events[at] as Start, receivedAt)
  return start === events[at] ? events : events.with(at, start)
}

function begun(start: Start, receivedAt: number): Start {
  const { id, created = 0 } = start
  if (created > 0 && id !== '') return start
  return {
    ...start,
    id: id === '' ? undefined : id,
    created: created > 0 ? created : Math.floor(receivedAt / 1000),
  }
}

/** Later non-missing counts replace earlier ones; 0 is not missing. */
function merge(earlier: Usage | undefined, later: Usage): Usage {
  if (earlier === undefined) return later
  const told = Object.entries(later).filter(([, count]) => count !== undefined)
  return { ...earlier, ...Object.fromEntries(told) }
}
