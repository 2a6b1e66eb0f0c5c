/** An answer as canonical events. A body instead of a stream is an error, whatever its status. */
import type { Event } from '../../kernel/contract/event.js'
import type { Failure } from '../../kernel/contract/failure.js'
import type { Transform } from '../../kernel/contract/format.js'
import type { JsonObject } from '../../kernel/contract/json.js'
import type { Frame } from '../../kernel/toolkit/format/index.js'
import { parsedObject } from '../../kernel/toolkit/operation/index.js'
import { StreamOrBody } from '../../kernel/toolkit/provider/index.js'
import { failureOfCode } from './fail.js'

/** What bots and workflows differ in. */
export interface AnswerDecoder {
  decode(name: string, data: JsonObject): Event[]
  /** The stream is over. */
  end(): Event[]
  /** The answer ends here, once; without a reason nothing can be made of it. */
  fail(failure?: Failure): Event[]
}

/** Words of the stream whose data mean nothing. */
const bare: ReadonlySet<string> = new Set(['done', 'Done', 'PING'])

/** @param last the word that ends the stream */
export function readAnswer(decoder: AnswerDecoder, last: string): Transform<Buffer, Event> {
  const frame = ({ event, data }: Frame) => {
    const value = bare.has(event) ? {} : parsedObject(data)
    return value === undefined ? decoder.fail() : decoder.decode(event, value)
  }
  return new StreamOrBody({
    frame,
    whole: (body) => decoder.fail(body && failureOfCode(body)),
    // Without its blank line only the last word counts: anything else may have been cut.
    rest: (frames) => [
      ...frames.filter(({ comment, event }) => !comment && event === last).flatMap(frame),
      ...decoder.end(),
    ],
    tooLarge: () => decoder.fail(),
  })
}
