/** A whole messages body, read as the stream it would have been, so that one decoder reads both. */
import type { Event } from '../../../kernel/contract/event.js'
import { isObject, type JsonObject } from '../../../kernel/contract/json.js'
import { EventDecoder } from './decode-event.js'
import { streamFailure, unreadable } from './failure.js'

export function decodeReply(body: JsonObject): Event[] {
  if (body.type === 'error' || isObject(body.error)) {
    return [{ type: 'failure', failure: streamFailure(body.error) }]
  }
  if (!Array.isArray(body.content)) return [{ type: 'failure', failure: unreadable() }]
  const decoder = new EventDecoder()
  return asStream(body, body.content.filter(isObject)).flatMap((wire) => decoder.decode(wire))
}

function asStream(body: JsonObject, content: readonly JsonObject[]): JsonObject[] {
  const { usage, stop_reason, stop_sequence, id, model } = body
  return [
    { type: 'message_start', message: { id, model } },
    ...content.flatMap((content_block, index) => [
      { type: 'content_block_start', index, content_block },
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason, stop_sequence }, usage },
    { type: 'message_stop' },
  ]
}
