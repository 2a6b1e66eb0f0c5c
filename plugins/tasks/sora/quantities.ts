/** What a request will make, with the service's defaults where it leaves something out. */
import type { Body } from '../../../kernel/contract/body.js'
import { isObject, type JsonObject } from '../../../kernel/contract/json.js'
import type { TaskQuantities } from '../../../kernel/contract/task.js'
import { jsonOf } from '../../../kernel/toolkit/operation/index.js'
import { frameOf, numberAt, quantities, textAt } from '../../../kernel/toolkit/task/index.js'
import { secondsDefault, sizeDefault } from './clip.js'

export function quantitiesOf(body: Body): TaskQuantities {
  const wire = jsonOf(body)
  const clip = isObject(wire.remix) ? wire.remix : wire
  const { seconds = secondsDefault, size = sizeDefault } = statedOf(clip)
  // Words of the form's copies, which a client may send along.
  const piece = Math.max(numberAt(clip, 'n') ?? 1, 1)
  const longest = Math.max(seconds, numberAt(clip, 'duration') ?? 0)
  return clipQuantities({ seconds: longest * piece, size }, piece)
}

export interface Clip {
  readonly seconds?: number
  readonly size?: string
}

/** Length and size, as far as an object names them. */
export function statedOf(clip: JsonObject): Clip {
  const seconds = numberAt(clip, 'seconds')
  const size = textAt(clip, 'size')
  return {
    ...(seconds !== undefined && seconds > 0 && { seconds }),
    ...(size !== undefined && { size }),
  }
}

export function clipQuantities({ seconds, size }: Clip, piece = 1): TaskQuantities {
  return quantities({ second: seconds, piece }, { size, resolution: frameOf(size)?.resolution })
}
