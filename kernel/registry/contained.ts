/**
 * A provider as the gateway calls it: what one of its functions throws, or returns against its contract, becomes a
 * `PluginFault`, which states whose it is and moves the request to another channel. A refusal it means passes as it is.
 */
import type { Event } from '../contract/event.js'
import type { Transform } from '../contract/format.js'
import type { Guard } from '../contract/guard.js'
import { isObject, type JsonObject } from '../contract/json.js'
import type { Clock, Log } from '../contract/kit.js'
import type { Issuer, OperationName } from '../contract/names.js'
import type { Adapter, Provider, UpstreamQuery } from '../contract/provider.js'
import { faultFields, faultIn, PluginFault } from '../toolkit/errors/plugin-fault.js'
import { isErrorCode, Refusal } from '../toolkit/errors/refusal.js'
import { upstreamFailure } from '../toolkit/errors/upstream-failure.js'
import { isIssuedBy } from '../toolkit/format/issuer.js'
import { isPromise } from '../toolkit/stage/promise.js'
import { within } from './plugin.js'

export interface ContainedBy {
  /** Id of the plugin. */
  readonly id: string
  readonly clock: Clock
  readonly log: Log
}

export function containedProvider(provider: Provider, context: ContainedBy): Provider {
  const { id } = context
  const { models, balance, faultOf, authorize } = provider
  const operations = Object.entries(provider.operations).map(
    ([name, served]) => [name as OperationName, containedAdapters(served, context)] as const,
  )
  return {
    operations: Object.fromEntries(operations) as Provider['operations'],
    models: models && containedUpstreamQuery(id, 'models', models),
    balance: balance && containedUpstreamQuery(id, 'balance', balance),
    faultOf: faultOf && contained(id, 'faultOf', faultOf.bind(provider), isSentence),
    authorize:
      authorize &&
      (async (...requested) => {
        try {
          return sound(id, 'authorize', await authorize.apply(provider, requested), isAnswered)
        } catch (error) {
          throw faultIn(id, 'authorize', error)
        }
      }),
  }
}

function containedAdapters(
  served: Adapter | readonly Adapter[],
  context: ContainedBy,
): Adapter | readonly Adapter[] {
  return isList(served)
    ? served.map((one) => containedAdapter(one, context))
    : containedAdapter(served, context)
}

export function isList(served: Adapter | readonly Adapter[]): served is readonly Adapter[] {
  return Array.isArray(served)
}

