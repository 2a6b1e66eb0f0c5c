/**
 * A provider as the gateway calls it: what one of its functions throws, or returns against its contract, becomes a
 * `PluginFault`, which states whose it is and moves the request to another channel. A refusal it means passes as it is.
 */
import type { Event } from '../contract/event.js'
import type { Transform } from '../contract/format.js'
import type { Issuer, OperationName } from '../contract/names.js'
import type { Adapter, ChannelView, Provider, UpstreamQuery } from '../contract/provider.js'
import { faultFields } from '../toolkit/errors/plugin-fault.js'
import { Refusal } from '../toolkit/errors/refusal.js'
import { upstreamFailure } from '../toolkit/errors/upstream-failure.js'
import { isIssuedBy } from '../toolkit/format/issuer.js'
import { containedAuthorize, containedPrepare } from './contained-callers.js'
import { containedFrames } from './contained-frames.js'
import type { Health, Tally } from './health.js'
import {
  areBodies,
  areBuffers,
  areEvents,
  areNames,
  areProgresses,
  areQuantities,
  areUnsupportedFields,
  isAddressed,
  isAnswered,
  isBalance,
  isBody,
  isBoolean,
  isFailure,
  isFailureOrNone,
  isModels,
  isPlain,
  isProgressOrNone,
  isSentence,
  isSocketRequest,
  isSubmission,
  isTransform,
} from './provider-shapes.js'
import { contained, faultOf, type IsSound, sound } from './verb.js'

export function containedProvider(provider: Provider, health: Health): Provider {
  const { models, balance, faultOf: faultOfSettings } = provider
  const operations = Object.entries(provider.operations).map(
    ([name, served]) => [name as OperationName, containedAdapters(served, health)] as const,
  )
  return {
    operations: Object.fromEntries(operations) as Provider['operations'],
    models: models && containedUpstreamQuery(health, 'models', models, isModels),
    balance: balance && containedUpstreamQuery(health, 'balance', balance, isBalance),
    faultOf:
      faultOfSettings &&
      contained(health.tally('faultOf', 'reported'), faultOfSettings.bind(provider), isSentence),
    authorize: containedAuthorize(provider, health),
  }
}

function containedAdapters(
  served: Adapter | readonly Adapter[],
  health: Health,
): Adapter | readonly Adapter[] {
  return isList(served)
    ? served.map((one) => containedAdapter(one, health))
    : containedAdapter(served, health)
}

export function isList(served: Adapter | readonly Adapter[]): served is readonly Adapter[] {
  return Array.isArray(served)
}

/** What is not there stays away: a function that is there is a capability. */
function containedAdapter(adapter: Adapter, health: Health): Adapter {
  const { id } = health
  const { format, streamTypes, forwards, requestsUsage, expresses, ownFields } = adapter
  const { knowsDeveloper, refuses, takes } = adapter
  const { encode, unsupportedFields, shape, answer, adjust, failureIn, socket, unframe, read } =
    adapter
  const of = <Arguments extends unknown[], Result>(
    verb: string,
    call: (...requested: Arguments) => Result,
    isSound: IsSound,
  ) => contained(health.tally(verb), call, isSound)
  // Every member has to stand here: one that is left out would be a capability lost without a word.
  const every: { readonly [Member in keyof Required<Adapter>]: Adapter[Member] } = {
    format,
    issuer: id as Issuer,
    streamTypes,
    forwards,
    requestsUsage,
    expresses,
    ownFields,
    takes,
    knowsDeveloper: knowsDeveloper && of('knowsDeveloper', knowsDeveloper.bind(adapter), isBoolean),
    refuses: refuses && of('refuses', refuses.bind(adapter), areNames),
    serves: containedServes(adapter, health),
    encode: encode && of('encode', encode.bind(adapter), isPlain),
    unsupportedFields:
      unsupportedFields &&
      of('unsupportedFields', unsupportedFields.bind(adapter), areUnsupportedFields),
    shape: shape && of('shape', shape.bind(adapter), isBody),
    answer: answer && of('answer', answer.bind(adapter), isAnswered),
    adjust: adjust && of('adjust', adjust.bind(adapter), isPlain),
    prepare: containedPrepare(adapter, health),
    split: adapter.split && of('split', adapter.split.bind(adapter), areBodies),
    address: of('address', adapter.address.bind(adapter), isAddressed),
    failureIn: failureIn && of('failureIn', failureIn.bind(adapter), isFailureOrNone),
    socket: socket && of('socket', socket.bind(adapter), isSocketRequest),
    frames: containedFrames(adapter, health),
    ...containedTask(adapter, health),
    unframe:
      unframe && containedReader<Buffer>(health, 'unframe', unframe.bind(adapter), areBuffers),
    read:
      read &&
      containedReader<Event, [channel?: ChannelView]>(
        health,
        'read',
        read.bind(adapter),
        format === 'own'
          ? (events) => areEvents(events, (event) => isIssuedBy(id, event))
          : (events) => areEvents(events),
      ),
    fail: containedFail(adapter, health),
  }
  return every
}

