/**
 * Brings an opened reply to the client, by its kind, and reports how that ended. Head and bytes go out only now, when
 * the upstream's first content is there; from here on nothing is retried (S17). Whatever throws on the way,
 * there is a delivery to settle.
 */
import type { Delivery } from '../contract/line/delivery.js'
import type { Opened } from '../contract/line/record.js'
import { letGo } from './attempt.js'
import { type Commit, type DeliveryDependencies, undelivered } from './delivery.js'
import { deliverSocket } from './socket.js'
import { EventDelivery } from './stream.js'
import { deliverWhole } from './whole.js'

export type Deliver = (opened: Opened, commit?: Commit) => Promise<Delivery>

export function createDeliver(dependencies: DeliveryDependencies): Deliver {
  return async (state, commit) => {
    const { reply } = state
    try {
      if (reply.kind === 'socket') return await deliverSocket(state, reply, dependencies)
      if (reply.kind === 'json') return await deliverWhole(state, reply, dependencies, commit)
      return await new EventDelivery(state, reply, dependencies, commit).run()
    } catch (err) {
      dependencies.log.error(
        { err, requestId: state.requestId },
        'an answer could not be delivered',
      )
      letGo(state, dependencies.log)
      return undelivered
    }
  }
}
