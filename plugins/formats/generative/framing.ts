/**
 * The two frames of a generative stream: server-sent events, or one JSON array written element by element for readers
 * that did not request events. An error ends either.
 */
import type { ClientError, RequestHints } from '../../../kernel/contract/format.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import { breakingIn, sseData } from '../../../kernel/toolkit/format/index.js'
import { streamError } from './errors.js'

/** What a stream is written in. */
export interface Framing {
  chunk(json: JsonObject): Buffer
  /** Behind the last chunk; empty where nothing has to be hints, and the second time. */
  end(): Buffer
  error(error: ClientError): Buffer
}

export function framingOf(hints: RequestHints | undefined): Framing {
  return hints?.framing === 'array' ? new ArrayFraming() : events
}

const nothing = Buffer.alloc(0)

const events: Framing = {
  chunk: sseData,
  end: () => nothing,
  error: (error) => sseData(streamError(error)),
}

const next = '\n,\n'

export class ArrayFraming implements Framing {
  private begun = false
  private ended = false

  chunk(json: JsonObject): Buffer {
    return this.element(Buffer.from(JSON.stringify(json)))
  }

  /** One element as it stands. */
  element(json: Buffer): Buffer {
    const before = Buffer.from(this.begun ? next : '[')
    this.begun = true
    return Buffer.concat([before, json])
  }

  end(): Buffer {
    if (this.ended) return nothing
    this.ended = true
    return Buffer.from(this.begun ? '\n]\n' : '[]\n')
  }

  error(error: ClientError): Buffer {
    return Buffer.concat([this.chunk(streamError(error)), this.end()])
  }
}

/** Where a stream stood when an error came. Absent: it was a stream of events. */
export interface Interrupted {
  readonly hints?: RequestHints
  /** The reader has some of the stream already. */
  readonly begun: boolean
}

export function encodeStreamError(error: ClientError, at?: Interrupted): Buffer {
  if (at?.hints?.framing !== 'array') return breakingIn(events.error(error), at?.begun === true)
  const last = JSON.stringify(streamError(error))
  return Buffer.from(`${at.begun ? next : '['}${last}\n]\n`)
}
