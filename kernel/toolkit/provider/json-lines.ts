/**
 * The answer of an upstream that writes one JSON object a line (NDJSON), wherever the network cuts it. A whole answer is a
 * stream of one line. Lines end with LF or CRLF; blank ones mean nothing.
 */
import type { Event } from '../../contract/event.js'
import type { Transform } from '../../contract/format.js'
import type { JsonObject } from '../../contract/json.js'
import { Collector } from '../body/collect.js'
import { parsedObject } from '../json/fields.js'
import { limits } from '../limits/limits.js'

export interface LineReader {
  /**
   * What one line holds; undefined: it is no JSON object, or holds more than may be parsed in one go. Behind an `end` or a
   * `failure`, which stand last, no line is read any more.
   */
  line(value: JsonObject | undefined): readonly Event[]
  /** The upstream closed and had sent neither. Absent: nothing more follows from that. */
  closed?(): readonly Event[]
  /** A line was larger than `limits.wholeEventBytesMax`. */
  tooLarge(): readonly Event[]
}

const LF = 0x0a

export class JsonLines implements Transform<Buffer, Event> {
  private held = new Collector()
  private over = false

  constructor(private readonly reader: LineReader) {}

  push(chunk: Buffer): Event[] {
    const events: Event[] = []
    let from = 0
    while (!this.over) {
      const end = chunk.indexOf(LF, from)
      if (end === -1) break
      this.take(chunk.subarray(from, end), events)
      from = end + 1
    }
    if (!this.over && from < chunk.length) this.hold(chunk.subarray(from), events)
    return events
  }

  flush(): Event[] {
    const events: Event[] = []
    if (this.over) return events
    this.take(Buffer.alloc(0), events)
    if (!this.over) this.add(this.reader.closed?.() ?? [], events)
    return events
  }

  private hold(piece: Buffer, events: Event[]): void {
    this.held.add(piece)
    if (this.held.bytes > limits.wholeEventBytesMax) this.add(this.reader.tooLarge(), events, true)
  }

  private take(last: Buffer, events: Event[]): void {
    if (last.length > 0) this.hold(last, events)
    if (this.over || this.held.bytes === 0) return
    const text = this.held.all().toString('utf8').trim()
    this.held = new Collector()
    if (text !== '') this.add(this.reader.line(parsedObject(text)), events)
  }

  private add(given: readonly Event[], events: Event[], over = false): void {
    for (const event of given) events.push(event)
    const last = given.at(-1)?.type
    this.over = over || last === 'end' || last === 'failure'
  }
}
