/**
 * The call to the upstream, until its first content is certain: address, time limits, a client that leaves, errors as
 * values. What comes back has not touched the client yet, so a failure here may still move to the next channel.
 */

import type { Failure } from '../../../kernel/contract/failure.js'
import type { Failed } from '../../../kernel/contract/line/attempt.js'
import type { Opened, Reserved } from '../../../kernel/contract/line/record.js'
import type { Added, Stages } from '../../../kernel/contract/line/stages.js'
import type { AddressContext, Credentials } from '../../../kernel/contract/provider.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import type { Cancel, EgressReply } from '../../../kernel/contract/services/egress.js'
import { bytesOf, formBytes, readHead } from '../../../kernel/toolkit/body/index.js'
import {
  failureOf,
  faultFields,
  maskedBody,
  maskedFailure,
  PluginFault,
  Refusal,
  secretsOfCall,
} from '../../../kernel/toolkit/errors/index.js'
import { holdsTooMuch } from '../../../kernel/toolkit/json/index.js'
import { limits } from '../../../kernel/toolkit/limits/index.js'
import { mayReach } from '../../../kernel/toolkit/service/index.js'
import { isFolded, isTask } from '../../../kernel/toolkit/stage/index.js'
import type { Authorized } from '../../services/credentials/index.js'
import { brokenReply, FailureError, failureFrom, timeout } from './failure-error.js'
import { openFolded, unfinished } from './folded.js'
import { openReply } from './open.js'
import { retryRule } from './retry-rule.js'
import { openSocket } from './socket.js'
import { isDoubtful, isLeftInDoubt } from './task.js'
import { Verdict } from './verdict.js'

type Opening = Added<Opened, Reserved>
type UpstreamKit = Kit<
  'egress' | 'disconnects' | 'system' | 'credentials' | 'providers' | 'options' | 'tasks'
>

export default function create(kit: UpstreamKit): Stages['upstream'] {
  const retries = retryRule(kit)
  return {
    async run(state) {
      const cancel: Cancel = {}
      const held = state.room?.held ?? 0
      const verdict = new Verdict<Opening>(() => cancel.abort?.())
      const goesOn = isTask(state)
      const sent: Sent = {}
      const watch = kit.services.disconnects.watch({
        sink: state.sink,
        // An upstream that was sent a task goes on with it, whoever left.
        policy: goesOn ? 'drain' : state.channel.onClientGone,
        end: (reason) => verdict.fail(endedBy(reason)),
      })
      const cancelLimits = limitsOf(state, kit, verdict)
      // Nothing is sent for a client that left while its request was made ready: nobody would have to pay for it.
      if (state.sink.gone) verdict.fail(endedBy('clientGone'))
      if (!verdict.over) begin(state, kit, { cancel, verdict, sent })
      try {
        return await verdict.reached
      } catch (error) {
        state.room?.keep(held)
        // The client receives it, so it goes no further with the credentials of the call in it.
        const failure = maskedFailure(failureFrom(error), ...secretsOfCall(state))
        const cause = error instanceof Error ? error.cause : undefined
        if (failure.code === 'internal_error' && cause !== undefined) {
          const fields = { ...faultFields(cause), requestId: state.requestId }
          kit.log.error(fields, 'upstream call failed')
        }
        if (sent.task !== undefined) return unretried(sent.task, failure)
        const mayBeElsewhere = goesOn && isDoubtful(failure, error)
        const stays = mayBeElsewhere && (await isLeftInDoubt(state, failure, kit))
        if (isFolded(state) && !stays) await notTaken(state, failure, kit)
        return { failure, retry: !stays && retries(failure) }
      } finally {
        watch.release()
        cancelLimits()
      }
    },
  }
}

/** What became of a task that is watched within the request. */
interface Sent {
  task?: string
}

interface Call {
  readonly cancel: Cancel
  readonly verdict: Verdict<Opening>
  readonly sent: Sent
}

/** It is with this upstream: a limit that ran out, or a client that left, leaves it there. */
function unretried(task: string, failure: Failure): Failed {
  const ranOut = failure.code === 'upstream_timeout'
  return { failure: ranOut ? unfinished(task) : failure, retry: false }
}

/** The next channel may answer at once, and then no task stands for the request. */
async function notTaken(state: Reserved, failure: Failure, { services, log }: UpstreamKit) {
  const { requestId } = state
  await services.tasks.line.refused(requestId, failure.message).catch((err: unknown) => {
    log.error({ err, requestId }, 'a task that was not accepted could not be noted')
  })
}

function begin(state: Reserved, kit: UpstreamKit, { verdict, ...rest }: Call): void {
  call(state, kit, { verdict, ...rest }).then(
    (opened) => verdict.pass(opened),
    (error) =>
      verdict.fail(failureFrom(error), error instanceof FailureError ? error.cause : error),
  )
}