type TaskMember =
  | 'actions'
  | 'quantities'
  | 'submitted'
  | 'poll'
  | 'notice'
  | 'content'
  | 'cancel'
  | 'cancelsOnlyQueued'
  | 'folded'

/** What only a media task has. */
function containedTask(
  adapter: Adapter,
  health: Health,
): { readonly [Member in TaskMember]: Adapter[Member] } {
  const { actions, quantities, submitted, poll, notice, content, cancel, folded } = adapter
  return {
    actions,
    cancelsOnlyQueued: adapter.cancelsOnlyQueued,
    quantities:
      quantities && contained(health.tally('quantities'), quantities.bind(adapter), areQuantities),
    submitted:
      submitted && contained(health.tally('submitted'), submitted.bind(adapter), isSubmission),
    poll: poll && {
      batch: poll.batch,
      request: contained(health.tally('poll.request'), poll.request.bind(poll), isAddressed),
      read: contained(health.tally('poll.read'), poll.read.bind(poll), areProgresses),
      readRefusal:
        poll.readRefusal &&
        contained(health.tally('poll.readRefusal'), poll.readRefusal.bind(poll), isProgressOrNone),
    },
    notice:
      notice &&
      contained(health.tally('notice', 'reported'), notice.bind(adapter), isProgressOrNone),
    content: content && contained(health.tally('content'), content.bind(adapter), isAddressed),
    cancel: cancel && contained(health.tally('cancel'), cancel.bind(adapter), isAddressed),
    folded: folded && contained(health.tally('folded'), folded.bind(adapter), isAnswered),
  }
}

/** An adapter that cannot say whether it serves does not: another channel is picked. */
function containedServes(adapter: Adapter, health: Health): Adapter['serves'] {
  const { serves } = adapter
  if (serves === undefined) return undefined
  const tally = health.tally('serves')
  return (channel, model, client, call) => {
    const began = tally.beganOften()
    try {
      return sound(serves.call(adapter, channel, model, client, call), isBoolean)
    } catch (error) {
      // What the call is made of is read for the first time, and it is the client's mistake that it cannot be.
      if (error instanceof Refusal && call !== undefined) throw error
      const fault = faultOf(tally, error)
      if (tally.mayNote(health.clock.monotonic()))
        health.log.error(
          faultFields(fault),
          'a provider could not say what it serves; it is passed over',
        )
      return false
    } finally {
      tally.ended(began)
    }
  }
}

/** What the status states is known without the provider. */
function containedFail(adapter: Adapter, health: Health): Adapter['fail'] {
  const call = contained(health.tally('fail'), adapter.fail.bind(adapter), isFailure)
  return (status, headers, head) => {
    try {
      return call(status, headers, head)
    } catch (error) {
      health.log.error(faultFields(error), 'a provider could not read a refusal of its upstream')
      return upstreamFailure({ status, headers, head })
    }
  }
}

/** Only admins ask, so that what fails in it keeps no request from being served. */
function containedUpstreamQuery<T>(
  health: Health,
  verb: string,
  query: UpstreamQuery<T>,
  isSound: IsSound,
): UpstreamQuery<T> {
  const of = (part: string) => health.tally(`${verb}.${part}`, 'reported')
  return {
    request: contained(of('request'), query.request.bind(query), isAddressed),
    read: contained(of('read'), query.read.bind(query), isSound),
  }
}

/** Faults of a stream count against the streams that were begun, however many pieces each has. */
function containedReader<Out, Given extends unknown[] = []>(
  health: Health,
  verb: string,
  make: (...given: Given) => Transform<Buffer, Out>,
  isSound: IsSound,
): (...given: Given) => Transform<Buffer, Out> {
  const tally = health.tally(verb)
  const begin = contained(tally, make, isTransform)
  return (...given) => new ContainedReader(tally, begin(...given), isSound)
}

class ContainedReader<Out> implements Transform<Buffer, Out> {
  constructor(
    private readonly tally: Tally,
    private readonly reader: Transform<Buffer, Out>,
    private readonly isSound: IsSound,
  ) {}

  push(bytes: Buffer): Out[] {
    const began = this.tally.beganPiece()
    try {
      return sound(this.reader.push(bytes), this.isSound)
    } catch (error) {
      throw faultOf(this.tally, error, 'push')
    } finally {
      this.tally.ended(began)
    }
  }

  flush(): Out[] {
    const began = this.tally.beganPiece()
    try {
      return sound(this.reader.flush(), this.isSound)
    } catch (error) {
      throw faultOf(this.tally, error, 'flush')
    } finally {
      this.tally.ended(began)
    }
  }
}
