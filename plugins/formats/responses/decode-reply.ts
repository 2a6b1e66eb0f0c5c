/** A whole response, read as the stream it would have been, so that one decoder reads both. */
import type { Event } from '../../../kernel/contract/event.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import { EventDecoder } from './decode-event.js'
import { failureOfReply } from './failure.js'
import { objectsOf } from './fields.js'

export function decodeReply(body: JsonObject): Event[] {
  const failure = failureOfReply(body)
  if (failure !== undefined) return [{ type: 'failure', failure }]
  const decoder = new EventDecoder()
  return asStream(body).flatMap((wire) => decoder.decode(wire))
}

function asStream(response: JsonObject): JsonObject[] {
  return [
    { type: 'response.created', response },
    ...objectsOf(response.output).map((item, output_index) => ({
      type: 'response.output_item.done',
      output_index,
      item,
    })),
    { type: 'response.completed', response },
  ]
}
