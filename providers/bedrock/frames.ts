/**
 * The event stream framing of AWS (https://docs.aws.amazon.com/lexv2/latest/dg/event-stream-encoding.html), whatever the
 * cuts of the network: length, headers, payload and two checksums. Nothing of a frame is believed before both agree.
 */
import { crc32 } from 'node:zlib'
import { EventStreamCodec } from '@smithy/eventstream-codec'
import { fromUtf8, toUtf8 } from '@smithy/util-utf8'
import { Collector } from '../../kernel/toolkit/body/index.js'

export interface EventFrame {
  /** `exception` and `error` end a stream. */
  readonly kind: 'event' | 'exception' | 'error'
  /** Of an event its type, of the others what went wrong. */
  readonly name: string
  readonly payload: Buffer
}

/** Two lengths, then their checksum. */
const preludeBytes = 12
const frameBytesMin = 16
/** The service's own bound. */
const frameBytesMax = 24 * 1024 * 1024

export class EventFrames {
  /** The stream is not what it should be; nothing that follows can be read. */
  broken = false
  private readonly codec = new EventStreamCodec(toUtf8, fromUtf8)
  private readonly pieces = new Collector()
  /** How many bytes there must be before it is worth looking again. */
  private wanted = preludeBytes

  push(chunk: Buffer): EventFrame[] {
    if (this.broken) return []
    this.pieces.add(chunk)
    return this.pieces.bytes < this.wanted ? [] : this.complete()
  }

  private complete(): EventFrame[] {
    const bytes = this.pieces.all()
    const frames: EventFrame[] = []
    let from = 0
    while (!this.broken) {
      this.wanted = this.lengthAt(bytes, from)
      if (this.broken || bytes.length - from < this.wanted) break
      const frame = this.read(bytes.subarray(from, from + this.wanted))
      if (frame !== undefined) frames.push(frame)
      from += this.wanted
    }
    if (from < bytes.length) this.pieces.add(bytes.subarray(from))
    return frames
  }

  /** Length of the frame that begins here; that of a prelude where not even this much is there. */
  private lengthAt(bytes: Buffer, from: number): number {
    if (bytes.length - from < preludeBytes) return preludeBytes
    const length = bytes.readUInt32BE(from)
    const sound = crc32(bytes.subarray(from, from + 8)) === bytes.readUInt32BE(from + 8)
    this.broken = !sound || length < frameBytesMin || length > frameBytesMax
    return length
  }

  private read(frame: Buffer): EventFrame | undefined {
    try {
      // The codec takes lengths of headers at their word and reads on in the memory behind the frame: in a copy there is none.
      const { headers, body } = this.codec.decode(new Uint8Array(frame))
      const header = (name: string) => String(headers[name]?.value ?? '')
      const kind = header(':message-type') as EventFrame['kind']
      const payload = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
      return { kind, name: header(nameHeaders[kind] ?? ':event-type'), payload }
    } catch {
      this.broken = true
      return undefined
    }
  }
}

const nameHeaders: Readonly<Record<EventFrame['kind'], string>> = {
  event: ':event-type',
  exception: ':exception-type',
  error: ':error-code',
}
