/**
 * What the request cost, once: the price of the answering attempt over the final usage, with the log row (BILL-1). The
 * hold is closed first, and a fact that cannot be had never keeps it open; what the answer means for its channel comes
 * behind.
 */

import type { Failure } from '../../../kernel/contract/failure.js'
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import type { Log } from '../../../kernel/contract/kit.js'
import type { Settling } from '../../../kernel/contract/line/delivery.js'
import type { Closing } from '../../../kernel/contract/line/money.js'
import type { Stages } from '../../../kernel/contract/line/stages.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { failureOf, Refusal } from '../../../kernel/toolkit/errors/index.js'
import { attemptChain, upstreamRequestId } from '../../../kernel/toolkit/stage/index.js'
import { costsOf } from './upstream-costs.js'

type Settled = Extract<Settling, { readonly kind: 'delivered' }>

type SettleKit = Kit<'affinity' | 'health' | 'throttle' | 'tasks'>

export default function create({ clock, log, services }: SettleKit): Stages['settle'] {
  return {
    async run(settling) {
      const { state } = settling
      const { requestId } = state
      const charge = await state.hold.close(
        closingOf(settling, clock.now() - state.receivedAt, log),
      )
      if (charge.shortfall > 0n) {
        log.warn({ requestId, shortfall: charge.shortfall }, 'settled into debt')
      }
      if (state.work?.task === true && settling.kind === 'abandoned') {
        const last = settling.attempts.at(-1)?.failure.message ?? 'No channel took the task.'
        await services.tasks.line.refused(requestId, last).catch((err: unknown) => {
          log.error({ err, requestId }, 'a task that was not accepted could not be noted')
        })
      }
      if (state.keyUse !== undefined) attempted(log, settling, () => countTokens(settling))
      attempted(log, settling, () => learn(settling, services))
    },
  }
}

function countTokens(settling: Settling): void {
  settling.state.keyUse?.end(settling.kind === 'delivered' ? settling.delivery.usage : {})
}

/** What fails here is logged and goes without. */
function attempted<Result>(log: Log, { state }: Settling, run: () => Result): Result | undefined {
  try {
    return run()
  } catch (err) {
    log.error({ err, requestId: state.requestId }, 'settling went on without one of its facts')
    return undefined
  }
}
/** What the answer means for its channel, for the requests that come after it. */
function learn(settling: Settling, { affinity, health, throttle }: SettleKit['services']): void {
  if (settling.kind === 'abandoned') {
    const { affinity: tie } = settling.state
    if (tie?.channelId !== undefined && hasFailed(settling, tie.channelId)) {
      affinity.forget(tie, tie.channelId)
    }
    return
  }
  const { state, delivery } = settling
  const { channel, keyId, model, user, token } = state
  if (delivery.end === 'upstreamBroke') {
    health.broke(channel, keyId, model, delivery.failure ?? brokeOff)
    if (state.affinity !== undefined) affinity.forget(state.affinity, channel.id)
    return
  }
  throttle.succeeded({ userId: user.id, userGroup: user.group, tokenId: token?.id })
  if (state.affinity === undefined || !delivery.delivered) return
  const cachedTokens = delivery.usage.cacheRead ?? 0
  affinity.remember(state.affinity, { channelId: channel.id, cachedTokens })
}

function hasFailed({ attempts }: Settling, channelId: number): boolean {
  return attempts.some((attempt) => attempt.channelId === channelId && isItsOwn(attempt.failure))
}

/** What the gateway itself could not do, such as reach its database, proves nothing about the channel. */
function isItsOwn({ blame, code }: Failure): boolean {
  return blame !== 'client' && (code.startsWith('upstream_') || code.startsWith('channel:'))
}

const brokeOff = failureOf(new Refusal('upstream_broke_off'))

