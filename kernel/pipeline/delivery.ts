/** What every way of delivering an answer shares. */

import type { Clock, Log } from '../contract/kit.js'
import type { Delivery } from '../contract/line/delivery.js'
import type { Opened } from '../contract/line/record.js'
import type { DisconnectPolicy } from '../contract/services/disconnect-policy.js'
import { midwayFailure } from '../toolkit/errors/outcome.js'
import type { KeptAnswers } from './answers.js'

/**
 * Commits the charge of a complete answer. Where it is given, the last byte leaves after it (decision 0037); where it
 * rejects, an error stands in the place of that byte.
 */
export type Commit = (delivery: Delivery) => Promise<void>

export interface DeliveryDependencies {
  readonly disconnects: DisconnectPolicy
  readonly answers: KeptAnswers
  readonly clock: Clock
  readonly log: Log
}

export function withLost({ lost }: Opened, headers: Readonly<Record<string, string>>) {
  return lost.length === 0 ? headers : { ...headers, 'x-waybill-lost': lost.join(', ') }
}

/** What the gateway itself states about the limits of the key. Undefined: it has none. */
export function limitHeaders({ keyUse, hold }: Opened) {
  return keyUse?.headers(hold)
}

/** Nothing reached the client, by a fault of the gateway's own. */
export const undelivered: Delivery = {
  end: 'cut',
  usage: {},
  estimated: [],
  anomaly: false,
  delivered: false,
  failure: midwayFailure('internal_error'),
}

/** A fault on the way is logged and stays where it is: what stands behind it has to be reached. False: there was one. */
export function guarded(
  { requestId }: Opened,
  { log }: DeliveryDependencies,
  run: () => void,
): boolean {
  try {
    run()
    return true
  } catch (err) {
    log.error({ err, requestId }, 'delivering an answer failed at one step')
    return false
  }
}
