/**
 * Last changes to the outgoing body, in their order: the spelling this upstream insists on, the request for usage, the
 * operator's override. Then what billing reads is read from the result (ROUTE-4).
 */
import type { Body, Mapped, Overridden, Stages } from '../../../kernel/contract/exchange.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import { changed } from '../../../kernel/wire/body.js'

type Billed = Pick<Overridden, 'limits' | 'estimate'>

export default function create(): Stages['override'] {
  return {
    run(state) {
      const wire = overridden(state)
      return { wire, ...billed(state, wire) }
    },
  }
}

function overridden(state: Mapped): Body {
  const { wire, adapter, channel, upstreamFormat } = state
  if (wire.kind === 'none') return wire
  const value = wire.kind === 'json' ? wire.value : wire.fields
  let next = adapter.adjust?.(value, channel) ?? value
  if (state.stream && adapter.asksUsage !== false) next = upstreamFormat?.askUsage(next) ?? next
  next = withOverride(next, channel.paramOverride)
  if (wire.kind === 'json') return changed(wire, next)
  return next === value ? wire : { ...wire, fields: next }
}

function withOverride(value: JsonObject, override: JsonObject): JsonObject {
  return Object.keys(override).length === 0 ? value : { ...value, ...override }
}

/**
 * Read in the upstream's words where it speaks a known form. A form of its own was made from what the client sent, so
 * there the client's body is read.
 */
function billed(state: Mapped, wire: Body): Billed {
  const { work, adapter, body, format } = state
  if (work !== undefined) {
    const read = adapter.shape === undefined ? wire : work.named(body, state.upstreamModel)
    return { limits: work.limits(read), estimate: work.estimate(read) }
  }
  const known = state.upstreamFormat ?? format
  const read = state.upstreamFormat === undefined ? body : wire
  if (read.kind !== 'json') return { limits: {}, estimate: {} }
  return { limits: known.limits(read.value), estimate: known.estimate(read.value) }
}
