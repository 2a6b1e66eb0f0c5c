/**
 * Leases on jobs that one process at a time does (P12), kept in the table `leases`. Time is the database's,
 * so that the clocks of the processes need not agree.
 */
import { randomUUID } from 'node:crypto'
import type { Database } from '../contract/services/database.js'

export interface Leases {
  /** Takes the lease or prolongs one's own; false: another process holds it. */
  take(name: string, ms: number): Promise<boolean>
  /** Gives one's own lease back, so that others need not wait for its end. */
  release(name: string): Promise<void>
}

/** `nodeName` is for those who read the table; holders differ whatever it is. */
export function createLeases(database: Pick<Database, 'query'>, nodeName: string): Leases {
  const holder = `${nodeName} ${process.pid} ${randomUUID()}`
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

const takeText = `
INSERT INTO leases (name, holder, until)
VALUES ($1, $2, clock_timestamp() + $3 * interval '1 millisecond')
ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until
WHERE leases.holder = excluded.holder OR leases.until <= clock_timestamp()`