/** What is not there stays away: a function that is there is a capability. */
function containedAdapter(adapter: Adapter, context: ContainedBy): Adapter {
  const { id } = context
  const { format, streamTypes, forwards, requestsUsage, expresses, ownFields } = adapter
  const { knowsDeveloper, refuses, takes } = adapter
  const { encode, unsupportedFields, shape, answer, adjust, failureIn, socket, unframe, read } =
    adapter
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
    knowsDeveloper:
      knowsDeveloper && contained(id, 'knowsDeveloper', knowsDeveloper.bind(adapter), isBoolean),
    refuses: refuses && contained(id, 'refuses', refuses.bind(adapter), Array.isArray),
    serves: containedServes(adapter, context),
    encode: encode && contained(id, 'encode', encode.bind(adapter), isPlain),
    unsupportedFields:
      unsupportedFields &&
      contained(id, 'unsupportedFields', unsupportedFields.bind(adapter), areUnsupportedFields),
    shape: shape && contained(id, 'shape', shape.bind(adapter), isPlain),
    answer: answer && contained(id, 'answer', answer.bind(adapter), isAnswered),
    adjust: adjust && contained(id, 'adjust', adjust.bind(adapter), isPlain),
    address: contained(id, 'address', adapter.address.bind(adapter), isAddressed),
    failureIn:
      failureIn &&
      contained(
        id,
        'failureIn',
        failureIn.bind(adapter),
        (reported) => reported === undefined || isFailure(reported),
      ),
    socket: socket && contained(id, 'socket', socket.bind(adapter), isAddressed),
    ...containedTask(adapter, context),
    unframe:
      unframe && containedReader<Buffer>(id, 'unframe', unframe.bind(adapter), Array.isArray),
    read:
      read &&
      containedReader<Event>(
        id,
        'read',
        read.bind(adapter),
        format === 'own'
          ? (events) => areEvents(events, (event) => isIssuedBy(id, event))
          : (events) => areEvents(events),
      ),
    fail: containedFail(adapter, context),
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
  { id }: ContainedBy,
): { readonly [Member in TaskMember]: Adapter[Member] } {
  const { actions, quantities, submitted, poll, notice, content, cancel, folded } = adapter
  return {
    actions,
    cancelsOnlyQueued: adapter.cancelsOnlyQueued,
    quantities: quantities && contained(id, 'quantities', quantities.bind(adapter), areQuantities),
    submitted: submitted && contained(id, 'submitted', submitted.bind(adapter), isSubmission),
    poll: poll && {
      batch: poll.batch,
      request: contained(id, 'poll.request', poll.request.bind(poll), isAddressed),
      read: contained(id, 'poll.read', poll.read.bind(poll), areProgresses),
      readRefusal:
        poll.readRefusal &&
        contained(id, 'poll.readRefusal', poll.readRefusal.bind(poll), isProgressOrNone),
    },
    notice: notice && contained(id, 'notice', notice.bind(adapter), isProgressOrNone),
    content: content && contained(id, 'content', content.bind(adapter), isAddressed),
    cancel: cancel && contained(id, 'cancel', cancel.bind(adapter), isAddressed),
    folded: folded && contained(id, 'folded', folded.bind(adapter), isAnswered),
  }
}

/** An adapter that cannot say whether it serves does not: another channel is picked. */
function containedServes(adapter: Adapter, context: ContainedBy): Adapter['serves'] {
  const { serves } = adapter
  if (serves === undefined) return undefined
  const note = noteSeldom(context)
  return (channel, model, client, call) => {
    try {
      return serves.call(adapter, channel, model, client, call)
    } catch (error) {
      // What the call is made of is read for the first time, and it is the client's mistake that it cannot be.
      if (error instanceof Refusal && call !== undefined) throw error
      note(faultIn(context.id, 'serves', error))
      return false
    }
  }
}

/** What the status states is known without the provider. */
function containedFail(adapter: Adapter, context: ContainedBy): Adapter['fail'] {
  const call = contained(context.id, 'fail', adapter.fail.bind(adapter), isFailure)
  return (status, headers, head) => {
    try {
      return call(status, headers, head)
    } catch (error) {
      context.log.error(faultFields(error), 'a provider could not read a refusal of its upstream')
      return upstreamFailure({ status, headers, head })
    }
  }
}

function containedUpstreamQuery<T>(
  id: string,
  verb: string,
  query: UpstreamQuery<T>,
): UpstreamQuery<T> {
  return {
    request: contained(id, `${verb}.request`, query.request.bind(query), isAddressed),
    read: contained(id, `${verb}.read`, query.read.bind(query), isAnswered),
  }
}

function containedReader<Out>(
  id: string,
  verb: string,
  make: () => Transform<Buffer, Out>,
  isSound: IsSound,
): () => Transform<Buffer, Out> {
  const begin = contained(id, verb, make, isTransform)
  return () => {
    const reader = begin()
    return {
      push: contained(id, `${verb}.push`, (bytes: Buffer) => reader.push(bytes), isSound),
      flush: contained(id, `${verb}.flush`, () => reader.flush(), isSound),
    }
  }
}

/**
 * What a guard throws beside refusals, at once or later, is a fault that states whose it is; so is one that never has done,
 * since a hold may be waiting behind it.
 */
