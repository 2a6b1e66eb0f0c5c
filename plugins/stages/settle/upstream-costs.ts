/** What the calls of a request cost upstream: the one that is charged, and those that failed after they were counted. */
import type { AttemptTrace, Spent } from '../../../kernel/contract/line/attempt.js'
import type { Settling } from '../../../kernel/contract/line/delivery.js'
import type { AttemptCost, Closing } from '../../../kernel/contract/line/money.js'

type Costs = Pick<Closing, 'cost' | 'attemptCosts'>

const none: Costs = {}

export function costsOf(settling: Settling): Costs {
  const { attempts } = settling
  const failed = attempts.some(isSpent) ? attempts.filter(isSpent).map(costOf(settling)) : []
  if (settling.kind !== 'delivered') return failed.length === 0 ? none : { attemptCosts: failed }
  const { state, delivery } = settling
  const { model: requestedModel, upstreamModel, channel } = state
  const query = { terms: channel.costTerms, requestedModel, upstreamModel }
  const cost = state.prices.upstreamCost?.(query, delivery.usage)
  // A charge is compared with its cost where all of that is known, and only then.
  if (delivery.delivered && failed.every((one) => one.cost !== undefined)) {
    return failed.length === 0 ? { cost } : { cost, attemptCosts: failed }
  }
  const isFree = cost === 0n || (!delivery.delivered && delivery.raw === undefined)
  const last = { channelId: channel.id, upstreamModel, ...(cost !== undefined && { cost }) }
  const parts = isFree ? failed : [...failed, last]
  return parts.length === 0 ? none : { attemptCosts: parts }
}

type SpentTrace = AttemptTrace & { readonly spent: Spent }

function isSpent(trace: AttemptTrace): trace is SpentTrace {
  return trace.spent !== undefined
}

function costOf({ state }: Settling): (trace: SpentTrace) => AttemptCost {
  return ({ channelId, spent: { terms, upstreamModel, usage } }) => {
    const query = { terms, requestedModel: state.model, upstreamModel }
    const cost = state.prices.upstreamCost?.(query, usage)
    return { channelId, upstreamModel, ...(cost !== undefined && { cost }) }
  }
}