async function call(
  state: Reserved,
  kit: UpstreamKit,
  { cancel, verdict, sent }: Call,
): Promise<Opening> {
  const { environment } = kit.services.system
  const credentials = await authorized(state, kit)
  if (state.work?.session !== undefined) return socketCall(state, kit, credentials, cancel, verdict)
  const { adapter, wire, channel } = state
  const { method, url, headers, body } = addressed(state, kit, (context) =>
    adapter.address(wire, channel, credentials, context),
  )
  if (isTask(state)) {
    await kit.services.tasks.line.sending(state)
    if (verdict.over) throw brokenReply('upstream_broke_off')
  }
  const form = wire.kind === 'form' && body === undefined ? formBytes(wire) : undefined
  const reply = await kit.services.egress.open({
    method,
    url,
    headers: outgoing(
      state,
      form === undefined ? headers : { ...headers, 'content-type': form.type },
    ),
    body: form?.bytes ?? body ?? serialised(state),
    namedBy: 'admin',
    headersTimeoutMs: environment.relayTimeoutMs || limits.headersMs,
    idleTimeoutMs: environment.streamingTimeoutMs,
    cancel,
    proxy: channel.proxy,
  })
  cancel.abort = () => reply.body.abort()
  if (verdict.over) {
    reply.body.abort()
    throw brokenReply('upstream_broke_off')
  }
  if (reply.status < 200 || reply.status > 299) {
    if (reply.status === 401 || reply.status === 403)
      kit.services.credentials.forget(channel, state.key)
    throw await refusedBy(state, reply)
  }
  const opened = isFolded(state)
    ? await openFolded(state, reply, {
        ...{ tasks: kit.services.tasks, clock: kit.clock, cancel },
        relayTimeoutMs: environment.relayTimeoutMs,
        accepted: ({ taskId }) => {
          sent.task = taskId
        },
      })
    : await openReply(state, reply, kit)
  return { reply: opened, firstMs: kit.clock.now() - state.receivedAt }
}

/** At once for most keys; waiting for them all the same would cost a turn each. */
function authorized(
  { channel, key }: Reserved,
  { services }: UpstreamKit,
): Credentials | Promise<Credentials> {
  const found = services.credentials.of(channel, key)
  return found instanceof Promise ? found.then(usable) : usable(found)
}

function usable(found: Authorized): Credentials {
  if ('failure' in found) throw new FailureError(found.failure)
  return found
}

async function socketCall(
  state: Reserved,
  kit: UpstreamKit,
  credentials: Credentials,
  cancel: Cancel,
  verdict: Verdict<Opening>,
): Promise<Opening> {
  const { adapter, channel, key } = state
  const { egress, system, credentials: exchanged } = kit.services
  if (adapter.socket === undefined) throw new FailureError(unserved)
  const request = addressed(state, kit, (context) => adapter.socket!(channel, credentials, context))
  const shaped = { ...request, headers: outgoing(state, request.headers), proxy: channel.proxy }
  const reply = await openSocket(state, shaped, {
    egress,
    clock: kit.clock,
    relayTimeoutMs: system.environment.relayTimeoutMs,
    cancel,
    over: () => verdict.over,
    forget: () => exchanged.forget(channel, key),
  })
  return { reply, firstMs: kit.clock.now() - state.receivedAt }
}

/** A provider that serves the operation but opens no sockets: another channel may. */
const unserved = { ...failureOf(new Refusal('api_not_implemented')), blame: 'channel' } as const

function addressed<Request extends { readonly url: string }>(
  state: Reserved,
  { services, clock }: UpstreamKit,
  make: (context: AddressContext) => Request,
): Request {
  const { channel, upstreamModel: model, stream } = state
  const client = state.format.name
  const forwarded = { headers: state.verbatim ? forwardable(state) : {} }
  const request = make({ now: clock.now(), forwarded, model, stream, client })
  if (
    !mayReach(
      request.url,
      channel.baseUrl,
      services.providers.hosts(channel.type, state.adapter.issuer),
      channel.settings,
    )
  ) {
    throw new FailureError(failureOf(new Refusal('channel:address_refused')))
  }
  return request
}

/** The client's own bytes where nothing was changed. What cannot be written as JSON was made by the adapter. */
function serialised({ wire, adapter }: Reserved): Buffer | string | undefined {
  if (wire.kind !== 'json') return undefined
  try {
    return bytesOf(wire)
  } catch (error) {
    const verb = adapter.encode ? 'encode' : adapter.shape ? 'shape' : 'adjust'
    throw new PluginFault(adapter.issuer ?? '', verb, error)
  }
}

/** Client headers reach an upstream only by the adapter's allow-list, and only where both speak one format (S13). */
function forwardable({ adapter, client }: Reserved): Record<string, string | undefined> {
  const headers: Record<string, string | undefined> = {}
  for (const name of adapter.forwards ?? []) {
    const value = client.headers[name]
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return headers
}

async function refusedBy(state: Reserved, reply: EgressReply): Promise<FailureError> {
  const head = await readHead(reply.body, limits.errorBodyBytesMax)
  // A status is enough where the text is too long to be read at once.
  const reported = holdsTooMuch(head) ? Buffer.alloc(0) : head
  const body = maskedBody(reported, ...secretsOfCall(state))
  return new FailureError(state.adapter.fail(reply.status, reply.headers, body))
}

/** The operator's headers over those of the provider; the signature was made without them. */
function outgoing(
  { headers: set }: Reserved,
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  if (set === undefined) return headers
  const merged: Record<string, string> = { ...headers }
  for (const name in set) {
    const value = set[name]
    if (typeof value === 'string') merged[name] = value
    else delete merged[name]
  }
  return merged
}

/** The longest an answer may take, and a stream until its first content; the answer cancels both. */
function limitsOf(state: Reserved, kit: UpstreamKit, verdict: Verdict<Opening>): () => void {
  const { clock, settings, services } = kit
  const { relayTimeoutMs } = services.system.environment
  const expire = (limit: string) => () => verdict.fail(timeout(limit).failure)
  const cancelTotal =
    relayTimeoutMs === 0 ? undefined : clock.after(relayTimeoutMs, expire('total time'))
  if (!state.stream) return () => cancelTotal?.()
  const firstMs = state.channel.firstContentMs ?? settings.number('firstContentSeconds') * 1000
  const cancelFirst = clock.after(firstMs, expire('first content'))
  return () => {
    cancelTotal?.()
    cancelFirst()
  }
}

function endedBy(reason: 'clientGone' | 'stopping'): Failure {
  return failureOf(new Refusal(reason === 'stopping' ? 'shutting_down' : 'client_gone'))
}
