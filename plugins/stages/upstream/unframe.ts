/**
 * A stream that comes in the upstream's own framing, as the server-sent events of its format: everything behind this
 * reads, watches and passes on bytes as if they had come that way.
 */
import type { ByteConsumer, ByteSource } from '../../../kernel/contract/bytes.js'
import type { Transform } from '../../../kernel/contract/format.js'
import type { Reserved } from '../../../kernel/contract/line/record.js'
import type { EgressReply } from '../../../kernel/contract/services/egress.js'

/**
 * The same reply where it is server-sent events already, since a gateway in between may have made them of it; unless the
 * adapter names even those among the types it unframes.
 */
export function unframed({ adapter }: Pick<Reserved, 'adapter'>, reply: EgressReply): EgressReply {
  const type = reply.headers['content-type'] ?? ''
  const plain = /^text\/event-stream/i.test(type) && !adapter.streamTypes?.includes(eventStream)
  if (adapter.unframe === undefined || plain) return reply
  const { status, headers, body } = reply
  return { status, headers, body: new UnframedSource(body, adapter.unframe()) }
}

const eventStream = 'text/event-stream'

class UnframedSource implements ByteSource {
  private consumer: ByteConsumer | undefined
  /** The end came, and what was left before it had the consumer pause. */
  private endWaits = false

  constructor(
    private readonly source: ByteSource,
    private readonly frames: Transform<Buffer, Buffer>,
  ) {}

  consume(consumer: ByteConsumer): void {
    this.consumer = consumer
    this.source.consume({
      data: (chunk) => this.hand(this.frames.push(chunk)),
      end: () => this.end(),
      fail: (failure) => consumer.fail(failure),
    })
  }

  resume(): void {
    if (this.endWaits) {
      this.endWaits = false
      this.consumer!.end()
    } else this.source.resume()
  }

  abort(): void {
    this.endWaits = false
    this.source.abort()
  }

  private end(): void {
    this.endWaits = !this.hand(this.frames.flush())
    if (!this.endWaits) this.consumer!.end()
  }

  /** All of a chunk at once, so that a consumer that pauses is given nothing more. */
  private hand(pieces: readonly Buffer[]): boolean {
    if (pieces.length === 0) return true
    return this.consumer!.data(pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces))
  }
}
