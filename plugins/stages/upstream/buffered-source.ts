/**
 * One byte source, two readers in turn: the stage until the stream has opened, deliver from then on. What happens
 * between the two, an end or a break, is kept for the second.
 */
import type { ByteConsumer, ByteSource } from '../../../kernel/contract/bytes.js'
import type { Failure } from '../../../kernel/contract/failure.js'

export class BufferedSource implements ByteSource, ByteConsumer {
  private reader: ByteConsumer | undefined
  private handedOver = false
  private last: ((reader: ByteConsumer) => void) | undefined

  constructor(private readonly source: ByteSource) {}

  /** Starts the flow for the first reader, which pauses it by answering false. */
  open(reader: ByteConsumer): void {
    this.reader = reader
    this.source.consume(this)
  }

  consume(reader: ByteConsumer): void {
    this.reader = reader
    this.handedOver = true
    if (this.last !== undefined) this.last(reader)
    else this.source.resume()
  }

  resume(): void {
    this.source.resume()
  }

  abort(): void {
    this.source.abort()
  }

  /** A limit ran out while the first reader waits. */
  interrupt(failure: Failure): void {
    this.reader?.fail(failure)
  }

  data(chunk: Buffer): boolean {
    return this.reader!.data(chunk)
  }

  end(): void {
    this.finish((reader) => reader.end())
  }

  fail(failure: Failure): void {
    this.finish((reader) => reader.fail(failure))
  }

  private finish(tell: (reader: ByteConsumer) => void): void {
    if (!this.handedOver) this.last = tell
    tell(this.reader!)
  }
}
