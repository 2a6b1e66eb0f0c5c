/** Whether the server has room for the connections of all processes of this address: where it has not, requests fail once they are all needed. */
import type { Log } from '../contract/kit.js'
import type { Connections } from './connections.js'

export interface ConnectionNeed {
  readonly processes: number
  /** Of one process, at most. */
  readonly each: number
}

/** Logs a warning where there is too little room. What other programs use is not known. */
export async function checkConnectionRoom(
  { reads }: Pick<Connections, 'reads'>,
  { processes, each }: ConnectionNeed,
  log: Log,
): Promise<void> {
  const { rows } = await reads.query<{ room: number }>(
    `SELECT current_setting('max_connections')::int
       - current_setting('superuser_reserved_connections')::int AS room`,
  )
  const room = rows[0]?.room ?? 0
  const needed = processes * each
  if (needed <= room) return
  log.warn(
    { processes, connections: needed, room },
    'PostgreSQL has fewer connections than these processes may need: raise max_connections or start fewer',
  )
}
