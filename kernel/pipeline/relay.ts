/**
 * Runs one request down the line. Before a hold exists refusals are thrown; from then on every outcome is a value,
 * so that settling is always reached. The relay awaits its own promise, never the client's connection.
 */
import type { AttemptTrace, Planned, Received, Settling, Stages } from '../contract/exchange.js'
import type { ClientError } from '../contract/format.js'
import type { Log } from '../contract/kit.js'
import { clientError } from '../errors.js'
import type { Counter } from '../http/traffic.js'
import { type AttemptRun, attemptLoop } from './attempt.js'
import type { Deliver } from './deliver.js'
import type { LineOrder } from './line.js'
import { toClientError } from './outcome.js'
import { beginRecord, grow } from './record.js'

export type Relay = (received: Received) => Promise<void>

export interface RelayParts {
  readonly order: LineOrder
  readonly stages: Stages
  readonly deliver: Deliver
  readonly log: Log
  readonly traffic?: Pick<Counter, 'settled'>
}

export function createRelay({ order, stages, deliver, log, traffic }: RelayParts): Relay {
  const plan = planRun(order, stages)
  const settle = stages[order.settle as 'settle']
  const attempts = attemptLoop(order, stages, log)

  return async function relay(received) {
    const planned = await plan(received).catch((error) => answerError(received, error, log))
    if (planned === undefined) return
    const settling = await finish(await attempts(planned), deliver, log)
    try {
      await settle.run(settling)
      traffic?.settled(settling)
    } catch (error) {
      log.error(
        { err: error, requestId: received.requestId },
        'settlement failed; the sweeper will close the hold',
      )
    }
  }
}

function planRun(order: LineOrder, stages: Stages) {
  const [first, second] = order.plan
  const admit = stages[first as 'auth']
  const plan = stages[second as 'route-plan']
  return async (received: Received): Promise<Planned> => {
    const record = beginRecord(received)
    const identified = admit.run(record)
    const admitted = grow(record, identified instanceof Promise ? await identified : identified)
    const route = plan.run(admitted)
    return grow(admitted, route instanceof Promise ? await route : route)
  }
}

/** Delivers what was opened, or tells the client why nothing was; either way there is something to settle. */
async function finish(end: AttemptRun, deliver: Deliver, log: Log): Promise<Settling> {
  const { attempts } = end
  if (end.kind === 'opened') {
    return { kind: 'delivered', state: end.state, delivery: await deliver(end.state), attempts }
  }
  answerFailure(end, log)
  const outcome = end.state.sink.gone ? 'clientGone' : attempts.length > 0 ? 'failed' : 'refused'
  return { kind: 'abandoned', state: end.state, outcome, attempts }
}

function answerFailure(end: AttemptRun & { kind: 'failed' }, log: Log): void {
  const { failure, attempts, state } = end
  log.debug({ requestId: state.requestId, failure, attempts }, 'request failed')
  // A request that cost nothing has no row in the usage log: this line tells where it went.
  if (attempts.length > 0) state.sink.note({ tried: attempts.map(triedWords) })
  answer(state, toClientError(failure, end.statusCodeMapping))
}

function triedWords({ channelId, group, failure }: AttemptTrace): string {
  return `${channelId} ${group} ${failure.status}`
}

function answerError(received: Received, error: unknown, log: Log): undefined {
  const told = clientError(error)
  if (told.code === 'internal_error') {
    log.error({ err: error, requestId: received.requestId }, 'a stage before the hold failed')
  }
  answer(received, told)
  return undefined
}

function answer({ format, sink }: Received, error: ClientError): void {
  const { status, body } = format.encodeError(error)
  sink.note({ code: error.code })
  const headers = { ...error.headers, 'content-type': 'application/json' }
  sink.send(status, headers, JSON.stringify(body))
}
