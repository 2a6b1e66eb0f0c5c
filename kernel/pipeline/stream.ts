/**
 * One stream on its way to the client: pause and resume, money, disconnects and breaks meet here. Nothing goes on that
 * the hold does not cover, and whatever throws in a callback, the stream comes to an end and what was delivered is
 * charged.
 */
import type { Usage } from '../contract/event.js'
import type { Failure } from '../contract/failure.js'
import type { Delivery } from '../contract/line/delivery.js'
import type { End } from '../contract/line/money.js'
import type { Opened } from '../contract/line/record.js'
import type { EventsReply } from '../contract/line/reply.js'
import type { DisconnectWatch } from '../contract/services/disconnect-policy.js'
import { roomFor } from '../toolkit/body/read-body.js'
import { maskedFailure, secretsOfCall } from '../toolkit/errors/masked-failure.js'
import { failureOf, midwayFailure, toClientError } from '../toolkit/errors/outcome.js'
import { Refusal } from '../toolkit/errors/refusal.js'
import { limits } from '../toolkit/limits/limits.js'
import {
  type Commit,
  type DeliveryDependencies,
  guarded,
  limitHeaders,
  withLost,
} from './delivery.js'
import { type Cut, cuts, type Ends, followHold, watchClient } from './ends.js'
import { type Flow, flowOf } from './flow.js'
import { Meter } from './meter.js'
import { finalUsage } from './usage.js'

const nothing = Buffer.alloc(0)

export class EventDelivery {
  private readonly flow: Flow
  private readonly meter: Meter
  private disconnectWatch: DisconnectWatch | undefined
  private headed = false
  private begun = false
  private wrote = false
  private unread = false
  private over = false
  /** Bytes that came since something went on: of one event that is not whole yet, as far as is known here. */
  private silent = 0
  private readonly roomy: (bytes: number) => boolean
  /** Output tokens of what has gone on. */
  private passed = 0
  /** What came last and waits for the hold. */
  private held: Buffer | undefined
  /** What follows once that is covered. */
  private next: (flowing: boolean) => void = () => {}
  private resolve: (delivery: Delivery) => void = () => {}

  constructor(
    private readonly state: Opened,
    private readonly reply: EventsReply,
    private readonly dependencies: DeliveryDependencies,
    private readonly commit: Commit | undefined,
  ) {
    this.flow = flowOf(state, reply)
    this.roomy = roomFor(state.room)
    this.meter = new Meter(
      state,
      {
        raised: () => this.safely(() => this.raised()),
        refused: (verdict) => this.safely(() => this.cut(cuts[verdict])),
        failed: (error) => this.crashed(error),
      },
      dependencies.clock,
    )
  }

  run(): Promise<Delivery> {
    return new Promise((resolve) => {
      this.resolve = resolve
      this.safely(() => this.open())
    })
  }

  private open(): void {
    const { state, reply, dependencies: parts } = this
    state.sink.head(reply.status, withLost(state, reply.headers), limitHeaders(state))
    this.headed = true
    const ends = this.ends()
    const watched = { sink: state.sink, policy: state.channel.onClientGone }
    this.disconnectWatch = watchClient(parts, watched, ends)
    if (this.over) {
      this.disconnectWatch.release()
      return
    }
    followHold(state.hold, () => this.meter.cost(this.passed), ends)
    state.sink.onDrain(() => this.safely(() => this.resume()))
    this.goOn(this.flow.head(), () => this.read())
    if (this.held === undefined) this.read()
  }

  private ends(): Ends {
    return {
      readOn: () => this.safely(() => this.readOn()),
      abandon: () => this.safely(() => this.abandon()),
      cut: (code) => this.safely(() => this.cut(code)),
    }
  }

  /** Also where everything was delivered already: what is left of the reply is read to its end, and its connection freed. */
  private read(): void {
    this.begun = true
    this.reply.source.consume({
      data: (chunk) => this.safely(() => this.take(chunk)) ?? true,
      end: () => this.safely(() => this.ended()),
      fail: (failure) => this.safely(() => this.broke(failure)),
    })
  }

  /** What throws in here ends the stream; nothing leaves it as an exception, since nobody behind it could settle. */
  private safely<Result>(run: () => Result): Result | undefined {
    try {
      return run()
    } catch (error) {
      this.crashed(error)
      return undefined
    }
  }

  /** False pauses the upstream: the client is slow, or the hold is being raised. */
  private take(chunk: Buffer): boolean {
    if (this.over) return true
    if (this.unread) this.disconnectWatch?.read(chunk.length)
    if (this.over) return true
    const bytes = this.flow.push(chunk)
    if (!this.fits(chunk, bytes)) {
      this.cut('no_room_for_answer')
      return true
    }
    return this.goOn(bytes, (flowing) => {
      if (flowing) this.reply.source.resume()
    })
  }

  /** Whether there is room for what is held of the stream. No event is larger than its bound, so no more is counted. */
  private fits(chunk: Buffer, passed: Buffer): boolean {
    this.silent = passed.length > 0 ? 0 : this.silent + chunk.length
    return this.silent === 0 || this.roomy(Math.min(this.silent, limits.eventBytesMax))
  }

  private goOn(bytes: Buffer, next: (flowing: boolean) => void): boolean {
    const { flow, meter } = this
    if (meter.covers(flow.estimatedTokens, flow.usage)) return this.pass(bytes)
    this.held = bytes
    this.next = next
    return false
  }

