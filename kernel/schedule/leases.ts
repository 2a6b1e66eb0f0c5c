/**
 * Leases on jobs that one process at a time does (P12), kept in the table `leases`. Time is the database's,
 * so that the clocks of the processes need not agree.
 */
import { randomUUID } from 'node:crypto'
import type { Database } from '../contract/services/database.js'
import type { Peers } from '../contract/services/peers.js'
import { noPeers } from '../peers.js'

export interface Leases {
  /** Takes the lease or prolongs one's own; false: another process holds it. */
  take(name: string, ms: number): Promise<boolean>
  /** Gives one's own lease back, so that others need not wait for its end. */
  release(name: string): Promise<void>
}

/** `nodeName` is for those who read the table; holders differ whatever it is. */
export function createLeases(
  database: Pick<Database, 'query'>,
  nodeName: string,
  peers: Pick<Peers, 'onGone'> = noPeers,
): Leases {
  const holder = `${holderPrefix(nodeName, process.pid)}${randomUUID()}`
  // Jobs of one that is known to be dead need not wait for the end of its leases; where this fails they do.
  peers.onGone(async ({ nodeName, pid }) => {
    const values = [holderPrefix(nodeName, pid)]
    await database.query({ name: 'lease_gone', text: goneText, values }).catch(() => {})
  })
  return {
    async take(name, ms) {
      const { rowCount } = await database.query({
        name: 'lease_take',
        text: takeText,
        values: [name, holder, ms],
      })
      return rowCount === 1
    },
    async release(name) {
      await database.query({
        name: 'lease_release',
        text: 'DELETE FROM leases WHERE name = $1 AND holder = $2',
        values: [name, holder],
      })
    },
  }
}

function holderPrefix(nodeName: string, pid: number): string {
  return `${nodeName} ${pid} `
}

const goneText = 'DELETE FROM leases WHERE starts_with(holder, $1)'

const takeText = `
INSERT INTO leases (name, holder, until)
VALUES ($1, $2, clock_timestamp() + $3 * interval '1 millisecond')
ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until
WHERE leases.holder = excluded.holder OR leases.until <= clock_timestamp()`
