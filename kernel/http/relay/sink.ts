/**
 * The client's side of one relayed request. It alone touches the raw response. A client that leaves at whatever moment
 * is a state here, never an exception (S9).
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../../contract/kit.js'
import type { RequestId } from '../../contract/names.js'
import type { Sink, SinkWatcher } from '../../contract/sink.js'
import { appendClientHeaders, appendContentHeaders } from '../../toolkit/endpoint/header-hygiene.js'
import { limits } from '../../toolkit/limits/limits.js'
import { type AccessDependencies, type AccessFields, accessLine } from '../access-line.js'
import { openCors } from '../cors.js'
import { contentPolicy, nothingPolicy } from '../security-headers.js'
import { WriteStall } from '../write-stall.js'
import { lastChunk, takeFraming, writeChunk } from './chunked.js'

export interface SinkDependencies extends AccessDependencies {
  readonly requestId: RequestId
  readonly clock: Clock
  readonly method: string
  /** Without query: it may hold a key (X3). */
  readonly path: string
  readonly address: string
  /** `messages` clients look for the id under a third name. */
  readonly messages: boolean
  readonly cors: boolean
  /** The response is over, one way or the other. */
  closed(): void
}

export class ResponseSink implements Sink {
  started = false
  gone = false
  private ended = false
  private closed = false
  /** The network took everything. */
  private flushed = false
  private slow = false
  /** Pieces are framed here and not by node. */
  private framing = false
  private bytes = 0
  private status = 499
  private noted: Record<string, unknown> | undefined
  private tellGone: (() => void) | undefined
  private tellDrain: (() => void) | undefined
  private stall: WriteStall | undefined
  private watcher: SinkWatcher | undefined
  private readonly startedAtMs: number

  constructor(
    private readonly response: ServerResponse<IncomingMessage>,
    private readonly dependencies: SinkDependencies,
  ) {
    this.startedAtMs = dependencies.clock.monotonic()
    response.on('close', () => this.close())
    // Writing to a socket that died a moment ago is reported here; the rest happens at `close`.
    response.on('error', () => {})
    if (response.destroyed || response.closed) this.close()
  }

  get requestId(): RequestId {
    return this.dependencies.requestId
  }

  /** Nothing more may be sent: ended, or the client is gone. */
  get finished(): boolean {
    return this.ended || this.gone
  }

  onGone(listener: () => void): void {
    if (this.gone) listener()
    else this.tellGone = listener
  }

  watch(watcher: SinkWatcher): void {
    this.watcher = watcher
    if (this.closed) watcher.closed(this.gone)
  }

  head(
    status: number,
    headers: Readonly<Record<string, string>>,
    own?: Readonly<Record<string, string>>,
  ): void {
    if (this.started || this.finished) return
    const flat = this.ownHeaders()
    const streams = headers['content-type']?.startsWith('text/event-stream') === true
    flat.push('Cache-Control', streams ? 'no-cache' : 'no-store')
    if (streams) flat.push('X-Accel-Buffering', 'no')
    if (own !== undefined) appendOwn(flat, own)
    this.begin(status, appendClientHeaders(flat, headers, status))
    this.framing = takeFraming(this.response)
  }

  /** The head of content that passes through: its length and range are the source's, so `write` has to keep to them. */
  contentHead(status: number, headers: Readonly<Record<string, string>>): void {
    if (this.started || this.finished) return
    const flat = this.ownHeaders()
    flat.push('Cache-Control', 'no-store', 'Content-Security-Policy', contentPolicy)
    this.begin(status, appendContentHeaders(flat, headers))
    this.framing = takeFraming(this.response)
  }

  write(chunk: Buffer): boolean {
    if (this.finished || chunk.length === 0) return true
    this.bytes += chunk.length
    this.watcher?.bytes(chunk)
    const { response } = this
    if (this.framing ? writeChunk(response, chunk) : response.write(chunk)) return true
    this.watchSlow()
    this.slow = this.response.writableLength > limits.sinkBufferBytesMax
    return !this.slow
  }

  onDrain(listener: () => void): void {
    this.tellDrain = listener
  }

  end(): void {
    if (this.finished) return
    this.finish(this.framing ? lastChunk : undefined)
  }

  send(
    status: number,
    headers: Readonly<Record<string, string>>,
    body: Buffer | string,
    own?: Readonly<Record<string, string>>,
  ): void {
    if (this.started || this.finished) return
    const length = Buffer.byteLength(body)
    const flat = this.ownHeaders()
    flat.push('Cache-Control', 'no-store', 'Content-Length', String(length))
    // What an upstream or a client wrote is no page, whatever its type looks like to a browser.
    flat.push('Content-Security-Policy', nothingPolicy)
    if (own !== undefined) appendOwn(flat, own)
    this.begin(status, appendClientHeaders(flat, headers, status))
    this.bytes = length
    this.watcher?.bytes(body)
    this.finish(body)
  }

  note(fields: Readonly<Record<string, unknown>>): void {
    this.noted = { ...this.noted, ...fields }
  }

  /** Cuts the connection: the answer cannot be completed. */
  destroy(): void {
    this.response.destroy()
  }

  private ownHeaders(): string[] {
    const { requestId, cors, messages } = this.dependencies
    const flat = ['X-Request-Id', requestId, 'X-Oneapi-Request-Id', requestId]
    if (messages) flat.push('request-id', requestId)
    flat.push('X-Content-Type-Options', 'nosniff')
    if (cors) flat.push(...openCors)
    return flat
  }

  private begin(status: number, flat: string[]): void {
    this.started = true
    this.status = status
    this.watcher?.head(status, flat)
    this.response.writeHead(status, flat)
  }

  private finish(body?: Buffer | string): void {
    const { response } = this
    this.ended = true
    response.end(body)
    this.flushed = response.writableLength === 0
    if (this.flushed) return
    this.watchSlow()
    // Also emitted for a connection that was destroyed meanwhile, which `writableFinished` does not distinguish.
    response.prependListener('finish', () => {
      this.flushed = response.socket?.destroyed !== true
    })
  }

  /** The client does not keep up: waits for it to catch up, and ends it when it takes nothing at all. */
  private watchSlow(): void {
    const { response, dependencies: terms } = this
    if (this.stall === undefined) {
      response.on('drain', () => this.caughtUp())
      this.stall = new WriteStall(terms.clock, limits.writeStallMs, () => {
        this.note({ stalled: true })
        response.destroy()
      })
    }
    if (response.socket !== null) this.stall.watch(response.socket)
  }

  private caughtUp(): void {
    this.stall?.stop()
    if (!this.slow) return
    this.slow = false
    this.tellDrain?.()
  }

  private close(): void {
    if (this.closed) return
    this.closed = true
    const { dependencies: terms } = this
    this.stall?.stop()
    this.gone = !this.flushed
    const { method, path, address, requestId } = terms
    const fields: { -readonly [Field in keyof AccessFields]: AccessFields[Field] } = {
      requestId,
      method,
      path,
      address,
      status: this.status,
      durationMs: Math.round(terms.clock.monotonic() - this.startedAtMs),
      bytes: this.bytes,
    }
    if (this.gone) fields.gone = true
    accessLine(terms, this.noted === undefined ? fields : { ...fields, ...this.noted })
    terms.closed()
    this.watcher?.closed(this.gone)
    if (this.gone) this.tellGone?.()
  }
}

function appendOwn(flat: string[], own: Readonly<Record<string, string>>): void {
  for (const name in own) flat.push(name, own[name]!)
}
