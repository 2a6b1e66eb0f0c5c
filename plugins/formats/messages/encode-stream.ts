/** Canonical events as the bytes of a messages stream: named events, one block open at a time. */
import type { Event } from '../../../kernel/contract/event.js'
import type { ClientError, Reader, Transform } from '../../../kernel/contract/format.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import { toClientError } from '../../../kernel/toolkit/errors/index.js'
import { breakingIn, sequential, sseEvent } from '../../../kernel/toolkit/format/index.js'
import { EventEncoder } from './encode-event.js'
import { encodeError } from './failure.js'

export function encodeStream(call: Pick<Reader, 'model' | 'requestId'>): Transform<Event, Buffer> {
  const order = sequential()
  const encoder = new EventEncoder(call)
  const encode = (event: Event): Buffer[] =>
    event.type === 'failure'
      ? [encodeStreamError(toClientError(event.failure))]
      : encoder.encode(event).map(frame)
  return {
    push: (event) => order.push(event).flatMap(encode),
    flush: () => order.flush().flatMap(encode),
  }
}

export function encodeStreamError(error: ClientError, at?: { readonly begun: boolean }): Buffer {
  return breakingIn(sseEvent('error', encodeError(error).body), at?.begun === true)
}

function frame(wire: JsonObject): Buffer {
  return sseEvent(String(wire.type), wire)
}
