/**
 * The one loop: tries channels until one opens. Every round starts from the planned record with what the loop has
 * learned; what survives a failed round on purpose is the request's Hold. Which channel comes next, and whether any
 * does, is the picking stage's business.
 */

import type { Usage } from '../contract/event.js'
import type { Failure } from '../contract/failure.js'
import type { Clock, Log } from '../contract/kit.js'
import type { AttemptTrace, Failed } from '../contract/line/attempt.js'
import type { Attempt, Mapped, Opened, Picked, Planned } from '../contract/line/record.js'
import type { Stage, Stages } from '../contract/line/stages.js'
import { failureOf, isFailed } from '../toolkit/errors/outcome.js'
import { faultFields, internalFailure, PluginFault } from '../toolkit/errors/plugin-fault.js'
import { Refusal } from '../toolkit/errors/refusal.js'
import { limits } from '../toolkit/limits/limits.js'
import type { LineOrder } from '../toolkit/stage/line.js'
import { addTry, markTry } from '../toolkit/stage/times.js'
import { closeCodes } from './close-codes.js'
import { branch, grow } from './record.js'
import { createRetryBudget, type RequestShare } from './retry-budget.js'

export type AttemptRun =
  | { readonly kind: 'opened'; readonly state: Opened; readonly attempts: readonly AttemptTrace[] }
  | {
      readonly kind: 'failed'
      readonly state: Planned
      readonly failure: Failure
      /** Of the channel whose failure this is; empty when no channel was reached. */
      readonly statusCodeMapping: Readonly<Record<string, number>>
      readonly attempts: readonly AttemptTrace[]
    }

/** What one round came to: how far it got, and how it ended. */
interface Round {
  readonly picked: Picked | undefined
  readonly end: Opened | Failed
}

/** The error sent to the client if no further attempt succeeds. */
interface MappedFailure {
  readonly failure: Failure
  readonly mapping: Readonly<Record<string, number>>
}

type AnyStage = Stage<Attempt, object | Failed>

interface LoopParts {
  readonly log: Log
  readonly clock: Pick<Clock, 'now'>
}

export function attemptLoop(order: LineOrder, stages: Stages, { log, clock }: LoopParts) {
  const chain = order.attempt.map((name) => stages[name] as unknown as AnyStage)
  const budget = createRetryBudget()

  return async function attempts(planned: Planned): Promise<AttemptRun> {
    const share = budget.begin()
    try {
      return await tryAll(planned, share)
    } finally {
      share.end()
    }
  }

  async function tryAll(planned: Planned, share: RequestShare): Promise<AttemptRun> {
    const tried: AttemptTrace[] = []
    let last: MappedFailure | undefined

    const { times, receivedAt } = planned

    for (let number = 1; number <= limits.attemptsMax; number++) {
      addTry(times, number)
      markTry(times, number, 0, clock.now() - receivedAt)
      const { picked, end } = await round(grow(branch(planned), { number, tried }), chain, log)
      const failure = 'failure' in end ? end.failure : undefined
      if (picked !== undefined) endClaim(picked, failure)
      if (!('failure' in end)) {
        markTry(times, number, 4, end.firstMs)
        return { kind: 'opened', state: end, attempts: tried }
      }
      if (picked === undefined)
        return failed(planned, last ?? { failure: end.failure, mapping: {} }, tried)

      markTry(times, number, 4, clock.now() - receivedAt)
      tried.push(traceOf(picked, end.failure, end.usage))
      last = { failure: end.failure, mapping: picked.channel.statusCodeMapping }
      if (!end.retry || planned.sink.gone || !share.retry()) break
    }
    return failed(planned, last!, tried)
  }

  /** What the watch over a channel cannot take in is no reason to lose an answer, or its charge. */
  function endClaim({ claim, requestId }: Picked, failure: Failure | undefined): void {
    try {
      claim.ended(failure)
    } catch (err) {
      log.error({ err, requestId }, 'noting how a try ended failed')
    }
  }
}

/** The line of the chain that a failed try leaves. */
export function traceOf(
  picked: Picked & Partial<Mapped>,
  failure: Failure,
  usage?: Usage,
): AttemptTrace {
  const { channel, keyId, group, position, upstreamModel = picked.model } = picked
  const trace = { channelId: channel.id, keyId, group, position, failure }
  if (usage === undefined) return trace
  return { ...trace, spent: { usage, upstreamModel, terms: channel.costTerms } }
}

async function round(state: Attempt, chain: readonly AnyStage[], log: Log): Promise<Round> {
  try {
    for (const stage of chain) {
      const answer = stage.run(state)
      // Most stages answer at once; waiting for them all the same would cost a turn each.
      const next = answer instanceof Promise ? await answer : answer
      if (isFailed(next)) return { picked: pickedOf(state), end: next }
      grow(state, next)
    }
  } catch (error) {
    letGo(state, log)
    const end = thrown(error, state, log)
    const usage = reportedIn(state)
    return { picked: pickedOf(state), end: usage === undefined ? end : { ...end, usage } }
  }
  return { picked: pickedOf(state), end: state as Opened }
}

/** From the first stage on the record knows its channel. */
function pickedOf(state: Attempt & Partial<Picked>): Picked | undefined {
  return state.claim === undefined ? undefined : (state as Picked)
}

/** An answer in one piece has cost what it reports, though it is refused. */
function reportedIn({ reply }: Attempt & Partial<Opened>): Usage | undefined {
  return reply?.kind === 'json' ? reply.usage : undefined
}

/** A guard refused what the upstream has begun to answer already (S8). */
export function letGo({ reply, requestId }: Attempt & Partial<Opened>, log: Log): void {
  try {
    if (reply?.kind === 'events') reply.source.abort()
    else if (reply?.kind === 'socket') reply.socket.close(closeCodes.goingAway, '')
  } catch (err) {
    log.error({ err, requestId }, 'ending the call to an upstream failed')
  }
}

/** Stages throw refusals as readily as they answer failures; neither leaves the loop as an exception. */
function thrown(error: unknown, state: Attempt, log: Log): Failed {
  if (error instanceof Refusal) return { failure: failureOf(error), retry: isChannels(error) }
  const fields = { ...faultFields(error), requestId: state.requestId }
  log.error(fields, 'a stage failed unexpectedly')
  return { failure: internalFailure(), retry: isProviders(error) }
}

/** It is this channel that cannot take the request: another may. */
function isChannels({ code }: Refusal): boolean {
  return code === 'not_expressible' || code.startsWith('channel:')
}

/** A guard that fails is not passed by on another channel, and what is wrong with a stage is wrong with all of them. */
function isProviders(error: unknown): boolean {
  return error instanceof PluginFault && /^(?:provider|task)\./.test(error.plugin)
}

function failed(
  state: Planned,
  last: MappedFailure,
  attempts: readonly AttemptTrace[],
): AttemptRun {
  return { kind: 'failed', state, failure: last.failure, statusCodeMapping: last.mapping, attempts }
}
