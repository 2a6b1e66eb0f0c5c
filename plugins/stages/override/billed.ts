/** What billing reads, read from the call as it goes out. */
import type { Body } from '../../../kernel/contract/body.js'
import type { Usage } from '../../../kernel/contract/event.js'
import type { Mapped, Overridden } from '../../../kernel/contract/line/record.js'
import { isTask } from '../../../kernel/toolkit/stage/index.js'

type Billed = Pick<Overridden, 'limits' | 'estimate'>

/**
 * Read in the upstream's words where it speaks a known form. A form of its own was made from what the client sent, so
 * there the client's body is read.
 */
export function billed(state: Mapped, wire: Body): Billed {
  const { work, adapter, body, format } = state
  if (isTask(state)) return { limits: {}, estimate: quantitiesOf(state, wire) }
  if (work !== undefined) {
    const read = adapter.shape === undefined ? wire : work.named(body, state.upstreamModel)
    return { limits: work.limits(read), estimate: work.estimate(read) }
  }
  const known = state.upstreamFormat ?? format
  const read = state.upstreamFormat === undefined ? body : wire
  if (read.kind !== 'json') return { limits: {}, estimate: {} }
  return { limits: known.limits(read.value), estimate: known.estimate(read.value) }
}

/** A media task costs what it will make, which its adapter alone reads. */
function quantitiesOf({ adapter, body, upstreamModel }: Mapped, wire: Body): Usage {
  const { counts, dimensions } = adapter.quantities!(wire, upstreamModel, body)
  return { counts, dimensions }
}
