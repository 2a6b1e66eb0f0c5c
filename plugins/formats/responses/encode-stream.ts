/** Canonical events as the bytes of a responses stream: named and numbered events, one item open at a time. */
import type { Event } from '../../../kernel/contract/event.js'
import type { ClientError, StreamEncoder } from '../../../kernel/contract/format.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import { toClientError } from '../../../kernel/toolkit/errors/index.js'
import { breakingIn, sequential, sseEvent } from '../../../kernel/toolkit/format/index.js'
import { EventEncoder } from './encode-event.js'
import { errorEvent } from './failure.js'
import type { ReplyReader } from './response.js'

export function encodeStream(call: ReplyReader): StreamEncoder {
  const order = sequential()
  const encoder = new EventEncoder(call)
  let broken = false
  const encode = (event: Event): Buffer[] => {
    if (broken) return []
    if (event.type !== 'failure') return encoder.encode(event).map(frame)
    broken = true
    return [frame(errorEvent(toClientError(event.failure), encoder.next))]
  }
  return {
    push: (event) => order.push(event).flatMap(encode),
    flush: () => order.flush().flatMap(encode),
    get answer() {
      return encoder.whole
    },
  }
}

/** How many events went before is not known here. */
export function encodeStreamError(error: ClientError, at?: { readonly begun: boolean }): Buffer {
  return breakingIn(frame(errorEvent(error, 0)), at?.begun === true)
}

function frame(wire: JsonObject): Buffer {
  return sseEvent(String(wire.type), wire)
}
