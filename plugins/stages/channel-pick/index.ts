/** Which channel takes this try: by group, model, priority and weight, never one that failed this request (ROUTE-2, ROUTE-3). */
import type { Stages } from '../../../kernel/contract/exchange.js'
import type { Kit } from '../../../kernel/contract/kit.js'
import { refused } from '../../../kernel/pipeline/outcome.js'

export default function create({ services }: Kit<'routing'>): Stages['channel-pick'] {
  const { routing } = services
  return {
    run(state) {
      const pick = routing.pick(state)
      if (pick === undefined)
        return refused('model_not_found', { model: state.model, param: 'model' })
      const { channel, key, group, position, adapter } = pick
      return { channel, key, group, position, adapter }
    },
  }
}
