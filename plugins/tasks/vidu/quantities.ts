/** What a request will make, with the defaults of its model where it leaves something out. */
import type { Body } from '../../../kernel/contract/body.js'
import type { TaskQuantities } from '../../../kernel/contract/task.js'
import { jsonOf } from '../../../kernel/toolkit/operation/index.js'
import { numberAt, quantities, textAt } from '../../../kernel/toolkit/task/index.js'
import { factsOf, usualSeconds } from './model.js'
import { kindIn } from './shape.js'

export function quantitiesOf(body: Body, model: string): TaskQuantities {
  const wire = jsonOf(body)
  const facts = factsOf(model)
  const stated = numberAt(wire, 'duration')
  const second = stated !== undefined && stated > 0 ? stated : usualSeconds(facts)
  return quantities(
    { second, piece: 1 },
    {
      kind: kindIn(wire),
      resolution: textAt(wire, 'resolution')?.toLowerCase() ?? facts.resolution(second),
      audio: typeof wire.audio === 'boolean' ? wire.audio : facts.audio,
      off_peak: wire.off_peak === true,
      recommended_prompt: wire.is_rec === true,
    },
  )
}
