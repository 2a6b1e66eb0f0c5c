/** Which channel takes this try: by group, model, priority and weight, never one that failed this request (ROUTE-2, ROUTE-3). */

import type { Failed } from '../../../kernel/contract/line/attempt.js'
import type { Attempt } from '../../../kernel/contract/line/record.js'
import type { Stages } from '../../../kernel/contract/line/stages.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { refused } from '../../../kernel/toolkit/errors/index.js'
import type { HeldBack } from '../../services/routing/index.js'

export default function create({ services }: Kit<'routing'>): Stages['channel-pick'] {
  const { routing } = services
  return {
    run(state) {
      const picking = routing.pick(state)
      if (picking !== undefined) return picking
      const held = state.tried.length === 0 ? routing.heldBack(state) : undefined
      return held === undefined ? unserved(state) : waiting(state, held)
    },
  }
}

function unserved({ model, taskContext }: Attempt): Failed {
  const origin = taskContext?.origin
  if (origin !== undefined) return refused('task_origin_unavailable', { task: origin.taskId })
  return refused('model_not_found', { model, param: 'model' })
}

/** The client learns when to come again. */
function waiting({ model }: Attempt, { ms, parked }: HeldBack): Failed {
  const seconds = Math.ceil(ms / 1000)
  const code = parked ? 'channels_saturated' : 'channels_failing'
  const { failure, retry } = refused(code, { model, seconds })
  return { failure: { ...failure, retryAfterMs: ms }, retry }
}