  private pass(bytes: Buffer): boolean {
    const { flow } = this
    const isLast = flow.ended && flow.failure === undefined && this.commit !== undefined
    const flowing = isLast || this.forward(bytes)
    this.passed = flow.estimatedTokens
    return this.settledByFlow(isLast ? bytes : nothing) || flowing
  }

  private forward(bytes: Buffer): boolean {
    if (bytes.length === 0 || this.unread) return true
    this.wrote = true
    return this.state.sink.write(bytes)
  }

  private settledByFlow(last: Buffer): boolean {
    if (this.over) return true
    if (this.flow.failure !== undefined) this.broke(this.flow.failure)
    else if (this.flow.ended) this.complete(last)
    return this.over
  }

  /** Where these bytes were the last, the reply still has to be read to its end, since it was paused for the hold. */
  private raised(): void {
    if (this.over || this.held === undefined) return
    const bytes = this.held
    this.held = undefined
    const flowing = this.pass(bytes)
    if (!this.over) this.next(flowing)
    else if (this.begun) this.reply.source.resume()
    else this.read()
  }

  private resume(): void {
    if (this.begun && this.held === undefined) this.reply.source.resume()
  }

  private ended(): void {
    if (this.over) return
    if (this.held !== undefined) {
      this.next = () => this.ended()
      return
    }
    this.goOn(this.flow.flush(), () => this.brokeOff())
    if (this.held === undefined) this.brokeOff()
  }

  private brokeOff(): void {
    this.broke(failureOf(new Refusal('upstream_broke_off')))
  }

  /** The terminator never came, or an error came instead: the client receives an error in its own format (S5, M14). */
  private broke(broken: Failure): void {
    if (this.over) return
    this.finish('upstreamBroke', maskedFailure(broken, ...secretsOfCall(this.state)))
  }

  private cut(code: Cut | 'no_room_for_answer'): void {
    if (this.over) return
    this.finish(code === 'out_of_funds' ? 'outOfFunds' : 'cut', midwayFailure(code))
  }

  private crashed(error: unknown): void {
    const { requestId } = this.state
    this.dependencies.log.error({ err: error, requestId }, 'the delivery of a stream failed')
    if (!this.over) this.finish('cut', midwayFailure('internal_error'))
  }

  private readOn(): void {
    this.unread = true
    this.resume()
  }

  private abandon(): void {
    if (!this.over) this.finish('clientGone')
  }

  private complete(last: Buffer): void {
    this.close()
    const delivery = this.delivery(this.unread ? 'clientGone' : 'complete', undefined)
    if (this.commit === undefined || this.unread) {
      this.goodbye(delivery)
      return
    }
    this.commit(delivery).then(
      () => {
        guarded(this.state, this.dependencies, () => void this.forward(last))
        this.goodbye(delivery)
      },
      (error) => {
        const failure =
          error instanceof Refusal ? failureOf(error) : midwayFailure('internal_error')
        this.goodbye({ ...delivery, failure })
      },
    )
  }

  private finish(end: End, failure?: Failure): void {
    this.close()
    this.goodbye(this.delivery(end, failure))
    guarded(this.state, this.dependencies, () => this.reply.source.abort())
  }

  /** Nothing that still comes counts. */
  private close(): void {
    this.over = true
    const { state, dependencies: parts, meter, flow } = this
    meter.close()
    guarded(state, parts, () => this.disconnectWatch?.release())
    guarded(state, parts, () => parts.answers.keep(state, flow.answer))
  }

  /** The last words to the client; a stream that cannot be ended in its own words is cut. */
  private goodbye(delivery: Delivery): void {
    const { state, dependencies: parts } = this
    const { failure } = delivery
    if (this.headed) {
      const stated = guarded(state, parts, () => {
        if (failure !== undefined) this.tell(failure)
        state.sink.end()
      })
      if (!stated) guarded(state, parts, () => state.sink.destroy())
    }
    this.resolve(delivery)
  }

  private tell(failure: Failure): void {
    if (this.unread) return
    const { sink, format, hints } = this.state
    if (this.reply.binary) sink.destroy()
    else sink.write(format.encodeStreamError(toClientError(failure), { hints, begun: this.wrote }))
  }

  private delivery(end: End, failure: Failure | undefined): Delivery {
    const { state, dependencies: parts, passed, flow } = this
    const { estimate } = state
    const delivered = passed > 0 || flow.usage !== undefined
    let delivery: Delivery = { end, failure, delivered, ...uncounted(estimate, passed) }
    guarded(state, parts, () => {
      const { usage: reported, raw } = flow
      const counted = finalUsage({ reported, estimatedTokens: passed, estimate, outgoing: state })
      delivery = { raw, ...delivery, ...counted }
    })
    if (end === 'outOfFunds') guarded(state, parts, () => (delivery = withinHold(state, delivery)))
    return delivery
  }
}

/** By the count made here alone. */
function uncounted(
  estimate: Usage,
  output: number,
): Pick<Delivery, 'usage' | 'estimated' | 'anomaly'> {
  const usage = output === 0 ? {} : { ...estimate, output }
  return { usage, estimated: ['input', 'output'], anomaly: false }
}

/** Some of it was held back, and what the upstream counted may be more than was set aside for it. */
function withinHold({ price, hold }: Opened, delivery: Delivery): Delivery {
  const cost = delivery.delivered ? price.cost(delivery.usage) : 0n
  return { ...delivery, quota: cost < hold.covered ? cost : hold.covered }
}
