/** What the request cost, once: the price of the answering attempt over the final usage, with the log row (BILL-1). */
import type { Closing, Settling, Stages } from '../../../kernel/contract/exchange.js'
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import type { Kit } from '../../../kernel/contract/kit.js'

type Settled = Extract<Settling, { readonly kind: 'delivered' }>

export default function create({ clock, log }: Kit): Stages['settle'] {
  return {
    async run(settling) {
      const { state } = settling
      const durationMs = clock.now() - state.receivedAt
      const charge = await state.hold.close(closingOf(settling, durationMs))
      if (charge.shortfall > 0n) {
        log.warn({ requestId: state.requestId, shortfall: charge.shortfall }, 'settled into debt')
      }
    },
  }
}

function closingOf(settling: Settling, durationMs: number): Closing {
  if (settling.kind === 'delivered') return deliveredClosing(settling, durationMs)
  return {
    quota: 0n,
    delivered: false,
    outcome: settling.outcome,
    usage: {},
    snapshot: {},
    durationMs,
    detail: chainOf(settling),
  }
}

function deliveredClosing(settling: Settled, durationMs: number): Closing {
  const { state, delivery } = settling
  const { usage, delivered } = delivery
  return {
    quota: delivered ? state.price.cost(usage) : 0n,
    delivered,
    outcome: delivery.end,
    usage: delivered ? usage : {},
    snapshot: state.price.explain(usage),
    draft: state.draft,
    durationMs,
    detail: detailOf(settling),
  }
}

/** What is rare is added only where it is there: most rows hold the first two facts and no more. */
function detailOf(settling: Settled): JsonObject {
  const { state, delivery } = settling
  const detail: { [fact: string]: Json } = { request_path: state.path, frt: state.firstMs }
  if (delivery.estimated.length > 0) detail.local_count_tokens = delivery.estimated
  if (delivery.anomaly) detail.usage_anomaly = true
  if (delivery.failure !== undefined) detail.failure = delivery.failure.code
  if (state.model !== state.upstreamModel) {
    detail.is_model_mapped = true
    detail.upstream_model_name = state.upstreamModel
  }
  return settling.attempts.length === 0 ? detail : { ...detail, ...chainOf(settling) }
}

/** The retry chain, for those who look into a request later. */
function chainOf({ attempts }: Settling): JsonObject {
  if (attempts.length === 0) return {}
  return {
    attempts: attempts.map(({ channelId, group, failure }) => ({
      channel: channelId,
      group,
      status: failure.status,
      code: failure.code,
    })),
  }
}
