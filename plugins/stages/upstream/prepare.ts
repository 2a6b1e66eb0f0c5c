/**
 * What has to be at the upstream before the call, e.g. files that are uploaded (`Adapter.prepare`). All of it together may take as long
 * as an upstream may take to answer.
 */
import type { Reserved } from '../../../kernel/contract/line/record.js'
import type { Cancel } from '../../../kernel/contract/services/egress.js'
import { EgressError, failureOf, Refusal, timedOut } from '../../../kernel/toolkit/errors/index.js'
import { limits } from '../../../kernel/toolkit/limits/index.js'
import type { Caller } from './exchange.js'
import { brokenReply, FailureError } from './failure-error.js'
import { PreparingCalls } from './preparing-calls.js'

export async function prepared(state: Reserved, caller: Caller, cancel: Cancel): Promise<Reserved> {
  const { adapter, channel, wire, upstreamModel: model } = state
  const { credentials, kit, isOver } = caller
  const calls = new PreparingCalls(state, kit)
  const longestMs = kit.services.system.environment.relayTimeoutMs || limits.headersMs
  const cancelLimit = kit.clock.after(longestMs, () => calls.end(timedOut()))
  cancel.abort = () => calls.end(cancelled())
  try {
    const result = await adapter.prepare!(wire, channel, credentials, {
      ...{ now: kit.clock.now(), model, fetch: (request) => calls.fetch(request) },
    })
    if ('failure' in result) throw new FailureError(result.failure)
    if (isOver()) throw brokenReply('upstream_broke_off')
    return { ...state, wire: result }
  } finally {
    cancelLimit()
    calls.end(cancelled())
  }
}

/** Nobody waits for the call any more. */
function cancelled(): EgressError {
  return new EgressError(failureOf(new Refusal('client_gone')))
}
