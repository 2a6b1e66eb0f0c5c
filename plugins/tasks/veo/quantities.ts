/** What a request will make, with the service's defaults where it leaves something out. */
import type { Body } from '../../../kernel/contract/body.js'
import type { TaskQuantities } from '../../../kernel/contract/task.js'
import { jsonOf } from '../../../kernel/toolkit/operation/index.js'
import { numberAt, quantities, textAt, valueAt } from '../../../kernel/toolkit/task/index.js'
import { factsOf, resolutionDefault, secondsDefault } from './model.js'

export function quantitiesOf(body: Body, model: string): TaskQuantities {
  const wire = jsonOf(body)
  const piece = atLeastOne(numberAt(wire, 'parameters.sampleCount')) ?? 1
  const sound = valueAt(wire, 'parameters.generateAudio')
  return quantities(
    { second: secondsIn(body) * piece, piece },
    {
      resolution: textAt(wire, 'parameters.resolution')?.toLowerCase() ?? resolutionDefault,
      aspect_ratio: textAt(wire, 'parameters.aspectRatio') ?? '16:9',
      audio: typeof sound === 'boolean' ? sound : factsOf(model)?.silent !== true,
    },
  )
}

/** Of one clip. */
export function secondsIn(body: Body): number {
  const seconds = numberAt(jsonOf(body), 'parameters.durationSeconds')
  return seconds !== undefined && seconds > 0 ? seconds : secondsDefault
}

function atLeastOne(count: number | undefined): number | undefined {
  return count !== undefined && count >= 1 ? count : undefined
}
