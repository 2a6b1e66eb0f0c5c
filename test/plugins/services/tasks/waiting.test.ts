/**
 * A hundred thousand tasks that wait: what the service does every second touches what is due and not what exists. Counted in pages
 * of the database, since times depend on the machine.
 */
import type { Knex } from 'knex'
import t from 'tap'
import { claimText, lanesText } from '../../../../plugins/services/tasks/polling.js'
import { testDatabase } from '../../../kit/database.js'

const count = 100_000
const step = 10_000
const now = '2026-01-01T00:00:00Z'

t.test(
  'of a hundred thousand tasks that wait a round reads what is due',
  { skip: !process.env.DATABASE_URL && 'needs PostgreSQL', timeout: 360_000 },
  async (t) => {
    const { knex } = await testDatabase(t)
    const [user] = await knex('users')
      .insert({ username: 'somebody', password_hash: '', aff_code: 'a' })
      .returning('id')
    await knex('users').insert({ username: 'other', password_hash: '', aff_code: 'b' })

    /** Over so many channels; the first `due` of each are due. */
    async function put(channels: number, due: number): Promise<void> {
      await knex.transaction(async (trx) => {
        await trx.raw('SET LOCAL statement_timeout = 0')
        await trx.raw('TRUNCATE tasks CASCADE')
        // Statement by statement, since each has few seconds.
        for (let from = 0; from < count; from += step)
          await trx.raw(
            `INSERT INTO tasks (task_id, request_id, user_id, group_name, operation, action, model, channel_id, key_id, platform,
           upstream_ref, state, billing, charged, poll_at, deadline_at, created_at)
         SELECT 't' || n, 'r' || n, ?, 'default', 'video', 'generate', 'm', n % ?::integer, 1, 'p', 'u' || n, 'queued', 'charged', 1,
           ?::timestamptz + CASE WHEN n / ?::integer < ?::integer THEN interval '-1 second' ELSE interval '30 seconds' END,
           ?::timestamptz + interval '1 day', ?::timestamptz - n * interval '1 second'
         FROM generate_series(?::integer, ?::integer - 1) n`,
            [user.id, channels, now, channels, due, now, now, from, from + step],
          )
      })
      await knex.raw('VACUUM ANALYZE tasks')
    }

    const noted: string[] = []
    /** Pages that were touched, and time as a note. Within a transaction that is taken back. */
    async function cost(name: string, sql: string, bindings: Knex.RawBinding): Promise<number> {
      const trx = await knex.transaction()
      try {
        const { rows } = await trx.raw(
          `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${sql}`,
          bindings as never,
        )
        const [{ Plan: plan, 'Execution Time': ms }] = rows[0]['QUERY PLAN']
        const pages = plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
        noted.push(`${name}: ${pages} pages, ${Number(ms).toFixed(1)} ms`)
        return pages
      } finally {
        await trx.rollback()
      }
    }
    const claim = {
      lease: now,
      channel_id: 0,
      key_id: 1,
      platform: 'p',
      operation: '',
      now,
      most: 20,
    }

    await put(1, 50)
    t.ok((await cost('lanes, 1 × 100,000', lanesText, [now])) < 60)
    t.ok((await cost('claim of 20', claimText, claim as never)) < 900)
    t.ok(
      (await cost(
        'sweep',
        'SELECT * FROM tasks WHERE deadline_at <= ? ORDER BY deadline_at LIMIT 200',
        [now],
      )) < 20,
    )
    const fields = {
      task_id: 'n',
      request_id: 'n',
      user_id: user.id,
      group_name: 'g',
      operation: 'video',
      action: 'a',
      model: 'm',
      channel_id: 1,
      key_id: 0,
      request: {},
    }
    t.ok(
      (await cost('begin, 200 under way at most', 'SELECT task_begin(?, 200, 200, 60, ?)', [
        JSON.stringify(fields),
        now,
      ])) < 400,
    )
    const list = `SELECT * FROM tasks WHERE user_id = ? AND operation = 'video' AND hidden = false ORDER BY id DESC LIMIT 21`
    t.ok((await cost('list of 20', list, [user.id])) < 60)
    await knex.raw(
      `UPDATE tasks SET state = 'failed', billing = 'final', poll_at = NULL, deadline_at = NULL, finished_at = ?::timestamptz WHERE id % 100 = 0`,
      [now],
    )
    const old =
      'DELETE FROM tasks WHERE id IN (SELECT id FROM tasks WHERE finished_at < ? ORDER BY finished_at LIMIT 200)'
    t.ok((await cost('retention of 200', old, ['2026-02-01T00:00:00Z'])) < 4_000)

    await put(1_000, 1)
    t.ok((await cost('lanes, 1,000 × 100', lanesText, [now])) < 12_000)
    t.ok((await cost('claim of 1', claimText, { ...claim, most: 1 } as never)) < 100)
    await put(1_000, 0)
    t.ok((await cost('lanes, 1,000 × 100, none due', lanesText, [now])) < 10_000)
    for (const note of noted) t.comment(note)
  },
)
