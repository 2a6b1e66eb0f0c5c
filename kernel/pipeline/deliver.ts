/**
 * Brings an opened reply to the client, by its kind, and reports how that ended. Head and bytes go out only now, when
 * the upstream's first content is there; from here on nothing is retried (failures.md S17).
 */
import type { Delivery, End, EventsReply, JsonReply, Opened } from '../contract/exchange.js'
import type { Failure } from '../contract/failure.js'
import type { Departures, DepartureWatch } from '../contract/service.js'
import { Refusal } from '../errors.js'
import { maskedFailure, secretsOfCall } from '../wire/masked-failure.js'
import type { KeptAnswers } from './answers.js'
import { type Flow, flowOf } from './flow.js'
import { Meter } from './meter.js'
import { failureOf, toClientError } from './outcome.js'
import { deliverSocket } from './socket.js'
import { finalUsage } from './usage.js'

export type Deliver = (opened: Opened) => Promise<Delivery>

export function createDeliver(departures: Departures, answers: KeptAnswers): Deliver {
  return async (state) => {
    const { reply } = state
    if (reply.kind === 'socket') return deliverSocket(state, reply, departures)
    return reply.kind === 'json'
      ? deliverJson(state, reply, answers)
      : new EventDelivery(state, reply, { departures, answers }).run()
  }
}

function deliverJson(state: Opened, reply: JsonReply, answers: KeptAnswers): Delivery {
  const { sink } = state
  const gone = sink.gone
  // Before the client can ask again.
  answers.keep(state, reply.answer)
  sink.send(reply.status, withLost(state, reply.headers), reply.bytes)
  const { usage, estimated, anomaly } = finalUsage({
    reported: reply.usage,
    units: reply.units,
    estimate: state.estimate,
  })
  return {
    usage,
    estimated,
    anomaly,
    raw: reply.raw,
    end: gone ? 'clientGone' : 'complete',
    // Without a client, only what the upstream itself counted was consumed for certain (failures.md M9, M10).
    delivered: !gone || reply.usage !== undefined,
  }
}

/** One stream on its way to the client: pause and resume, money, departures and breaks meet here. */
class EventDelivery {
  private readonly flow: Flow
  private readonly meter: Meter
  private departure: DepartureWatch | undefined
  private begun = false
  private wrote = false
  private unread = false
  private over = false
  private resolve: (delivery: Delivery) => void = () => {}

  constructor(
    private readonly state: Opened,
    private readonly reply: EventsReply,
    private readonly around: { readonly departures: Departures; readonly answers: KeptAnswers },
  ) {
    this.flow = flowOf(state, reply)
    this.meter = new Meter(state, {
      raised: () => reply.source.resume(),
      refused: (verdict) => this.cut(verdict === 'gone' ? 'token_disabled' : 'out_of_funds'),
    })
  }

  run(): Promise<Delivery> {
    const { state, reply } = this
    return new Promise((resolve) => {
      this.resolve = resolve
      state.sink.head(reply.status, withLost(state, reply.headers))
      this.departure = this.around.departures.watch({
        sink: state.sink,
        policy: state.channel.onClientGone,
        drain: () => this.readOn(),
        end: (reason) => (reason === 'stopping' ? this.cut('shutting_down') : this.abandon()),
      })
      if (this.over) return this.departure.release()
      state.hold.follow(() => this.meter.cost(this.flow.units))
      state.hold.onGone((reason) =>
        this.cut(reason === 'disabled' ? 'token_disabled' : 'database_unavailable'),
      )
      state.sink.onDrain(() => reply.source.resume())
      this.begin()
    })
  }

  private begin(): void {
    this.forward(this.flow.head())
    this.settledByFlow()
    this.begun = true
    // Also where all is said already: what is left of the reply is read to its end, and its connection freed.
    this.reply.source.consume({
      data: (chunk) => this.take(chunk),
      end: () => this.ended(),
      fail: (failure) => this.broke(failure),
    })
  }

  /** False pauses the upstream: the client is slow, or the hold is being raised. */
  private take(chunk: Buffer): boolean {
    if (this.over) return true
    if (this.unread) this.departure?.read(chunk.length)
    const flowing = this.forward(this.flow.push(chunk))
    if (this.settledByFlow()) return true
    return this.meter.at(this.flow.units) && flowing
  }

  private forward(bytes: Buffer): boolean {
    if (bytes.length === 0 || this.unread) return true
    this.wrote = true
    return this.state.sink.write(bytes)
  }

  private settledByFlow(): boolean {
    if (this.over) return true
    if (this.flow.failure !== undefined) this.broke(this.flow.failure)
    else if (this.flow.ended) this.finish(this.unread ? 'clientGone' : 'complete')
    return this.over
  }

  private ended(): void {
    if (this.over) return
    this.forward(this.flow.flush())
    if (this.settledByFlow()) return
    this.broke(failureOf(new Refusal('upstream_broke_off')))
  }

  /** The terminator never came, or an error came instead: the client is told so, in its own format (S5, M14). */
  private broke(broken: Failure): void {
    if (this.over) return
    const failure = maskedFailure(broken, ...secretsOfCall(this.state))
    this.tell(failure)
    this.finish('upstreamBroke', failure)
    this.reply.source.abort()
  }

  private cut(
    code: 'out_of_funds' | 'token_disabled' | 'database_unavailable' | 'shutting_down',
  ): void {
    if (this.over) return
    const failure = failureOf(new Refusal(code))
    this.tell(failure)
    this.finish(code === 'out_of_funds' ? 'outOfFunds' : 'cut', failure)
    this.reply.source.abort()
  }

  private tell(failure: Failure): void {
    if (this.unread) return
    const { sink, format, said } = this.state
    if (this.reply.binary) sink.destroy()
    else sink.write(format.encodeStreamError(toClientError(failure), { said, begun: this.wrote }))
  }

  private readOn(): void {
    this.unread = true
    if (this.begun) this.reply.source.resume()
  }

  private abandon(): void {
    if (this.over) return
    this.finish('clientGone')
    this.reply.source.abort()
  }

  private finish(end: End, failure?: Failure): void {
    this.over = true
    this.meter.close()
    this.departure?.release()
    const { state, flow } = this
    this.around.answers.keep(state, flow.answer)
    state.sink.end()
    const reported = flow.usage
    const counted = finalUsage({ reported, units: flow.units, estimate: state.estimate })
    this.resolve({
      ...counted,
      raw: flow.raw,
      end,
      failure,
      delivered: flow.units > 0 || reported !== undefined,
    })
  }
}

function withLost(state: Opened, headers: Readonly<Record<string, string>>) {
  return state.lost.length === 0 ? headers : { ...headers, 'x-waybill-lost': state.lost.join(', ') }
}
