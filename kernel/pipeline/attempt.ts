/**
 * The one loop: tries channels until one opens. Every round starts from the planned record with what the loop has
 * learned; what survives a failed round on purpose is the request's Hold.
 */
import type {
  Attempt,
  AttemptTrace,
  Failed,
  Opened,
  Picked,
  Planned,
  Stage,
  Stages,
} from '../contract/exchange.js'
import type { Failure } from '../contract/failure.js'
import type { Log } from '../contract/kit.js'
import { Refusal } from '../errors.js'
import { limits } from '../limits.js'
import type { LineOrder } from './line.js'
import { failureOf } from './outcome.js'
import { branch, grow } from './record.js'

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

type AnyStage = Stage<Attempt, object | Failed>

export function attemptLoop(order: LineOrder, stages: Stages, log: Log) {
  const chain = order.attempt.map((name) => stages[name] as unknown as AnyStage)

  return async function attempts(planned: Planned): Promise<AttemptRun> {
    const traces: AttemptTrace[] = []
    const excluded = new Set<number>()
    let last: { failure: Failure; mapping: Readonly<Record<string, number>> } | undefined
    let position = 0
    let triesInGroup = 0

    for (let number = 1; number <= limits.attemptsMax; number++) {
      const learned = { number, excluded, lastFailure: last?.failure, position }
      const { picked, end } = await round(grow(branch(planned), learned), chain, log)
      if (!('failure' in end)) return { kind: 'opened', state: end, attempts: traces }
      if (picked === undefined)
        return failed(planned, last ?? { failure: end.failure, mapping: {} }, traces)

      const { failure } = end
      traces.push({ channelId: picked.channel.id, group: picked.group, failure })
      excluded.add(picked.channel.id)
      last = { failure, mapping: picked.channel.statusCodeMapping }
      if (!end.retry || planned.sink.gone) break

      triesInGroup = picked.position === position ? triesInGroup + 1 : 1
      position = picked.position
      if (triesInGroup > limits.retriesPerGroup) {
        position += 1
        triesInGroup = 0
      }
    }
    return failed(planned, last!, traces)
  }
}

async function round(state: Attempt, chain: readonly AnyStage[], log: Log): Promise<Round> {
  let picked: Picked | undefined
  try {
    for (const stage of chain) {
      const answer = stage.run(state)
      // Most stages answer at once; waiting for them all the same would cost a turn each.
      const next = answer instanceof Promise ? await answer : answer
      if (isFailed(next)) return { picked, end: next }
      grow(state, next)
      // From the first stage on the record knows its channel.
      picked ??= state as Picked
    }
  } catch (error) {
    return { picked, end: thrown(error, state, log) }
  }
  return { picked, end: state as Opened }
}

function isFailed(outcome: object): outcome is Failed {
  return 'failure' in outcome
}

/** Stages throw refusals as readily as they answer failures; neither leaves the loop as an exception. */
function thrown(error: unknown, state: Attempt, log: Log): Failed {
  if (error instanceof Refusal) return { failure: failureOf(error), retry: false }
  log.error({ err: error, requestId: state.requestId }, 'a stage failed unexpectedly')
  return { failure: failureOf(new Refusal('internal_error')), retry: false }
}

function failed(
  state: Planned,
  last: { failure: Failure; mapping: Readonly<Record<string, number>> },
  attempts: readonly AttemptTrace[],
): AttemptRun {
  return { kind: 'failed', state, failure: last.failure, statusCodeMapping: last.mapping, attempts }
}
