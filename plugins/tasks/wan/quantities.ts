/** What a request will make, with the service's defaults where it leaves something out. */
import type { Body } from '../../../kernel/contract/body.js'
import type { TaskQuantities } from '../../../kernel/contract/task.js'
import { jsonOf } from '../../../kernel/toolkit/operation/index.js'
import {
  frameOf,
  numberAt,
  quantities,
  textAt,
  valueAt,
} from '../../../kernel/toolkit/task/index.js'
import { isSilent, resolutionDefault, resolutionOfSize, secondsDefault } from './model.js'

export function quantitiesOf(body: Body, model: string): TaskQuantities {
  const wire = jsonOf(body)
  const stated = numberAt(wire, 'parameters.duration')
  const size = textAt(wire, 'parameters.size')
  const resolution =
    textAt(wire, 'parameters.resolution')?.toLowerCase() ??
    resolutionIn(size) ??
    resolutionDefault(model)
  const sound = valueAt(wire, 'parameters.audio')
  return quantities(
    { second: stated !== undefined && stated > 0 ? stated : secondsDefault, piece: 1 },
    { resolution, size, audio: typeof sound === 'boolean' ? sound : !isSilent(model) },
  )
}

export function resolutionIn(size: string | undefined): string | undefined {
  return size === undefined ? undefined : (resolutionOfSize(size) ?? frameOf(size)?.resolution)
}
