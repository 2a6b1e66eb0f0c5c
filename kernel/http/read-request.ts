/**
 * Reads the bytes of a relay request into memory: never more than a bound, never longer than a while (failures.md S14,
 * S15). hapi's own reader builds a stream and two promises around each body, which the hot path does not need.
 */
import type { IncomingMessage } from 'node:http'
import type { Clock } from '../contract/kit.js'
import { Refusal } from '../errors.js'

export interface ReadTerms {
  readonly clock: Clock
  readonly bytesMax: number
  readonly timeoutMs: number
  /** The whole body; called at most once, and never after `refused` or when the client left. */
  taken(bytes: Buffer): void
  refused(refusal: Refusal): void
}

export function readRequest(request: IncomingMessage, terms: ReadTerms): void {
  new RequestReader(request, terms).read()
}

class RequestReader {
  private readonly chunks: Buffer[] = []
  private bytes = 0
  /** The last word was said. What still comes is dropped, so that the answer can be read behind it. */
  private over = false
  private cancel: () => void = () => {}

  constructor(
    private readonly request: IncomingMessage,
    private readonly terms: ReadTerms,
  ) {}

  read(): void {
    const { request, terms } = this
    this.cancel = terms.clock.after(terms.timeoutMs, () => this.timeOut())
    request.on('data', (chunk: Buffer) => this.take(chunk))
    request.on('end', () => this.end())
    // A client that left is the sink's business; here only the waiting ends.
    request.on('close', () => this.cancel())
    request.on('error', () => this.cancel())
  }

  private take(chunk: Buffer): void {
    if (this.over) return
    this.bytes += chunk.length
    if (this.bytes <= this.terms.bytesMax) {
      this.chunks.push(chunk)
      return
    }
    this.over = true
    this.chunks.length = 0
    this.terms.refused(new Refusal('body_too_large', { limit: this.terms.bytesMax }))
  }

  private end(): void {
    this.cancel()
    if (this.over) return
    this.over = true
    const { chunks } = this
    const bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, this.bytes)
    // The listeners live as long as the request, and would keep the pieces with them.
    chunks.length = 0
    this.terms.taken(bytes)
  }

  private timeOut(): void {
    if (this.over) {
      this.request.destroy()
      return
    }
    this.over = true
    this.terms.refused(new Refusal('request_timeout'))
  }
}
