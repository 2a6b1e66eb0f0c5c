/**
 * An upstream's socket in the operation's events: whoever relays it and counts what passes sees those alone. A translator that
 * throws is left to whoever called: the reader of the upstream's socket loses it, and so does the client's.
 */
import type { FrameConsumer, FrameSocket } from '../../../kernel/contract/bytes.js'
import type { FrameTranslator, TranslatedFrames } from '../../../kernel/contract/frames.js'
import type { Clock } from '../../../kernel/contract/kit.js'
import { limits } from '../../../kernel/toolkit/limits/index.js'

/** A client is kept waiting no longer than this for what its translator waits for. */
export const translatorWaitMs = 30_000

export class TranslatedSocket implements FrameSocket {
  private consumer: FrameConsumer | undefined
  private readonly forClient: Buffer[] = []
  private forClientBytes = 0
  /** What the upstream sent since something of it was for the client. */
  private unshownBytes = 0
  private begun = false
  private flowing = false
  private delivering = false
  /** The translator takes no more of the client's frames for now. */
  private waits = false
  private cancelWait = () => {}
  /** The upstream does not keep up. */
  private slow = false
  private endedWith: number | undefined

  constructor(
    private readonly upstream: FrameSocket,
    private readonly translator: FrameTranslator,
    private readonly clock: Pick<Clock, 'after'>,
  ) {}

  consume(consumer: FrameConsumer): void {
    this.consumer = consumer
    this.flowing = true
    if (!this.begun) {
      this.begun = true
      this.pass(this.translator.opened())
    }
    this.upstream.consume({
      frame: (bytes) => this.fromUpstream(bytes),
      drained: () => this.drained(),
      closed: (code) => this.closed(code),
    })
    this.deliver()
  }

  send(bytes: Buffer, _binary: boolean): boolean {
    this.pass(this.translator.fromClient(bytes))
    this.deliver()
    return this.isFree
  }

  pause(): void {
    this.flowing = false
    this.upstream.pause()
  }

  resume(): void {
    this.flowing = true
    this.deliver()
    if (this.flowing) this.upstream.resume()
  }

  close(code: number, reason: string): void {
    this.cancelWait()
    this.forClient.length = 0
    this.forClientBytes = 0
    this.upstream.close(code, reason)
  }

  /** A client that sends and reads nothing would have what its frames are answered with kept here. */
  private get isFree(): boolean {
    return !this.slow && !this.waits && this.forClientBytes <= limits.sinkBufferBytesMax
  }

  private fromUpstream(bytes: Buffer): void {
    const waited = this.waits
    const translated = this.translator.fromUpstream(bytes)
    this.unshownBytes = translated.toClient.length > 0 ? 0 : this.unshownBytes + bytes.length
    if (this.unshownBytes > limits.preambleBytesMax) this.giveUp()
    this.pass(translated)
    this.deliver()
    if (waited) this.tellDrained()
  }

  private pass({ toUpstream, toClient, waits }: TranslatedFrames): void {
    for (const frame of toUpstream) if (!this.upstream.send(frame, false)) this.slow = true
    for (const frame of toClient) this.keep(frame)
    if (waits === this.waits) return
    this.waits = waits
    this.cancelWait()
    if (waits) this.cancelWait = this.clock.after(translatorWaitMs, () => this.giveUp())
  }

  private keep(frame: Buffer): void {
    this.forClient.push(frame)
    this.forClientBytes += frame.length
  }

  private giveUp(): void {
    this.upstream.close(1011, '')
  }

  /** One by one, since the reader may pause at any of them. */
  private deliver(): void {
    if (this.delivering) return
    this.delivering = true
    const { isFree } = this
    try {
      while (this.flowing && this.forClient.length > 0) {
        const frame = this.forClient.shift()!
        this.forClientBytes -= frame.length
        this.consumer?.frame(frame, false)
      }
    } finally {
      this.delivering = false
    }
    if (!isFree) this.tellDrained()
    if (this.endedWith !== undefined && this.forClient.length === 0) this.tellClosed()
  }

  private drained(): void {
    this.slow = false
    this.tellDrained()
  }

  private tellDrained(): void {
    if (this.isFree) this.consumer?.drained()
  }

  private closed(code: number): void {
    this.cancelWait()
    this.endedWith = code
    this.deliver()
  }

  private tellClosed(): void {
    const { consumer, endedWith } = this
    this.consumer = undefined
    consumer?.closed(endedWith!)
  }
}
