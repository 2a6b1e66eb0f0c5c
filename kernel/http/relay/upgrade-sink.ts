/**
 * The client's side of one request for a WebSocket. Until it is accepted, whatever goes wrong is a plain HTTP answer on
 * the raw connection; from then on it is a socket. A client that leaves is a state here, never an exception.
 */
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import type { FrameSocket, SocketSink } from '../../contract/bytes.js'
import type { Clock } from '../../contract/kit.js'
import type { RequestId } from '../../contract/names.js'
import { Collector } from '../../toolkit/body/collect.js'
import { appendClientHeaders } from '../../toolkit/endpoint/header-hygiene.js'
import { type AccessDependencies, type AccessFields, accessLine } from '../access-line.js'
import { openCors } from '../cors.js'
import { httpLimits } from '../limits.js'
import { nothingPolicy } from '../security-headers.js'
import { peerOptions, SocketPeer } from '../socket-peer.js'
import { rawAnswer } from '../upgrade-answer.js'

export interface UpgradeDependencies extends AccessDependencies {
  readonly request: IncomingMessage
  readonly connection: Socket
  /** Bytes that came with the request. */
  readonly head: Buffer
  readonly requestId: RequestId
  readonly clock: Clock
  /** Without query: it may hold a key (X3). */
  readonly path: string
  readonly address: string
  readonly cors: boolean
  /** The connection is gone. */
  closed(): void
}

const upgrader = new WebSocketServer({
  noServer: true,
  clientTracking: false,
  handleProtocols: (offered) => (offered.has('realtime') ? 'realtime' : false),
  ...peerOptions,
})

export class UpgradeSink implements SocketSink {
  started = false
  gone = false
  private answered = false
  private status = 499
  private peer: SocketPeer | undefined
  private readonly early = new Collector()
  private begun: { status: number; headers: Readonly<Record<string, string>> } | undefined
  private readonly pieces: Buffer[] = []
  private noted: Record<string, unknown> | undefined
  private tellGone: (() => void) | undefined
  private tellStopping: (() => void) | undefined
  private stopping = false
  private cancelLinger: () => void = () => {}
  private readonly startedAtMs: number

  constructor(private readonly dependencies: UpgradeDependencies) {
    const { connection, clock } = dependencies
    this.startedAtMs = clock.monotonic()
    connection.on('error', () => {})
    connection.on('close', () => this.close())
    connection.on('data', this.keep)
    connection.on('end', this.left)
  }

  get requestId(): RequestId {
    return this.dependencies.requestId
  }

  /** Nothing more may be sent over HTTP: answered, let in, or the client is gone. */
  get finished(): boolean {
    return this.answered || this.started || this.gone
  }

  onGone(listener: () => void): void {
    if (this.gone) listener()
    else this.tellGone = listener
  }

  onStopping(listener: () => void): void {
    if (this.stopping) listener()
    else this.tellStopping = listener
  }

  /** The gateway begins to stop. */
  stop(): void {
    this.stopping = true
    this.tellStopping?.()
  }

  accept(): FrameSocket | undefined {
    const { request, connection, requestId, head } = this.dependencies
    if (this.finished || !connection.readable || !connection.writable) return undefined
    connection.off('data', this.keep)
    connection.off('end', this.left)
    upgrader.once('headers', (lines) => {
      lines.push(`X-Request-Id: ${requestId}`, `X-Oneapi-Request-Id: ${requestId}`)
    })
    const read = Buffer.concat([head, this.early.all()])
    upgrader.handleUpgrade(request, connection, read, (socket) => this.letIn(socket))
    upgrader.removeAllListeners('headers')
    return this.peer
  }

  head(status: number, headers: Readonly<Record<string, string>>): void {
    this.begun ??= { status, headers }
  }

  write(chunk: Buffer): boolean {
    this.pieces.push(chunk)
    return true
  }

  /** Before the socket an answer is always whole, so there is nothing to wait for. */
  onDrain(): void {}

  end(): void {
    if (this.begun === undefined) return
    this.send(this.begun.status, this.begun.headers, Buffer.concat(this.pieces))
  }

  send(status: number, headers: Readonly<Record<string, string>>, body: Buffer | string): void {
    this.refuse(status, body, appendClientHeaders([], headers, status))
  }

  /** As `send`, with headers that belong to the handshake itself. */
  refuse(status: number, body: Buffer | string, headers: readonly string[]): void {
    if (this.finished) return
    const { connection, requestId, cors, clock } = this.dependencies
    this.answered = true
    this.status = status
    const own = ['X-Request-Id', requestId, 'X-Oneapi-Request-Id', requestId]
    own.push('X-Content-Type-Options', 'nosniff', 'Cache-Control', 'no-store')
    own.push('Content-Security-Policy', nothingPolicy)
    if (cors) own.push(...openCors)
    connection.end(rawAnswer({ status, headers: [...own, ...headers], body }))
    this.cancelLinger = clock.after(httpLimits.closeMs, () => connection.destroy())
  }

  note(fields: Readonly<Record<string, unknown>>): void {
    this.noted = { ...this.noted, ...fields }
  }

  /** Cuts the connection, whatever it has become. */
  destroy(): void {
    this.dependencies.connection.destroy()
  }

  private letIn(socket: WebSocket): void {
    const { clock, log, connection } = this.dependencies
    this.started = true
    this.status = 101
    this.peer = new SocketPeer(socket, {
      clock,
      log,
      connection,
      closed: (code, own) => this.ended(code, own),
    })
  }

  /** The socket is gone. */
  private ended(code: number, own: boolean): void {
    this.gone = !own
    this.finish({ closeCode: code })
    if (!own) this.tellGone?.()
  }

  private readonly keep = (chunk: Buffer): void => {
    this.early.add(chunk)
    if (this.early.bytes > httpLimits.earlyBytesMax || this.early.shredded) this.destroy()
  }

  /** A client that closes its half before it is let in does not want in any more. */
  private readonly left = (): void => {
    if (!this.answered) this.destroy()
  }

  /** The connection is gone; once there was a socket, its own events follow. */
  private close(): void {
    if (this.started) return
    this.cancelLinger()
    this.gone = !this.answered
    this.finish({})
    if (this.gone) this.tellGone?.()
  }

  private finish(fields: { readonly closeCode?: number }): void {
    const { clock, path, address, requestId, connection, closed } = this.dependencies
    const line: AccessFields = {
      requestId,
      method: 'GET',
      path,
      address,
      status: this.status,
      durationMs: Math.round(clock.monotonic() - this.startedAtMs),
      bytes: connection.bytesWritten,
      ...(this.gone && { gone: true }),
    }
    accessLine(this.dependencies, { ...line, ...fields, ...this.noted })
    closed()
  }
}