function closingOf(settling: Settling, durationMs: number, log: Log): Closing {
  const costs = attempted(log, settling, () => costsOf(settling)) ?? {}
  if (settling.kind === 'delivered') return deliveredClosing(settling, durationMs, costs, log)
  return {
    ...costs,
    quota: 0n,
    delivered: false,
    outcome: settling.outcome,
    usage: {},
    snapshot: {},
    durationMs,
    detail: attempted(log, settling, () => chainOf(settling)) ?? {},
  }
}

/** A price that cannot be computed is not guessed: what is unknown is not charged (ledger/README.md section 12). */
function deliveredClosing(
  settling: Settled,
  durationMs: number,
  { cost: upstreamCost, attemptCosts }: ReturnType<typeof costsOf>,
  log: Log,
): Closing {
  const { state, delivery } = settling
  const { usage, delivered } = delivery
  const cost = attempted(log, settling, () => costOf(settling))
  const quota = delivery.quota ?? cost ?? 0n
  const detail = attempted(log, settling, () => detailOf(settling)) ?? {}
  return {
    quota,
    delivered,
    outcome: delivery.end,
    usage: delivered ? usage : {},
    snapshot: attempted(log, settling, () => state.price.explain(usage)) ?? {},
    draft: state.draft,
    durationMs,
    detail: uncharged(detail, quota, cost),
    cost: upstreamCost,
    attemptCosts,
  }
}

function costOf({ state, delivery }: Settled): bigint {
  const { usage, quota, delivered, failure } = delivery
  if (!delivered) return 0n
  // What ended well is charged in full.
  return quota !== undefined && failure === undefined ? quota : state.price.cost(usage)
}

/** States where less is charged than the usage costs, so that the charge can be recomputed all the same. */
function uncharged(detail: JsonObject, quota: bigint, cost: bigint | undefined): JsonObject {
  if (cost === undefined) return { ...detail, price_failed: true }
  return cost > quota ? { ...detail, uncharged_quota: Number(cost - quota) } : detail
}

/** What is rare is added only where it is there: most rows hold the first two facts and no more. */
function detailOf(settling: Settled): JsonObject {
  const { state, delivery } = settling
  const detail: { [fact: string]: Json } = { request_path: state.path, frt: state.firstMs }
  if (state.times !== undefined) detail.times = state.times
  // As clients know it: the row of the log leads to the task.
  if (state.work?.task === true) detail.task_id = state.requestId.replace(/^req_/, 'task_')
  if (delivery.estimated.length > 0) detail.local_count_tokens = delivery.estimated
  if (delivery.anomaly) detail.usage_anomaly = true
  if (delivery.corrections !== undefined) detail.usage_corrected = correctionsOf(delivery)
  if (delivery.failure !== undefined) detail.failure = delivery.failure.code
  if (state.audit !== undefined) detail.override_audit = state.audit
  const { keys } = state.channel
  if (keys.length > 1) {
    detail.key_id = state.keyId
    detail.multi_key_index = keys.findIndex(({ id }) => id === state.keyId)
  }
  const upstreamId = upstreamRequestId(state.reply)
  if (upstreamId !== undefined) detail.upstream_request_id = upstreamId
  if (state.affinity !== undefined) detail.channel_affinity = state.affinity.rule
  const { subscription } = state.hold
  if (subscription !== undefined) {
    detail.billing_source = 'subscription'
    detail.subscription_id = subscription.id
    detail.subscription_plan_title = subscription.plan
  }
  if (state.model !== state.upstreamModel) {
    detail.is_model_mapped = true
    detail.upstream_model_name = state.upstreamModel
  }
  return settling.attempts.length === 0 ? detail : { ...detail, ...chainOf(settling) }
}

/** Count → what was reported and what is charged. */
function correctionsOf({ corrections = [] }: Settled['delivery']): JsonObject {
  return Object.fromEntries(
    corrections.map(({ count, reported, charged }) => [count, { reported, charged }]),
  )
}

/** The retry chain, for those who look into a request later. */
function chainOf({ attempts }: Settling): JsonObject {
  if (attempts.length === 0) return {}
  return { attempts: attemptChain(attempts) }
}
