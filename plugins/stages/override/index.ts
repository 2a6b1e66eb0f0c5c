/**
 * Last changes to the outgoing JSON, in their order: the spelling this upstream insists on, the request for usage, the
 * operator's override. Then what billing reads is read from the result (ROUTE-4).
 */
import type { Body, Mapped, Stages } from '../../../kernel/contract/exchange.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Kit } from '../../../kernel/contract/kit.js'

export default function create({ services }: Kit<'formats'>): Stages['override'] {
  const { formats } = services
  return {
    run(state) {
      const { wire } = state
      // Limits and estimate are read in the upstream's words; a format of its own is close to none, so the client's.
      const format = state.upstreamFormat ?? formats.get(state.format.name)
      if (wire.kind !== 'json') return { wire, limits: {}, estimate: {} }
      const value = overridden(state, wire.value)
      const body: Body = value === wire.value ? wire : { kind: 'json', value }
      return {
        wire: body,
        limits: format.limits(value),
        estimate: format.estimate(value),
      }
    },
  }
}

function overridden(state: Mapped, value: JsonObject): JsonObject {
  const { adapter, channel, upstreamFormat } = state
  let next = adapter.adjust?.(value, channel) ?? value
  if (state.stream && adapter.asksUsage !== false) next = upstreamFormat?.askUsage(next) ?? next
  return Object.keys(channel.paramOverride).length === 0
    ? next
    : { ...next, ...channel.paramOverride }
}
