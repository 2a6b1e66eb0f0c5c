/** What a request will make, read from the words of the service. */
import type { Body } from '../../../kernel/contract/body.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { TaskQuantities } from '../../../kernel/contract/task.js'
import { jsonOf } from '../../../kernel/toolkit/operation/index.js'
import { numberAt, quantities, textAt } from '../../../kernel/toolkit/task/index.js'
import { resolutionDefault, secondsDefault } from './model.js'

export function quantitiesOf(body: Body): TaskQuantities {
  const wire = jsonOf(body)
  return quantities(
    { second: secondsIn(wire) ?? secondsDefault, piece: 1 },
    {
      resolution: textAt(wire, 'resolution')?.toLowerCase() ?? resolutionDefault,
      aspect_ratio: textAt(wire, 'aspect_ratio') ?? '16:9',
    },
  )
}

/** `5s`, or a number. */
function secondsIn(wire: JsonObject): number | undefined {
  const seconds = numberAt({ of: textAt(wire, 'duration')?.replace(/s$/i, '') }, 'of')
  return seconds !== undefined && seconds > 0 ? seconds : undefined
}
