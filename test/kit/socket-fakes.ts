/** Stand-ins around a socket under test: both its ends, a client that may hang up, a session of few words. */

import type { FrameConsumer, FrameSocket, SocketSink } from '../../kernel/contract/bytes.js'
import type { Usage } from '../../kernel/contract/event.js'
import type { FrameVerdict, SocketSession } from '../../kernel/contract/operation.js'
import { FakeSink } from './fakes.js'

export class FakeSocket implements FrameSocket {
  readonly sent: string[] = []
  paused = false
  closedWith: [number, string] | undefined
  /** False makes the next frames report a full buffer. */
  accepts = true
  private consumer: FrameConsumer | undefined
  private readonly waiting: string[] = []

  consume(consumer: FrameConsumer): void {
    this.consumer = consumer
  }
  send(bytes: Buffer): boolean {
    this.sent.push(bytes.toString())
    return this.accepts
  }
  pause(): void {
    this.paused = true
  }
  resume(): void {
    this.paused = false
    while (!this.paused && this.waiting.length > 0) this.say(this.waiting.shift()!)
  }
  close(code: number, reason: string): void {
    this.closedWith ??= [code, reason]
  }
  say(text: string): void {
    if (this.paused) this.waiting.push(text)
    else this.consumer?.frame(Buffer.from(text), false)
  }
  drain(): void {
    this.accepts = true
    this.consumer?.drained()
  }
  leave(code: number): void {
    this.consumer?.closed(code)
  }
}

export class FakeSocketSink extends FakeSink implements SocketSink {
  readonly socket = new FakeSocket()
  private stopListener: (() => void) | undefined

  accept(): FrameSocket | undefined {
    return this.gone ? undefined : this.socket
  }
  onStopping(listener: () => void): void {
    this.stopListener = listener
  }
  stop(): void {
    this.stopListener?.()
  }
  /** The client's socket closes: the session hears of it first, then whoever waits for the client. */
  hangUp(code: number): void {
    this.socket.leave(code)
    this.leave()
  }
}

/** `ask` begins an answer, `more` is a step of tokens of it, `done` ends it; one token, one quota. */
export class FakeSession implements SocketSession {
  busy = false
  estimatedTokens = 0
  confirmed: Usage = {}
  estimated = []
  anomaly = false
  /** Tokens of each piece. */
  step = 100
  private open = 0

  get usage(): Usage {
    return { output: (this.confirmed.output ?? 0) + this.open }
  }
  ahead(): Usage {
    return { output: (this.usage.output ?? 0) + 500 }
  }
  refusal() {
    return undefined
  }
  /** Verdicts on `large` frames, which come when these are called. */
  readonly reading: ((verdict: FrameVerdict) => void)[] = []

  fromClient(frame: Buffer): FrameVerdict | Promise<FrameVerdict> {
    const text = frame.toString()
    if (text === 'large') return new Promise((resolve) => this.reading.push(resolve))
    if (text === 'ask') return { kind: 'begin' }
    if (text === 'bad') return { kind: 'stop', answer: Buffer.from('no') }
    return text === 'old' ? { kind: 'pass', frame: Buffer.from('new') } : { kind: 'pass' }
  }
  fromUpstream(frame: Buffer): FrameVerdict {
    switch (frame.toString()) {
      case 'begun':
        this.busy = true
        return { kind: 'begin' }
      case 'more':
        this.estimatedTokens += this.step
        this.open += this.step
        return { kind: 'pass' }
      case 'done':
        this.busy = false
        this.confirmed = this.usage
        this.open = 0
        return { kind: 'pass' }
      case 'secret':
        return { kind: 'stop' }
      default:
        return { kind: 'pass' }
    }
  }
  cancel(): readonly Buffer[] {
    return [Buffer.from('cancel')]
  }
  encodeError({ code }: { readonly code: string }): Buffer {
    return Buffer.from(`error ${code}`)
  }
}
