/** What a request will make, with the service's defaults where it leaves something out. */
import type { Body } from '../../../kernel/contract/body.js'
import type { TaskQuantities } from '../../../kernel/contract/task.js'
import { jsonOf } from '../../../kernel/toolkit/operation/index.js'
import { listAt, numberAt, quantities, textAt } from '../../../kernel/toolkit/task/index.js'
import { kindOf } from './path.js'

const secondsDefault = 5

export function quantitiesOf(body: Body): TaskQuantities {
  const wire = jsonOf(body)
  const kind = kindOf(wire)
  const stated = numberAt(wire, 'duration')
  return quantities(
    { second: stated !== undefined && stated > 0 ? stated : secondsDefault, piece: 1 },
    {
      kind,
      mode: textAt(wire, 'mode') ?? 'std',
      audio: wire.sound === 'on',
      voice: listAt(wire, 'voice_list').length > 0,
      video_input: listAt(wire, 'video_list').length > 0,
    },
  )
}
