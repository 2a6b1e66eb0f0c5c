/** A bot's answer as canonical events. A body instead of a stream is an error, whatever its status. */
import type { Event } from '../../kernel/contract/event.js'
import type { Transform } from '../../kernel/contract/format.js'
import { Refusal } from '../../kernel/errors.js'
import { parsedObject } from '../../kernel/wire/operation-answer.js'
import { type Frame, SseFramer } from '../../kernel/wire/sse.js'
import { BotDecoder } from './decode.js'
import { failureOfCode } from './fail.js'

export function readBot(): Transform<Buffer, Event> {
  return new BotReader()
}

const BRACE = 0x7b

class BotReader implements Transform<Buffer, Event> {
  private readonly decoder = new BotDecoder()
  private readonly framer = new SseFramer()
  /** The pieces of a whole body; undefined: it is a stream, or nothing came yet. */
  private body: Buffer[] | undefined
  private begun = false

  push(chunk: Buffer): Event[] {
    if (chunk.length === 0) return []
    if (!this.begun && chunk[0] === BRACE) this.body = []
    this.begun = true
    if (this.body === undefined) return this.framed(() => this.framer.push(chunk))
    this.body.push(chunk)
    return []
  }

  flush(): Event[] {
    if (this.body !== undefined) {
      const whole = parsedObject(Buffer.concat(this.body).toString('utf8'))
      return this.decoder.fail(whole && failureOfCode(whole))
    }
    // Without its blank line only the last word counts: anything else may have been cut.
    const last = () => this.framer.flush().filter(({ event }) => event === 'done')
    return [...this.framed(last), ...this.decoder.end()]
  }

  private framed(frames: () => readonly Frame[]): Event[] {
    try {
      return frames().flatMap((frame) => this.frame(frame))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return this.decoder.fail()
    }
  }

  private frame({ comment, event, data }: Frame): Event[] {
    if (comment) return []
    const value = event === 'done' ? {} : parsedObject(data)
    return value === undefined ? this.decoder.fail() : this.decoder.decode(event, value)
  }
}
