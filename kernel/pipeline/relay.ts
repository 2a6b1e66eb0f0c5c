/**
 * Runs one request down the line. Before a hold exists refusals are thrown; from then on every outcome is a value, and
 * whatever throws all the same, settling is reached. The relay awaits its own promise, never the client's connection.
 */

import type { ClientError } from '../contract/format.js'
import type { Clock, Log } from '../contract/kit.js'
import type { AttemptTrace } from '../contract/line/attempt.js'
import type { Delivery, Settling } from '../contract/line/delivery.js'
import type { Admitted, Planned, Received } from '../contract/line/record.js'
import type { Stages } from '../contract/line/stages.js'
import type { Counter } from '../http/traffic.js'
import { answerError, toClientError } from '../toolkit/errors/outcome.js'
import { faultFields } from '../toolkit/errors/plugin-fault.js'
import { clientError } from '../toolkit/errors/refusal.js'
import type { LineOrder } from '../toolkit/stage/line.js'
import { markRequest } from '../toolkit/stage/times.js'
import { type AttemptRun, attemptLoop, traceOf } from './attempt.js'
import type { Deliver } from './deliver.js'
import { beginRecord, grow } from './record.js'

export type Relay = (received: Received) => Promise<void>

type Reporting = Pick<RelayDependencies, 'log' | 'traffic'>

export interface RelayDependencies {
  readonly order: LineOrder
  readonly stages: Stages
  readonly deliver: Deliver
  readonly log: Log
  readonly clock: Pick<Clock, 'now'>
  readonly traffic?: Pick<Counter, 'settled' | 'failed'>
}

/** Settles at the first call; every later one returns the same. */
type SettleOnce = (settling: Settling) => Promise<void>

export function createRelay({
  order,
  stages,
  deliver,
  log,
  clock,
  traffic,
}: RelayDependencies): Relay {
  const plan = planRun(order, stages, clock)
  const settle = stages[order.settle as 'settle']
  const attempts = attemptLoop(order, stages, { log, clock })
  const reporting: Reporting = { log, traffic }

  return async function relay(received) {
    const record = beginRecord(received)
    const planned = await plan(record).catch((error) => refuse(record, error, reporting))
    if (planned === undefined) return
    const { requestId } = planned
    let settling: Settling = { kind: 'abandoned', state: planned, outcome: 'failed', attempts: [] }
    let settled: Promise<void> | undefined
    const settleOnce: SettleOnce = (known) => {
      settled ??= run(known)
      return settled
    }
    try {
      settling = await finish(await attempts(planned), deliver, settleOnce, reporting)
    } catch (error) {
      log.error({ err: error, requestId }, 'the line failed unexpectedly')
    } finally {
      await settleOnce(settling).then(
        () => count(settling, reporting),
        (err) => log.error({ err, requestId }, 'settlement failed: the hold is still open'),
      )
    }
  }

  async function run(settling: Settling): Promise<void> {
    await settle.run(settling)
  }
}

function planRun(order: LineOrder, stages: Stages, clock: Pick<Clock, 'now'>) {
  const [first, second] = order.plan
  const admit = stages[first as 'auth']
  const plan = stages[second as 'route-plan']
  return async (record: Received): Promise<Planned> => {
    const { times, receivedAt } = record
    markRequest(times, 0, clock.now() - receivedAt)
    const identified = admit.run(record)
    const admitted = grow(record, identified instanceof Promise ? await identified : identified)
    markRequest(times, 1, clock.now() - receivedAt)
    const route = plan.run(admitted)
    const planned = grow(admitted, route instanceof Promise ? await route : route)
    markRequest(times, 2, clock.now() - receivedAt)
    return planned
  }
}

/** Delivers what was opened, or sends the client the reason; either way there is something to settle. */
async function finish(
  end: AttemptRun,
  deliver: Deliver,
  settle: SettleOnce,
  reporting: Reporting,
): Promise<Settling> {
  const { attempts } = end
  if (end.kind === 'opened') {
    const { state } = end
    const of = (delivery: Delivery) => ({ kind: 'delivered', state, delivery, attempts }) as const
    const commit = state.settleFirst ? (delivery: Delivery) => settle(of(delivery)) : undefined
    return of(await deliver(state, commit))
  }
  const { state } = end
  const outcome = state.sink.gone ? 'clientGone' : attempts.length > 0 ? 'failed' : 'refused'
  try {
    answerFailure(end, reporting)
  } catch (err) {
    reporting.log.error(
      { err, requestId: state.requestId },
      'telling the client of a failure failed',
    )
  }
  return { kind: 'abandoned', state, outcome, attempts }
}

function answerFailure(end: AttemptRun & { kind: 'failed' }, { log, traffic }: Reporting): void {
  const { failure, attempts, state } = end
  log.debug({ requestId: state.requestId, failure, attempts }, 'request failed')
  // Rows of the usage log are for people, and may be switched off or too many: this line shows where each request went.
  if (attempts.length > 0) state.sink.note({ tried: attempts.map(triedWords) })
  const clientFault = toClientError(failure, end.statusCodeMapping)
  answerError(state, withLimits(state, clientFault))
  if (!state.sink.gone) traffic?.failed({ state, clientError: clientFault, attempts })
}

/** What the failure itself states goes before. */
function withLimits({ keyUse, hold }: Planned, error: ClientError): ClientError {
  if (keyUse === undefined) return error
  return { ...error, headers: { ...keyUse.headers(hold), ...error.headers } }
}

function count(settling: Settling, { log, traffic }: Reporting): void {
  try {
    traffic?.settled(settling)
    if (settling.kind === 'delivered') reportBroken(settling, traffic)
  } catch (err) {
    log.error({ err, requestId: settling.state.requestId }, 'counting a settled request failed')
  }
}

/** What broke off before anything billable came is no charge: it is reported as an error. */
function reportBroken(
  { state, delivery, attempts }: Settling & { kind: 'delivered' },
  traffic: Reporting['traffic'],
): void {
  const { failure, delivered } = delivery
  if (failure === undefined || delivered) return
  const tried = [...attempts, traceOf(state, failure)]
  traffic?.failed({ state, clientError: toClientError(failure), attempts: tried })
}

function triedWords({ channelId, group, failure }: AttemptTrace): string {
  return `${channelId} ${group} ${failure.status}`
}

function refuse(record: Received, error: unknown, { log, traffic }: Reporting): undefined {
  const clientFault = clientError(error)
  if (clientFault.code === 'internal_error') {
    const fields = { ...faultFields(error), requestId: record.requestId }
    log.error(fields, 'a stage before the hold failed')
  }
  answerError(record, clientFault)
  if (isAdmitted(record) && !record.sink.gone) {
    traffic?.failed({ state: record, clientError: clientFault, attempts: [] })
  }
  return undefined
}

function isAdmitted(record: Received & Partial<Admitted>): record is Admitted {
  return record.user !== undefined
}
