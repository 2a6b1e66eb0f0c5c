/** Canonical events as the bytes of a generative stream, in the framing its reader requested. */
import type { Event } from '../../../kernel/contract/event.js'
import type { Reader, RequestHints, Transform } from '../../../kernel/contract/format.js'
import { toClientError } from '../../../kernel/toolkit/errors/index.js'
import { EventEncoder } from './encode-event.js'
import { framingOf } from './framing.js'

export function encodeStream({
  model,
  requestId,
  hints,
}: Pick<Reader, 'model' | 'requestId' | 'hints'>): Transform<Event, Buffer> {
  const encoder = new EventEncoder({ model, requestId })
  const framing = framingOf(hints)
  return {
    push: (event) =>
      event.type === 'failure'
        ? [framing.error(toClientError(event.failure))]
        : encoder.encode(event).map((chunk) => framing.chunk(chunk)),
    flush: () => [framing.end()].filter(({ length }) => length > 0),
  }
}

/** Content type of a stream for this reader. */
export function streamType(hints: RequestHints | undefined): string {
  return hints?.framing === 'array' ? 'application/json' : 'text/event-stream'
}
