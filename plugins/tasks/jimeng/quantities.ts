/** What a request will make: the length by its frames, the resolution by the way it is made. */
import type { Body } from '../../../kernel/contract/body.js'
import type { TaskQuantities } from '../../../kernel/contract/task.js'
import { jsonOf } from '../../../kernel/toolkit/operation/index.js'
import { numberAt, quantities, textAt } from '../../../kernel/toolkit/task/index.js'
import { resolutionOf } from './model.js'
import { framesPerSecond } from './shape.js'

const secondsDefault = 5

export function quantitiesOf(body: Body): TaskQuantities {
  const wire = jsonOf(body)
  const way = textAt(wire, 'req_key') ?? ''
  const frames = numberAt(wire, 'frames')
  const second =
    frames !== undefined && frames > 1 ? (frames - 1) / framesPerSecond : secondsDefault
  return quantities({ second, piece: 1 }, { way, resolution: resolutionOf(way) })
}
