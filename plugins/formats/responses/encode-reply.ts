/**
 * Events folded to one response. They are written as the stream a client would get, whose last event repeats all of
 * it, so a body and its stream cannot differ.
 */
import type { Event } from '../../../kernel/contract/event.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import { sequential } from '../../../kernel/toolkit/format/index.js'
import { EventEncoder } from './encode-event.js'
import { objectOf } from './fields.js'
import type { ReplyReader } from './response.js'

export function encodeReply(events: readonly Event[], call: ReplyReader): JsonObject {
  const order = sequential(Number.POSITIVE_INFINITY)
  const encoder = new EventEncoder(call)
  const ordered = [...events.flatMap((event) => order.push(event)), ...order.flush()]
  const stream = ordered.flatMap((event) => encoder.encode(event))
  return objectOf(stream.at(-1)?.response) ?? {}
}