export function containedGuard(guard: Guard, id: string, clock: Clock): Guard {
  const later = async (checking: Promise<void>) => {
    try {
      await within(clock, 'check', async () => checking)
    } catch (error) {
      throw faultIn(id, 'check', error)
    }
  }
  return {
    check(state) {
      try {
        const checking = guard.check(state)
        return isPromise(checking) ? later(checking) : undefined
      } catch (error) {
        throw faultIn(id, 'check', error)
      }
    },
  }
}

type IsSound = (result: unknown) => boolean

function contained<Arguments extends unknown[], Result>(
  id: string,
  verb: string,
  call: (...requested: Arguments) => Result,
  isSound: IsSound,
): (...requested: Arguments) => Result {
  return (...requested) => {
    try {
      return sound(id, verb, call(...requested), isSound)
    } catch (error) {
      throw faultIn(id, verb, error)
    }
  }
}

function sound<Result>(id: string, verb: string, result: Result, isSound: IsSound): Result {
  if (isSound(result)) return result
  if (!(result instanceof Promise)) {
    throw new PluginFault(id, verb, new TypeError('it does not return what its contract says'))
  }
  // Nobody awaits it.
  result.catch(() => {})
  throw new PluginFault(id, verb, new TypeError('it returns a promise, and may not'))
}

function isBoolean(result: unknown): boolean {
  return typeof result === 'boolean'
}

function isPlain(result: unknown): result is JsonObject {
  return isObject(result) && typeof result.then !== 'function'
}

function areUnsupportedFields(result: unknown): boolean {
  return isObject(result) && Array.isArray(result.refuse) && Array.isArray(result.report)
}

function isAddressed(result: unknown): boolean {
  return isObject(result) && typeof result.url === 'string' && isObject(result.headers)
}

function isFailure(result: unknown): boolean {
  return isObject(result) && isErrorCode(result.code) && typeof result.message === 'string'
}

/** A whole answer as the operation's form, or the failure it amounts to. */
function isAnswered(result: unknown): boolean {
  return isPlain(result) && (result.failure === undefined || isFailure(result.failure))
}

function areQuantities(result: unknown): boolean {
  return isObject(result) && isObject(result.counts) && isObject(result.dimensions)
}

function isSubmission(result: unknown): boolean {
  if (!isPlain(result)) return false
  if (result.failure !== undefined) return isFailure(result.failure)
  return typeof result.ref === 'string' && result.ref !== ''
}

const taskStates: ReadonlySet<unknown> = new Set([
  'queued',
  'running',
  'succeeded',
  'failed',
  'unknown',
])

function isProgress(result: unknown): boolean {
  return isPlain(result) && typeof result.ref === 'string' && taskStates.has(result.state)
}

function isProgressOrNone(result: unknown): boolean {
  return result === undefined || isProgress(result)
}

function areProgresses(result: unknown): boolean {
  if (Array.isArray(result)) return result.every(isProgress)
  return isPlain(result) && isFailure(result.failure)
}

function areEvents(
  result: unknown,
  isFit: (event: Event) => boolean = () => true,
): result is readonly Event[] {
  if (!Array.isArray(result)) return false
  for (const event of result) {
    if (!isObject(event) || (event.type === 'failure' && !isFailure(event.failure))) return false
    if (!isFit(event as unknown as Event)) return false
  }
  return true
}

function isTransform(result: unknown): boolean {
  return isObject(result) && typeof result.push === 'function' && typeof result.flush === 'function'
}

function isSentence(result: unknown): boolean {
  return result === undefined || typeof result === 'string'
}

const noteEveryMs = 60_000

/** It is called with every pick of every request: one line a minute tells as much. */
function noteSeldom({ clock, log }: ContainedBy): (error: unknown) => void {
  let noted = -Infinity
  return (error) => {
    if (clock.monotonic() - noted < noteEveryMs) return
    noted = clock.monotonic()
    log.error(faultFields(error), 'a provider could not say what it serves; it is passed over')
  }
}
