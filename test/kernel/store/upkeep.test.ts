/** The embedded database is kept in order while it runs. */
import t from 'tap'
import { liteConnections } from '../../../kernel/store/connections.js'
import { openLite } from '../../../kernel/store/lite/lite.js'
import { startUpkeep } from '../../../kernel/store/lite/upkeep.js'
import { FakeClock } from '../../kit/clock.js'
import { migratedSnapshot, silentLog } from '../../kit/database.js'

t.setTimeout(240_000)

t.test('dead rows are removed, statistics renewed and the log cut off', async (t) => {
  const lite = await openLite({ snapshotFile: await migratedSnapshot(), log: silentLog })
  const { knex, reads, close } = liteConnections(lite, silentLog)
  const clock = new FakeClock()
  const upkeep = startUpkeep({ pool: reads, clock, log: silentLog })
  t.teardown(async () => {
    await close()
    await lite.close()
  })
  const state = async () => {
    const { rows } = await knex.raw(`SELECT n_dead_tup AS dead, n_mod_since_analyze AS stale,
      pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn)::int8 AS log
      FROM pg_stat_user_tables, pg_control_checkpoint() WHERE relname = 'worn'`)
    return rows[0]
  }
  await knex.raw(
    `CREATE TABLE worn AS SELECT n, repeat('x', 1000) AS x FROM generate_series(1, 20000) AS n`,
  )
  await knex.raw('UPDATE worn SET n = n + 1')
  await knex.raw('UPDATE worn SET n = n + 1')
  // Statistics of a statement may be reported a second late, and then count as made after the upkeep.
  await knex.raw('SELECT pg_stat_force_next_flush()')
  const before = await state()
  t.ok(before.dead > 1000n)
  t.ok(before.log > 50_000_000n)
  await upkeep.now()
  const after = await state()
  t.equal(after.dead, 0n)
  t.equal(after.stale, 0n)
  t.ok(after.log < 1_000_000n)
  await upkeep.stop()
  t.equal(clock.pending, 0)
})
