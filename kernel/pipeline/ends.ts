/** What ends an answer under way, as one stream or frame by frame: its client leaves, its money or its key is gone, the gateway stops. */
import type { CoverVerdict, Hold } from '../contract/line/money.js'
import type { DisconnectOptions, DisconnectWatch } from '../contract/services/disconnect-policy.js'
import type { DeliveryDependencies } from './delivery.js'

export type Cut = 'out_of_funds' | 'token_disabled' | 'database_unavailable' | 'shutting_down'

/** The code an answer ends with when its hold could not be raised. `unavailable`: the database did not answer. */
export const cuts = {
  short: 'out_of_funds',
  shortToken: 'out_of_funds',
  shortBudget: 'out_of_funds',
  gone: 'token_disabled',
  unavailable: 'database_unavailable',
} as const satisfies Record<Exclude<CoverVerdict, 'ok'> | 'unavailable', Cut>

/** None of these throws. */
export interface Ends {
  /** The client is gone; the upstream is read to its end for its count. */
  readOn(): void
  /** The client is gone; the rest is not read. */
  abandon(): void
  /** Ends the answer with an error of this code. */
  cut(code: Cut): void
}

export function watchClient(
  { disconnects }: Pick<DeliveryDependencies, 'disconnects'>,
  { sink, policy }: Pick<DisconnectOptions, 'sink' | 'policy'>,
  ends: Ends,
): DisconnectWatch {
  return disconnects.watch({
    sink,
    policy,
    drain: () => ends.readOn(),
    end: (reason) => (reason === 'stopping' ? ends.cut('shutting_down') : ends.abandon()),
  })
}

/** `cost`: quota the answer has cost so far. */
export function followHold(hold: Hold, cost: () => bigint, ends: Ends): void {
  hold.follow(cost)
  hold.onGone((reason) =>
    ends.cut(reason === 'disabled' ? 'token_disabled' : 'database_unavailable'),
  )
}
