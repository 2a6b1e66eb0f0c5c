/**
 * A stream of server-sent events as canonical events: frames are cut and passed to a reader one by one, until its answer
 * ends the stream or breaks it. Whatever an upstream still sends behind that means nothing.
 */
import type { Event } from '../../contract/event.js'
import type { Transform } from '../../contract/format.js'
import { Refusal } from '../errors/refusal.js'
import { tooLarge } from '../errors/upstream-failure.js'
import { type Frame, SseFramer } from './sse.js'

export interface FrameReader {
  /** What a frame holds. Behind an `end` or a `failure`, which stand last, none is read any more. */
  take(frame: Frame): readonly Event[]
  /** The upstream closed and had sent neither. Absent: nothing more follows from that. */
  closed?(): readonly Event[]
}

export function decodeFrames(reader: FrameReader): Transform<Buffer, Event> {
  return new FrameDecoder(reader)
}

class FrameDecoder implements Transform<Buffer, Event> {
  private readonly framer = new SseFramer()
  private over = false

  constructor(private readonly reader: FrameReader) {}

  push(chunk: Buffer): Event[] {
    return this.read(() => this.framer.push(chunk))
  }

  flush(): Event[] {
    const events = this.read(() => this.framer.flush())
    if (!this.over) this.tell(this.reader.closed?.() ?? [], events)
    return events
  }

  private read(cut: () => readonly Frame[]): Event[] {
    const events: Event[] = []
    if (this.over) return events
    try {
      for (const frame of cut()) {
        if (this.over) break
        this.tell(this.reader.take(frame), events)
      }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      this.tell([{ type: 'failure', failure: tooLarge() }], events)
    }
    return events
  }

  private tell(given: readonly Event[], events: Event[]): void {
    // Not spread: one frame may release more than a call takes arguments.
    for (const event of given) events.push(event)
    const last = given.at(-1)?.type
    this.over = last === 'end' || last === 'failure'
  }
}
