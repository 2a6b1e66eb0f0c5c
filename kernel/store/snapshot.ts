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
  for (const template of ['template0', 'template1']) {
    await knex.raw('ALTER DATABASE ?? IS_TEMPLATE false', [template])
    await knex.raw('DROP DATABASE ??', [template])
  }
  await knex.raw('CHECKPOINT')
}
