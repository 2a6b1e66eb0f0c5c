/** A bot's answer as canonical events. A body instead of a stream is an error, whatever its status. */
import type { Event } from '../../kernel/contract/event.js'
import type { Transform } from '../../kernel/contract/format.js'
import type { Frame } from '../../kernel/toolkit/format/index.js'
import { parsedObject } from '../../kernel/toolkit/operation/index.js'
import { StreamOrBody } from '../../kernel/toolkit/provider/index.js'
import { BotDecoder } from './decode.js'
import { failureOfCode } from './fail.js'

export function readBot(): Transform<Buffer, Event> {
  const decoder = new BotDecoder()
  const frame = ({ event, data }: Frame) => {
    const value = event === 'done' ? {} : parsedObject(data)
    return value === undefined ? decoder.fail() : decoder.decode(event, value)
  }
  return new StreamOrBody({
    frame,
    whole: (body) => decoder.fail(body && failureOfCode(body)),
    // Without its blank line only the last word counts: anything else may have been cut.
    rest: (frames) => [
      ...frames.filter(({ comment, event }) => !comment && event === 'done').flatMap(frame),
      ...decoder.end(),
    ],
    tooLarge: () => decoder.fail(),
  })
}
