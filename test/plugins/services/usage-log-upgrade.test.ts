/** Sums over a log that an earlier version has written and summed in its own way. */
import t from 'tap'
import {
  type Connections,
  liteConnections,
  postgresConnections,
} from '../../../kernel/store/connections.js'
import { openLite } from '../../../kernel/store/lite/lite.js'
import { migrate, shippedMigrations } from '../../../kernel/store/migrate.js'
import { bareDatabaseUrl, silentLog } from '../../kit/database.js'

t.setTimeout(360_000)

/** The last migration before there were analytics. */
const before = '0026-lists'

async function connect(): Promise<Connections> {
  const url = await bareDatabaseUrl(t)
  if (url !== undefined) {
    const connections = postgresConnections(url, silentLog)
    t.teardown(connections.close)
    return connections
  }
  const lite = await openLite({ log: silentLog })
  const connections = liteConnections(lite, silentLog)
  t.teardown(async () => {
    await connections.close()
    await lite.close()
  })
  return connections
}

const rows = `
  INSERT INTO usage_log (request_id, created_at, type, user_id, token_id, channel_id, model_name, group_name, quota,
    prompt_tokens, completion_tokens, use_time_ms, detail)
  SELECT 'r' || n, timestamptz '2024-01-01T00:00:00Z' + n * interval '7 minutes', CASE WHEN n % 11 = 0 THEN 5 ELSE 2 END,
    1 + n % 3, 1 + n % 5, 1 + n % 4, 'model-' || n % 6, 'group-' || n % 2, CASE WHEN n % 11 = 0 THEN 0 ELSE n END,
    n % 900, n % 70, n % 3000, '{}'
  FROM generate_series($1::integer, $2::integer) AS n`

t.test(
  'rows that were summed before an upgrade, and rows after it, are each counted once',
  async (t) => {
    const connections = await connect()
    const shipped = await shippedMigrations()
    const last = shipped.findIndex(({ name }) => name === before)
    await migrate(connections, shipped.slice(0, last + 1), silentLog)
    const client = connections.single('migrate')
    await client.connect()
    t.teardown(() => client.end())
    async function untilDone(call: string): Promise<void> {
      for (let more = true; more; )
        more = (await client.query(`SELECT ${call} AS more`)).rows[0].more
    }
    await client.query(rows, [1, 1_500])
    await untilDone("usage_roll(200, '0 seconds')")
    await client.query(rows, [1_501, 1_700])
    await migrate(connections, shipped, silentLog)
    await client.query(rows, [1_701, 2_000])
    await untilDone("usage_roll(200, '0 seconds')")
    await untilDone('usage_fill_stats(100)')
    await untilDone('usage_fill_key_days(100)')
    const { rows: logged } = await client.query(`
    SELECT count(*) FILTER (WHERE type = 2)::integer AS requests, count(*) FILTER (WHERE type = 5)::integer AS errors,
      sum(quota)::integer AS quota FROM usage_log`)
    const { rows: ofKeys } = await client.query(
      'SELECT sum(requests)::integer AS requests, sum(quota)::integer AS quota FROM usage_key_days',
    )
    t.strictSame(
      ofKeys,
      [{ requests: logged[0].requests, quota: logged[0].quota }],
      'by key and day',
    )
    for (const kind of ['all', 'model', 'channel', 'group', 'user', 'token']) {
      const { rows: summed } = await client.query(
        `SELECT sum(requests)::integer AS requests, sum(errors)::integer AS errors, sum(quota)::integer AS quota
       FROM usage_stat_days WHERE kind = $1::usage_stat_kind`,
        [kind],
      )
      t.strictSame(summed, logged, `by ${kind}`)
    }
  },
)
