/** An app's answer as canonical events: server-sent events, or one body where an override requests that. */
import type { Event } from '../../kernel/contract/event.js'
import type { Failure } from '../../kernel/contract/failure.js'
import type { Transform } from '../../kernel/contract/format.js'
import type { JsonObject } from '../../kernel/contract/json.js'
import { parsedObject } from '../../kernel/toolkit/operation/index.js'
import { StreamOrBody } from '../../kernel/toolkit/provider/index.js'
import { failureOfEvent } from './fail.js'

/** What the kinds of apps differ in. */
export interface AnswerDecoder {
  decode(event: JsonObject): Event[]
  /** The answer ends here, once; without a reason nothing can be made of it. */
  fail(failure?: Failure): Event[]
  /** The events of an answer in one piece; undefined: it is none. */
  asStream(body: JsonObject): readonly JsonObject[] | undefined
}

/** A ping has a name and no data, so it is a comment. */
export function readApp(decoder: AnswerDecoder): Transform<Buffer, Event> {
  return new StreamOrBody({
    frame({ data }) {
      const event = parsedObject(data)
      return event === undefined ? decoder.fail() : decoder.decode(event)
    },
    whole(body) {
      if (body === undefined) return decoder.fail()
      const events = decoder.asStream(body)
      if (events === undefined) return decoder.fail(failureOfEvent(body))
      return events.flatMap((event) => decoder.decode(event))
    },
    tooLarge: () => decoder.fail(),
  })
}
