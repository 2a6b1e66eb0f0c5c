/** A migrated, empty embedded database as a file, so that a new one need not be made step by step. */
import type { Log } from '../contract/kit.js'
import { type Connections, liteConnections } from './connections.js'
import { openLite } from './lite/lite.js'
import { migrate, shippedMigrations } from './migrate.js'

export async function makeSnapshot(file: string, log: Log): Promise<void> {
  const lite = await openLite({ log })
  try {
    const connections = liteConnections(lite, log)
    try {
      await migrate(connections, await shippedMigrations(), log)
      await dropTemplates(connections)
    } finally {
      await connections.close()
    }
    await lite.snapshot(file)
  } finally {
    await lite.close()
  }
}

/** Two thirds of the files of a new database are copies nobody uses here; restoring without them is faster. */
async function dropTemplates({ knex }: Connections): Promise<void> {
  await knex.raw('UPDATE pg_database SET datistemplate = false, datallowconn = true')
  await knex.raw('DROP DATABASE template0')
  await knex.raw('DROP DATABASE template1')
  await knex.raw('CHECKPOINT')
}
