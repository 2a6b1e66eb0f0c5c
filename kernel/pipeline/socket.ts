/**
 * Relays a socket both ways, frame by frame, once the upstream's is open: backpressure, money, disconnects, breaks and
 * the goodbyes meet here. However it ends, there is one delivery to settle (RT-1, BILL-9).
 */

import type { FrameSocket, SocketSink } from '../contract/bytes.js'
import type { Failure } from '../contract/failure.js'
import type { Delivery } from '../contract/line/delivery.js'
import type { End } from '../contract/line/money.js'
import type { Opened } from '../contract/line/record.js'
import type { SocketReply } from '../contract/line/reply.js'
import type { FrameVerdict } from '../contract/operation.js'
import type { DisconnectWatch } from '../contract/services/disconnect-policy.js'
import type { Sink } from '../contract/sink.js'
import { midwayFailure, toClientError } from '../toolkit/errors/outcome.js'
import { type CloseCodes, closeCodes, isOrderly, relayedCode, sameCode } from './close-codes.js'
import { type DeliveryDependencies, guarded, undelivered } from './delivery.js'
import { type Cut, cuts, type Ends, followHold, watchClient } from './ends.js'
import { SocketFlow } from './socket-flow.js'
import { SocketMeter } from './socket-meter.js'

export function deliverSocket(
  state: Opened,
  reply: SocketReply,
  dependencies: DeliveryDependencies,
): Promise<Delivery> {
  return new SocketDelivery(state, reply, dependencies).run()
}

class SocketDelivery {
  private readonly meter: SocketMeter
  private client: FrameSocket | undefined
  private up: SocketFlow | undefined
  private down: SocketFlow | undefined
  private disconnectWatch: DisconnectWatch | undefined
  /** The client left and the upstream is read on for its count. */
  private unread = false
  /** The gateway stops; the session ends with the answer under way. */
  private stopping = false
  private over = false
  /** The client is not read until it has taken what it was answered. */
  private heldBack = false
  private resolve: (delivery: Delivery) => void = () => {}

  constructor(
    private readonly state: Opened,
    private readonly reply: SocketReply,
    private readonly dependencies: DeliveryDependencies,
  ) {
    const refused = (verdict: keyof typeof cuts) => this.safely(() => this.cut(cuts[verdict]))
    this.meter = new SocketMeter(state, reply.session, { refused }, dependencies.clock)
  }

  run(): Promise<Delivery> {
    return new Promise((resolve) => {
      this.resolve = resolve
      this.safely(() => this.open())
    })
  }

  private open(): void {
    const { sink } = this.state
    this.client = isSocketSink(sink) ? sink.accept() : undefined
    if (this.client === undefined || !isSocketSink(sink)) this.finish('clientGone')
    else this.begin(sink, this.client)
  }

  private ends(): Ends {
    return {
      readOn: () => this.safely(() => this.readOn()),
      abandon: () => this.safely(() => this.abandon()),
      cut: (code) => this.safely(() => this.cut(code)),
    }
  }

  /** What throws in here ends the session; nothing leaves it as an exception, since nobody behind it could settle. */
  private safely(run: () => void): void {
    try {
      run()
    } catch (error) {
      this.crashed(error)
    }
  }

  private crashed(error: unknown): void {
    const { requestId } = this.state
    this.dependencies.log.error({ err: error, requestId }, 'the delivery of a socket failed')
    const failure = midwayFailure('internal_error')
    try {
      this.end('cut', failure, closeCodes.broken)
    } catch {
      this.finish('cut', sameCode(closeCodes.broken), failure)
    }
  }

  private begin(sink: SocketSink, client: FrameSocket): void {
    const { state, reply } = this
    const { hold, channel } = state
    const ends = this.ends()
    const watched = { sink, policy: channel.onClientGone }
    this.disconnectWatch = watchClient(this.dependencies, watched, ends)
    if (this.over) {
      this.disconnectWatch.release()
      return
    }
    followHold(hold, () => this.meter.confirmed(), ends)
    const up = new SocketFlow(client, reply.socket)
    const down = new SocketFlow(reply.socket, client)
    this.up = up
    this.down = down
    for (const { bytes, binary } of reply.head) this.fromUpstream(bytes, binary)
    reply.socket.consume({
      frame: (bytes, binary) => this.safely(() => this.fromUpstream(bytes, binary)),
      drained: () => this.safely(() => up.caughtUp()),
      closed: (code) => this.safely(() => this.upstreamClosed(code)),
    })
    client.consume({
      frame: (bytes, binary) => this.safely(() => this.fromClient(bytes, binary)),
      drained: () => this.safely(() => this.clientCaughtUp()),
      closed: (code) => this.safely(() => this.clientClosed(code)),
    })
    sink.onStopping(() => this.safely(() => this.stop()))
  }

  private fromClient(bytes: Buffer, binary: boolean): void {
    if (this.over || this.unread) return
    const verdict = this.reply.session.fromClient(bytes)
    if (verdict instanceof Promise) this.decideLate(verdict, bytes, binary)
    else this.decide(verdict, bytes, binary)
  }

  private decide(verdict: FrameVerdict, bytes: Buffer, binary: boolean): void {
    if (verdict.kind !== 'stop') this.sendUp(verdict, bytes, binary)
    else if (!this.answer(verdict.answer)) this.holdBack()
  }

  /** A client that sends and reads nothing would have what its frames are answered with kept for it. */
  private holdBack(): void {
    if (this.heldBack) return
    this.heldBack = true
    this.up!.wait()
  }

  private clientCaughtUp(): void {
    this.down!.caughtUp()
    if (!this.heldBack) return
    this.heldBack = false
    this.up!.waited()
  }

