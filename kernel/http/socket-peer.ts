/**
 * One end of an open WebSocket, whichever side it is: pings, a limit to silence, bounds for what a slow or hostile
 * other side can cost, and a goodbye that always comes to its end (RT-1, S16).
 */
import type { Socket } from 'node:net'
import type { WebSocket } from 'ws'
import type { Frame, FrameConsumer, FrameSocket } from '../contract/bytes.js'
import type { Clock, Log } from '../contract/kit.js'
import { limits } from '../toolkit/limits/limits.js'
import { httpLimits } from './limits.js'
import { WriteStall } from './write-stall.js'

/** What both sides are opened with: nothing compressed, no message above this, and a turn for others between two of them. */
export const peerOptions = {
  perMessageDeflate: false,
  allowSynchronousEvents: false,
  maxPayload: httpLimits.messageBytesMax,
  maxFragments: httpLimits.messageFragmentsMax,
} as const

export interface PeerOptions {
  readonly clock: Clock
  readonly log: Log
  /** The connection beneath. */
  readonly connection: Socket
  /** The socket is gone. `own`: it was this side that began to close. */
  closed?(code: number, own: boolean): void
}

export class SocketPeer implements FrameSocket {
  private consumer: FrameConsumer | undefined
  /** Frames that were read before the pause took hold. */
  private readonly waiting: Frame[] = []
  private flowing = false
  private slow = false
  private closing = false
  private code: number | undefined
  private heard = true
  private silent = 0
  private pings = 0
  private cancelPing: () => void
  private cancelGoodbye: () => void = () => {}
  private readonly stall: WriteStall

  constructor(
    private readonly socket: WebSocket,
    private readonly options: PeerOptions,
  ) {
    const { clock } = options
    this.stall = new WriteStall(clock, limits.writeStallMs, () => socket.terminate())
    this.cancelPing = clock.after(httpLimits.pingMs, () => this.ping())
    socket.on('message', (data, binary) => this.take(data as Buffer, binary))
    socket.on('ping', () => this.pinged())
    socket.on('pong', () => this.alive())
    // A frame that breaks the protocol or its bounds: ws has reported it already and waits for the close frame.
    socket.on('error', () => this.expectGoodbye())
    socket.on('close', (code) => this.gone(code))
    socket.pause()
  }

  consume(consumer: FrameConsumer): void {
    this.consumer = consumer
    this.resume()
  }

  send(bytes: Buffer, binary: boolean): boolean {
    const { socket } = this
    if (this.closing || this.code !== undefined) return true
    socket.send(bytes, binary ? binaryFrame : textFrame, this.written)
    if (socket.bufferedAmount <= limits.sinkBufferBytesMax) return true
    this.slow = true
    this.stall.watch(this.options.connection)
    return false
  }

  pause(): void {
    this.flowing = false
    this.socket.pause()
  }

  resume(): void {
    this.flowing = true
    this.pump()
  }

  close(code: number, reason: string): void {
    if (this.closing || this.code !== undefined) return
    this.closing = true
    this.waiting.length = 0
    this.socket.close(code, reason)
    // The answer comes behind whatever else was sent.
    this.socket.resume()
    this.expectGoodbye()
  }

  private readonly written = (): void => {
    if (!this.slow || this.socket.bufferedAmount > limits.sinkBufferBytesMax / 2) return
    this.slow = false
    this.stall.stop()
    this.consumer?.drained()
  }

  private take(bytes: Buffer, binary: boolean): void {
    this.alive()
    if (this.closing) return
    if (this.flowing && this.waiting.length === 0) this.hand(bytes, binary)
    else this.waiting.push({ bytes, binary })
  }

  /** Hands over what waits, then the end if it came, else resumes reading. */
  private pump(): void {
    const { waiting } = this
    while (this.flowing && waiting.length > 0) {
      const { bytes, binary } = waiting.shift()!
      this.hand(bytes, binary)
    }
    if (!this.flowing) return
    if (this.code === undefined) this.socket.resume()
    else this.tellClosed(this.code)
  }

  /** A reader that fails loses its socket; what stands behind it comes to its end by that. */
  private hand(bytes: Buffer, binary: boolean): void {
    try {
      this.consumer?.frame(bytes, binary)
    } catch (error) {
      this.options.log.error({ err: error }, 'the reader of a socket failed')
      this.socket.terminate()
    }
  }

  private gone(code: number): void {
    this.cancelPing()
    this.cancelGoodbye()
    this.stall.stop()
    this.code = code
    if (this.waiting.length === 0) this.tellClosed(code)
    this.options.closed?.(code, this.closing)
  }

  private tellClosed(code: number): void {
    const { consumer } = this
    this.consumer = undefined
    consumer?.closed(code)
  }

  private alive(): void {
    this.heard = true
  }

  private pinged(): void {
    this.alive()
    this.pings += 1
    if (this.pings > httpLimits.pingsMax) this.socket.terminate()
  }

  /** While this side is not reading it receives nothing, and that is no fault of the other. */
  private ping(): void {
    this.silent = this.heard || this.socket.isPaused ? 0 : this.silent + 1
    if (this.silent >= httpLimits.silentPingsMax) {
      this.socket.terminate()
      return
    }
    this.heard = false
    this.pings = 0
    this.socket.ping()
    this.cancelPing = this.options.clock.after(httpLimits.pingMs, () => this.ping())
  }

  private expectGoodbye(): void {
    this.cancelGoodbye()
    this.cancelGoodbye = this.options.clock.after(httpLimits.closeMs, () => this.socket.terminate())
  }
}

const textFrame = { binary: false } as const
const binaryFrame = { binary: true } as const
