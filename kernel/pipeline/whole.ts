/**
 * An answer in one piece. What it costs is known before any of it goes out: where the hold does not cover that, it is
 * raised first, and an answer that cannot be covered is not delivered (decision 0035).
 */
import type { Delivery } from '../contract/line/delivery.js'
import type { Opened } from '../contract/line/record.js'
import type { JsonReply } from '../contract/line/reply.js'
import { answerError, failureOf, midwayFailure, toClientError } from '../toolkit/errors/outcome.js'
import { Refusal, type RefusalCode } from '../toolkit/errors/refusal.js'
import {
  type Commit,
  type DeliveryDependencies,
  guarded,
  limitHeaders,
  undelivered,
  withLost,
} from './delivery.js'
import { type Extended, HoldExtension } from './hold-extension.js'
import { finalUsage } from './usage.js'

interface Answer {
  readonly state: Opened
  readonly reply: JsonReply
  readonly parts: DeliveryDependencies
  readonly commit: Commit | undefined
  readonly quota: bigint
  /** What there is to settle once the answer is handed over. */
  readonly delivery: Delivery
}

export function deliverWhole(
  state: Opened,
  reply: JsonReply,
  dependencies: DeliveryDependencies,
  commit: Commit | undefined,
): Delivery | Promise<Delivery> {
  const { price, hold } = state
  const { gone } = state.sink
  const counted = finalUsage({
    reported: reply.usage,
    estimatedTokens: reply.estimatedTokens,
    estimate: state.estimate,
    outgoing: state,
  })
  // Without a client, only what the upstream itself counted was consumed for certain (M9, M10).
  const delivered = !gone || reply.usage !== undefined
  const quota = delivered ? price.cost(counted.usage) : 0n
  const end = gone ? 'clientGone' : 'complete'
  const { raw } = reply
  const delivery = { raw, end, delivered, quota, ...counted } as const
  const answer: Answer = { state, reply, parts: dependencies, commit, quota, delivery }
  return quota > hold.covered ? raised(answer) : handOver(answer)
}

async function raised(answer: Answer): Promise<Delivery> {
  const { state, parts, quota, delivery } = answer
  const verdict = await new HoldExtension(state, parts.clock).to(quota)
  if (verdict === 'ok') return handOver(answer)
  const failure =
    verdict === 'unavailable'
      ? failureOf(new Refusal('database_unavailable'))
      : midwayFailure(refusals[verdict])
  guarded(state, parts, () => answerError(state, toClientError(failure)))
  if (verdict === 'unavailable') return { ...undelivered, failure }
  // The upstream has done its work at the client's word: what was set aside for it pays for it, and nothing beyond.
  const end = verdict === 'gone' ? 'cut' : 'outOfFunds'
  return { ...delivery, end, quota: state.hold.covered, delivered: true, failure }
}

const refusals = {
  short: 'insufficient_user_quota',
  shortToken: 'pre_consume_token_quota_failed',
  shortBudget: 'pre_consume_token_quota_failed',
  gone: 'token_disabled',
} as const satisfies Record<Exclude<Extended, 'ok' | 'unavailable'>, RefusalCode>

function handOver(answer: Answer): Delivery | Promise<Delivery> {
  const { commit, delivery } = answer
  return commit !== undefined && delivery.delivered ? committed(answer, commit) : sent(answer)
}

async function committed(answer: Answer, commit: Commit): Promise<Delivery> {
  const { state, parts, delivery } = answer
  try {
    await commit(delivery)
  } catch (error) {
    const failure = error instanceof Refusal ? failureOf(error) : midwayFailure('internal_error')
    guarded(state, parts, () => answerError(state, toClientError(failure)))
    return { ...delivery, failure }
  }
  return sent(answer)
}

function sent({ state, reply, parts, delivery }: Answer): Delivery {
  // Before the client can ask again.
  guarded(state, parts, () => parts.answers.keep(state, reply.answer))
  const headers = withLost(state, reply.headers)
  state.sink.send(reply.status, headers, reply.bytes, limitHeaders(state))
  return delivery
}
