/**
 * The call to the upstream, until its first content is certain: address, time limits, a client that leaves, errors as
 * values. What comes back has not touched the client yet, so a failure here may still move to the next channel.
 */

import type { Failure } from '../../../kernel/contract/failure.js'
import type { Failed } from '../../../kernel/contract/line/attempt.js'
import type { Opened, Reserved } from '../../../kernel/contract/line/record.js'
import type { Added, Stages } from '../../../kernel/contract/line/stages.js'
import type { Credentials } from '../../../kernel/contract/provider.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import type { DisconnectOptions } from '../../../kernel/contract/services/disconnect-policy.js'
import type { Cancel } from '../../../kernel/contract/services/egress.js'
import {
  failureOf,
  faultFields,
  maskedFailure,
  Refusal,
  secretsOfCall,
} from '../../../kernel/toolkit/errors/index.js'
import { limits } from '../../../kernel/toolkit/limits/index.js'
import { isFolded, isTask, markTry } from '../../../kernel/toolkit/stage/index.js'
import type { Authorized } from '../../services/credentials/index.js'
import {
  addressed,
  type Caller,
  contextOf,
  exchange,
  outgoing,
  type UpstreamKit,
} from './exchange.js'
import { FailureError, failureFrom, timeout } from './failure-error.js'
import { openFolded, unfinished } from './folded.js'
import { openReply } from './open.js'
import { openParts } from './parts.js'
import { prepared } from './prepare.js'
import { retryRule } from './retry-rule.js'
import { openSocket } from './socket.js'
import { isDoubtful, isLeftInDoubt } from './task.js'
import { Verdict } from './verdict.js'

/** `UpstreamKit`, spelled out for the check of manifests. */
type StageKit = Kit<
  'egress' | 'disconnects' | 'system' | 'credentials' | 'providers' | 'options' | 'tasks'
>

type Opening = Added<Opened, Reserved>

export default function create(kit: StageKit): Stages['upstream'] {
  const retries = retryRule(kit)
  return {
    async run(state) {
      markTry(state.times, state.number, 1, kit.clock.now() - state.receivedAt)
      const cancel: Cancel = {}
      const held = state.room?.held ?? 0
      const verdict = new Verdict<Opening>(() => cancel.abort?.())
      const goesOn = isTask(state)
      const sent: Sent = {}
      const watching = (policy: DisconnectOptions['policy']) =>
        kit.services.disconnects.watch({
          sink: state.sink,
          policy,
          end: (reason) => verdict.fail(endedBy(reason)),
        })
      // An upstream that was sent a task goes on with it, whoever left.
      const policy = goesOn ? 'drain' : state.channel.onClientGone
      // Nothing costs anything before the call itself, so nobody who left is waited for.
      let watch = watching(state.adapter.prepare === undefined ? policy : 'abort')
      const begun = () => {
        sent.begun = true
        if (state.adapter.prepare === undefined || verdict.over) return
        watch.release()
        watch = watching(policy)
      }
      const cancelLimits = limitsOf(state, kit, verdict)
      // Nothing is sent for a client that left while its request was made ready: nobody would have to pay for it.
      if (state.sink.gone) verdict.fail(endedBy('clientGone'))
      if (!verdict.over) begin(state, kit, { cancel, verdict, sent, begun })
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
        const mayBeElsewhere = goesOn && sent.begun === true && isDoubtful(failure, error)
        const stays = mayBeElsewhere && (await isLeftInDoubt(state, failure, kit))
        if (isFolded(state) && !stays) await notTaken(state, failure, kit)
        const retry = !stays && retries(failure)
        const usage = error instanceof FailureError ? error.usage : undefined
        return usage === undefined ? { failure, retry } : { failure, retry, usage }
      } finally {
        watch.release()
        cancelLimits()
      }
    },
  }
}

interface Sent {
  /** The call of the operation itself, after all that goes before it. */
  begun?: true
  /** The id of a task that is watched within the request. */
  task?: string
}

interface Call {
  readonly cancel: Cancel
  readonly verdict: Verdict<Opening>
  readonly sent: Sent
  /** The call of the operation itself is next. */
  begun(): void
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
    (error) => verdict.fail(failureFrom(error), error),
  )
}

async function call(
  given: Reserved,
  kit: UpstreamKit,
  { cancel, verdict, sent, begun }: Call,
): Promise<Opening> {
  const credentials = await authorized(given, kit)
  if (given.work?.session !== undefined) return socketCall(given, kit, credentials, cancel, verdict)
  const caller: Caller = { kit, credentials, isOver: () => verdict.over }
  const state = given.adapter.prepare ? await prepared(given, caller, cancel) : given
  begun()
  const { adapter, wire, work } = state
  const parts = work?.joined && adapter.split?.(wire, state.upstreamModel)
  const opened =
    parts !== undefined && parts.length > 1
      ? await openParts(state, parts, caller, cancel)
      : await openOne(state, caller, cancel, sent)
  return { reply: opened, firstMs: kit.clock.now() - state.receivedAt }
}

async function openOne(
  state: Reserved,
  caller: Caller,
  cancel: Cancel,
  sent: Sent,
): Promise<Opened['reply']> {
  const { kit } = caller
  const reply = await exchange(state, caller, cancel)
  if (!isFolded(state)) return openReply(state, reply, { ...kit, cancel })
  return openFolded(state, reply, {
    ...{ tasks: kit.services.tasks, clock: kit.clock, cancel },
    ...{
      egress: kit.services.egress,
      relayTimeoutMs: kit.services.system.environment.relayTimeoutMs,
    },
    accepted: ({ taskId }) => {
      sent.task = taskId
    },
  })
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
    translator: () => adapter.frames?.(channel, contextOf(state, kit)),
  })
  return { reply, firstMs: kit.clock.now() - state.receivedAt }
}

/** A provider that serves the operation but opens no sockets: another channel may. */
const unserved = { ...failureOf(new Refusal('api_not_implemented')), blame: 'channel' } as const

/** The longest an answer may take, and a stream until its first content; the answer cancels both. */
function limitsOf(state: Reserved, kit: UpstreamKit, verdict: Verdict<Opening>): () => void {
  const { clock, settings, services } = kit
  const totalMs = longestMs(state, services.system.environment)
  const expire = (limit: string) => () => verdict.fail(timeout(limit).failure)
  const cancelTotal = totalMs === 0 ? undefined : clock.after(totalMs, expire('total time'))
  if (!state.stream) return () => cancelTotal?.()
  const firstMs = state.channel.firstContentMs ?? settings.number('firstContentSeconds') * 1000
  const cancelFirst = clock.after(firstMs, expire('first content'))
  return () => {
    cancelTotal?.()
    cancelFirst()
  }
}

/** 0: no limit. Whoever counts tokens is given an estimate after it, and the call would go on for nobody. */
function longestMs(
  { operation }: Reserved,
  { relayTimeoutMs }: UpstreamKit['services']['system']['environment'],
): number {
  if (operation !== 'count') return relayTimeoutMs
  return relayTimeoutMs === 0 ? limits.countMs : Math.min(relayTimeoutMs, limits.countMs)
}

function endedBy(reason: 'clientGone' | 'stopping'): Failure {
  return failureOf(new Refusal(reason === 'stopping' ? 'shutting_down' : 'client_gone'))
}
