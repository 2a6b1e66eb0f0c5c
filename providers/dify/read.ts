/** An app's answer as canonical events: server-sent events, or one body where an override requests that. */
import type { Event } from '../../kernel/contract/event.js'
import type { Transform } from '../../kernel/contract/format.js'
import { parsedObject } from '../../kernel/toolkit/operation/index.js'
import { StreamOrBody } from '../../kernel/toolkit/provider/index.js'
import { AppDecoder, asStream } from './decode.js'
import { failureOfEvent } from './fail.js'

/** A ping has a name and no data, so it is a comment. */
export function readApp(): Transform<Buffer, Event> {
  const decoder = new AppDecoder()
  return new StreamOrBody({
    frame({ data }) {
      const event = parsedObject(data)
      return event === undefined ? decoder.fail() : decoder.decode(event)
    },
    whole(body) {
      if (body === undefined) return decoder.fail()
      const events = asStream(body)
      if (events === undefined) return decoder.fail(failureOfEvent(body))
      return events.flatMap((event) => decoder.decode(event))
    },
    tooLarge: () => decoder.fail(),
  })
}
