/** What a request will make, with the service's defaults where it leaves something out. */
import type { Body } from '../../../kernel/contract/body.js'
import type { TaskQuantities } from '../../../kernel/contract/task.js'
import { jsonOf } from '../../../kernel/toolkit/operation/index.js'
import { numberAt, quantities, textAt } from '../../../kernel/toolkit/task/index.js'
import { factsOf, secondsDefault } from './model.js'

export function quantitiesOf(body: Body, model: string): TaskQuantities {
  const wire = jsonOf(body)
  const stated = numberAt(wire, 'duration')
  const resolution = textAt(wire, 'resolution') ?? factsOf(model)?.resolutions[0] ?? '768P'
  return quantities(
    { second: stated !== undefined && stated > 0 ? stated : secondsDefault, piece: 1 },
    { resolution: resolution.toLowerCase() },
  )
}
