/** What a request would be charged when it is accepted: shaped and counted as the line does, and sent nowhere. */
import type { Body } from '../../../kernel/contract/body.js'
import type { Usage } from '../../../kernel/contract/event.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { User } from '../../../kernel/contract/line/people.js'
import type { Operation } from '../../../kernel/contract/operation.js'
import type { Operations } from '../../../kernel/contract/services/formats.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { Pricing } from '../../services/pricing/index.js'
import type { Served } from './serving.js'

export interface Quoted {
  /** Quota. Null: it is known only when the answer is there. */
  readonly quota: number | null
  readonly counts: Readonly<Record<string, number>>
  readonly dimensions: Readonly<Record<string, string>>
}

export interface QuoteServices {
  readonly operations: Pick<Operations, 'get'>
  readonly pricing: Pick<Pricing, 'current'>
}

/** Throws the refusal the request itself would get, which names the field at fault. */
export function quoteOf(
  served: Served,
  user: User,
  fields: JsonObject,
  services: QuoteServices,
): Quoted {
  const { model, upstreamModel, operation, action, group, adapter } = served
  const work = services.operations.get(operation)
  if (work === undefined) throw new Refusal('model_not_found', { model, param: 'model' })
  const value = { ...fields, model, ...(action !== undefined && { action }) }
  const prices = services.pricing.current()
  const requestedModel = work.priceName?.(model) ?? model
  const price = prices.price({ requestedModel, upstreamModel, group, userGroup: user.group })
  if (price === undefined) throw new Refusal('model_price_error', { model, param: 'model' })
  const usage = usageOf(served, work, { kind: 'json', value })
  const { counts = {}, dimensions = {} } = usage
  const mode = prices.quote(requestedModel)?.mode ?? ''
  const isKnown = adapter.quantities !== undefined || fixedModes.has(mode)
  return { quota: isKnown ? Number(price.cost(usage)) : null, counts, dimensions }
}

/** By tokens it is known only when they are counted. */
const fixedModes: ReadonlySet<string> = new Set(['price', 'card', 'free'])

function usageOf({ upstreamModel, channel, adapter }: Served, work: Operation, body: Body): Usage {
  work.check(body)
  const named = work.named(body, upstreamModel)
  const wire = adapter.shape?.(named, channel, upstreamModel, {}) ?? named
  if (adapter.quantities !== undefined) {
    const { counts, dimensions } = adapter.quantities(wire, upstreamModel, body)
    return { counts, dimensions }
  }
  return work.estimate(adapter.shape === undefined ? wire : named)
}
