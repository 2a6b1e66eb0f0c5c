/**
 * Opens the database of the gateway: PostgreSQL where an address is given, else PGlite in DATA_DIR. When it resolves,
 * the schema is that of the program and every way to it answers.
 */
import type { Clock, Log } from '../contract/kit.js'
import type { Changes } from '../contract/services/changes.js'
import type { Database } from '../contract/services/database.js'
import type { Peers } from '../contract/services/peers.js'
import { systemClock } from '../schedule/system-clock.js'
import { type Overheard, openChanges } from './changes.js'
import { checkConnectionRoom } from './connection-room.js'
import {
  type Connections,
  connectionsOf,
  liteConnections,
  poolSizes,
  postgresConnections,
} from './connections.js'
import { dedicated } from './dedicated.js'
import { type Embedded, openEmbedded } from './embedded.js'
import { startUpkeep } from './lite/upkeep.js'
import { migrate, shippedMigrations } from './migrate.js'

export interface DatabaseOptions {
  /** Address of a PostgreSQL server; absent: PGlite in `dataDir`. */
  readonly databaseUrl?: string
  /** Where the installation keeps its files; made when missing. */
  readonly dataDir: string
  readonly log: Log
  readonly clock?: Clock
  /** The embedded database, where it is being opened already. */
  readonly embedded?: Promise<Embedded>
  /** The other processes of this address, which share the connections that the server has. Absent: none. */
  readonly peers?: Peers
}

export interface OpenDatabase extends Database {
  readonly changes: Changes & Overheard
  /** Ends every connection and, on PGlite, the database itself. */
  close(): Promise<void>
}

/** Rejects with `DataDirectoryInUse` or `MigrationRefused`, whose sentences are for the operator, or as `pg` does. */
export async function openDatabase(options: DatabaseOptions): Promise<OpenDatabase> {
  const { databaseUrl, dataDir, log, clock = systemClock, peers } = options
  if (databaseUrl) {
    const processes = peers?.count ?? 1
    const sizes = poolSizes(processes)
    const connections = postgresConnections(databaseUrl, log, { sizes })
    const database = await useConnections(connections, options)
    if ((peers?.number ?? 1) === 1) {
      await checkConnectionRoom(connections, { processes, each: connectionsOf(sizes) }, log)
    }
    return database
  }
  const { lite, release } = await (options.embedded ?? openEmbedded(dataDir, log))
  try {
    const connections = liteConnections(lite, log)
    const upkeep = startUpkeep({ pool: connections.reads, clock, log })
    const close = () => inOrder(upkeep.stop, connections.close, lite.close, release)
    return await useConnections({ ...connections, close }, options)
  } catch (error) {
    await release()
    throw error
  }
}

/** The database over connections that stand already; closes them when it cannot be opened. */
export async function useConnections(
  connections: Connections,
  { log, clock = systemClock, peers }: Pick<DatabaseOptions, 'log' | 'clock' | 'peers'>,
): Promise<OpenDatabase> {
  try {
    await migrate(connections, await shippedMigrations(), log)
    const changes = await openChanges({ connections, log, clock, peers })
    return {
      kind: connections.kind,
      knex: connections.knex,
      billingConnections: connections.billingLanes,
      query: (statement) => connections.reads.query(connections.asRead(statement)),
      billing: (statement) =>
        connections.billing.query({ ...statement, values: [...statement.values] }),
      dedicated: (run, signal) => dedicated(connections, run, { signal, log }),
      probe: () => probe(connections, clock),
      changes,
      close: () => inOrder(changes.close, connections.close),
    }
  } catch (error) {
    await connections.close()
    throw error
  }
}

const probeMs = 2000

function probe(connections: Connections, clock: Clock): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = `The database did not answer within ${probeMs} ms.`
    const cancel = clock.after(probeMs, () =>
      reject(Object.assign(new Error(late), { code: 'ETIMEDOUT' })),
    )
    connections.reads
      .query('SELECT 1')
      .then(() => resolve(), reject)
      .finally(cancel)
  })
}

/** Every step is taken, whatever became of those before it; the first failure is reported. */
async function inOrder(...steps: readonly (() => Promise<void>)[]): Promise<void> {
  const failures: unknown[] = []
  for (const step of steps) {
    await step().catch((error: unknown) => failures.push(error))
  }
  if (failures.length > 0) throw failures[0]
}
