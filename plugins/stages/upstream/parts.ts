/** A request that is sent in several calls, since the upstream takes less at once, and their answers as one (`Adapter.split`). */
import type { Body } from '../../../kernel/contract/body.js'
import type { Usage } from '../../../kernel/contract/event.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Reserved } from '../../../kernel/contract/line/record.js'
import type { JsonReply } from '../../../kernel/contract/line/reply.js'
import type { Cancel, EgressReply } from '../../../kernel/contract/services/egress.js'
import { notExpressible } from '../../../kernel/toolkit/errors/index.js'
import { limits } from '../../../kernel/toolkit/limits/index.js'
import { hasEachVector } from '../../../kernel/toolkit/operation/index.js'
import { abortAll } from './abort-all.js'
import { type Caller, exchange } from './exchange.js'
import { garbledReply, reporting } from './failure-error.js'
import { answerOf, replyOf, requestedOf } from './operation.js'

/** The first call that fails ends the others: what is missing of an answer cannot be charged. */
export async function openParts(
  state: Reserved,
  parts: readonly Body[],
  caller: Caller,
  cancel: Cancel,
): Promise<JsonReply> {
  if (parts.length > limits.splitCallsMax) throw notExpressible('input')
  const running = new Set<Cancel>()
  cancel.abort = () => abortAll(running)
  const answers: JsonObject[] = []
  let first: EgressReply | undefined
  let next = 0

  async function sendNext(): Promise<void> {
    while (next < parts.length && !caller.isOver()) {
      const at = next++
      const own: Cancel = {}
      running.add(own)
      const part = { ...state, wire: parts[at]! }
      const reply = await exchange(part, caller, own)
      answers[at] = await answerOf(part, reply)
      if (state.adapter.shape === undefined) checkNumber(answers[at], part.wire)
      if (at === 0) first = reply
      running.delete(own)
    }
  }

  try {
    await Promise.all(Array.from({ length: limits.splitCallsAtOnce }, sendNext))
  } catch (error) {
    next = parts.length
    abortAll(running)
    throw reporting(error, usageOf(state, answers))
  }
  const value = state.work!.joined!(answers)
  try {
    checkNumber(value, requestedOf(state))
  } catch (error) {
    throw reporting(error, usageOf(state, answers))
  }
  const { services, clock } = caller.kit
  return replyOf(state, first!, { value }, { egress: services.egress, clock, cancel })
}

/** Of the calls that were answered. */
function usageOf(state: Reserved, answers: readonly JsonObject[]): Usage | undefined {
  const answered = answers.filter((answer) => answer !== undefined)
  if (answered.length === 0) return undefined
  return state.work!.readReply(state.work!.joined!(answered), requestedOf(state)).usage
}

function checkNumber(answer: JsonObject, requested: Body): void {
  if (hasEachVector(answer, requested)) return
  throw garbledReply('it sent another number of results than was asked for.')
}
