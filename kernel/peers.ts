/** A process that shares its address with no other (decision 0088). */
import type { Peers } from './contract/services/peers.js'

export interface GatewayPeers extends Peers {
  /** From now on this process hears of what others do, and is asked. */
  join(): void
}

export const noPeers: GatewayPeers = {
  count: 1,
  number: 1,
  publish() {},
  on() {},
  ask: async () => [],
  respond() {},
  onGone() {},
  join() {},
}