  /** What comes behind a large frame waits until that is read. */
  private decideLate(reading: Promise<FrameVerdict>, bytes: Buffer, binary: boolean): void {
    const up = this.up!
    up.wait()
    reading.then(
      (verdict) => {
        if (this.over) return
        this.safely(() => {
          if (!this.unread) this.decide(verdict, bytes, binary)
          up.waited()
        })
      },
      (error) => this.crashed(error),
    )
  }

  /** A frame that requests an answer waits until that answer is covered; what comes behind it waits too. */
  private sendUp(verdict: GoesOn, bytes: Buffer, binary: boolean): void {
    const up = this.up!
    const covered = verdict.kind === 'begin' ? this.meter.begin() : true
    const send = () => up.forward(verdict.frame ?? bytes, binary)
    if (covered === true) {
      send()
      return
    }
    up.wait()
    this.afterwards(covered, () => {
      if (!this.unread) send()
      up.waited()
    })
  }

  private fromUpstream(bytes: Buffer, binary: boolean): void {
    if (this.over) return
    if (this.unread) this.disconnectWatch?.read(bytes.length)
    const { session } = this.reply
    const verdict = session.fromUpstream(bytes)
    if (verdict.kind !== 'stop' && !this.unread) {
      this.down!.forward(verdict.frame ?? bytes, binary)
    }
    this.pay(verdict.kind === 'begin' ? this.meter.begin() : this.meter.look())
    if (!session.busy) this.rest()
  }

  private pay(covered: true | Promise<boolean>): void {
    if (covered === true || this.over) return
    const down = this.down!
    down.wait()
    this.afterwards(covered, () => down.waited())
  }

  private afterwards(covered: Promise<boolean>, run: () => void): void {
    covered.then(
      (raised) => {
        if (raised && !this.over) this.safely(run)
      },
      (error) => this.crashed(error),
    )
  }

  /** No answer is under way: whoever waited for its end can have it. */
  private rest(): void {
    if (this.over) return
    if (this.unread)
      this.finish('clientGone', { client: closeCodes.normal, upstream: closeCodes.goingAway })
    else if (this.stopping) this.finish('cut', sameCode(closeCodes.goingAway))
  }

  /** An answer under way may come to its end; the deadline for it is the one of every request. */
  private stop(): void {
    this.stopping = true
    if (!this.reply.session.busy) this.rest()
  }

  private clientClosed(code: number): void {
    if (this.over || this.unread || this.reply.session.busy) return
    if (!isOrderly(code)) return
    this.finish('complete', { client: closeCodes.normal, upstream: closeCodes.normal })
  }

  /** The upstream is sent a cancellation, and reports then what it has written (M9, M11). */
  private readOn(): void {
    const { session, socket } = this.reply
    this.unread = true
    if (!session.busy) {
      this.rest()
      return
    }
    for (const frame of session.cancel()) socket.send(frame, false)
    this.down?.caughtUp()
  }

  private abandon(): void {
    this.finish('clientGone', { client: closeCodes.normal, upstream: closeCodes.goingAway })
  }

  private upstreamClosed(code: number): void {
    if (this.over) return
    if (this.unread) this.finish('clientGone')
    else if (isOrderly(code) && !this.reply.session.busy) {
      this.finish('complete', { client: relayedCode(code), upstream: closeCodes.normal })
    } else {
      this.end('upstreamBroke', midwayFailure('upstream_broke_off'), closeCodes.broken)
    }
  }

  private cut(code: Cut): void {
    const end = code === 'out_of_funds' ? 'outOfFunds' : 'cut'
    const failure = midwayFailure(code)
    this.end(end, failure, code === 'shutting_down' ? closeCodes.goingAway : closeCodes.refused)
  }

  /** The client reads why before the socket closes (ERR-1). */
  private end(end: End, failure: Failure, code: number): void {
    if (this.over) return
    if (!this.unread) this.answer(this.reply.session.encodeError(toClientError(failure)))
    const upstream = code === closeCodes.broken ? closeCodes.normal : closeCodes.goingAway
    this.finish(end, { client: code, upstream }, failure)
  }

  /** False: the client does not keep up. */
  private answer(frame: Buffer | undefined): boolean {
    return frame === undefined || (this.client?.send(frame, false) ?? true)
  }

  private finish(
    end: End,
    codes: CloseCodes = sameCode(closeCodes.goingAway),
    failure?: Failure,
  ): void {
    if (this.over) return
    this.over = true
    this.meter.close()
    const { state, dependencies: parts, reply } = this
    guarded(state, parts, () => this.disconnectWatch?.release())
    guarded(state, parts, () => this.client?.close(codes.client, failure?.code ?? ''))
    guarded(state, parts, () => reply.socket.close(codes.upstream, ''))
    this.resolve({ ...this.counted(), end, failure })
  }

  /** Where the session does not know what was delivered, what the upstream has confirmed stands. */
  private counted(): Omit<Delivery, 'end' | 'failure'> {
    const { state, dependencies: parts, reply } = this
    const { session } = reply
    let counted: Omit<Delivery, 'end' | 'failure'> = undelivered
    guarded(state, parts, () => {
      const { confirmed: usage } = session
      counted = { usage, estimated: [], anomaly: false, delivered: hasCounts(usage) }
      const { usage: whole, estimated, anomaly } = session
      counted = { usage: whole, estimated, anomaly, delivered: hasCounts(whole) }
    })
    return counted
  }
}

type GoesOn = Exclude<FrameVerdict, { readonly kind: 'stop' }>

function isSocketSink(sink: Sink): sink is SocketSink {
  return 'accept' in sink
}

function hasCounts(usage: Delivery['usage']): boolean {
  return Object.values(usage).some((count) => typeof count === 'number' && count > 0)
}
