/** The embedded database seen by stock drivers: several connections on one session that never meet. */
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import knexModule from 'knex'
import pg from 'pg'
import t from 'tap'
import { liteConnections } from '../../../kernel/store/connections.js'
import { openLite } from '../../../kernel/store/lite/lite.js'
import { migratedSnapshot, silentLog, type Teardown } from '../../kit/database.js'

const idleTransactionMs = 400
const snapshotFile = await migratedSnapshot()
const lite = await openLite({ snapshotFile, idleTransactionMs, log: silentLog })
const { knex, billing, close } = liteConnections(lite, silentLog)
t.teardown(async () => {
  await close()
  await lite.close()
})
await knex.raw('CREATE TABLE a (id int PRIMARY KEY, v int); CREATE TABLE b (id int)')

async function client(t: Teardown, priority = 0): Promise<pg.Client> {
  const made = new pg.Client({ user: 'x', database: 'x', stream: lite.stream(priority) })
  await made.connect()
  t.teardown(() => made.end())
  return made
}

function insertB(id: number) {
  return billing.query({ name: 'insert_b', text: 'INSERT INTO b VALUES ($1)', values: [id] })
}

t.test('a transaction that rolls back takes nothing of the billing lane with it', async (t) => {
  const trx = await knex.transaction()
  await trx.raw('INSERT INTO a VALUES (1, 1)')
  let answered = false
  const lane = insertB(7).then(() => {
    answered = true
  })
  await trx.raw('SELECT 1')
  t.notOk(answered, 'the lane waits while the transaction is open')
  await trx.rollback()
  await lane
  t.same(await knex('b').where({ id: 7 }), [{ id: 7 }])
  t.same(await knex('a').where({ id: 1 }), [])
})

t.test('interleaved callers get their own answers and every count is exact', async (t) => {
  const each = 300
  const count = Array.from({ length: each }, (_, index) => index)
  const wrong: unknown[] = []
  const check = (got: unknown, expected: number) => {
    if (got !== expected) wrong.push([got, expected])
  }
  await knex('a').insert({ id: 100, v: 0 })
  const plain = async () => {
    for (const n of count) check((await knex.raw('SELECT ?::int AS x', [n])).rows[0].x, n)
  }
  const lane = async () => {
    for (const n of count) {
      const { rows } = await billing.query({ name: 'z', text: 'SELECT $1::int AS z', values: [n] })
      check(rows[0].z, n)
    }
  }
  const transactions = async () => {
    for (const n of count.slice(0, 60)) {
      const trx = await knex.transaction()
      await trx.raw('UPDATE a SET v = v + 1 WHERE id = 100')
      await trx.raw('SELECT 1')
      await (n % 2 ? trx.rollback() : trx.commit())
    }
  }
  await Promise.all([plain(), plain(), lane(), transactions()])
  t.same(wrong, [])
  t.same(await knex('a').where({ id: 100 }), [{ id: 100, v: 30 }])
})

t.test('who waits with a higher priority goes first', async (t) => {
  const [owner, low, high] = [await client(t), await client(t, 0), await client(t, 10)]
  await owner.query('CREATE TABLE turns (n int GENERATED ALWAYS AS IDENTITY, who text)')
  await owner.query('BEGIN')
  const waiting = [
    low.query("INSERT INTO turns (who) VALUES ('low')"),
    high.query("INSERT INTO turns (who) VALUES ('high')"),
  ]
  // Connections have ports of their own: an answer on one tells that what others posted before has come too.
  await owner.query('SELECT 1')
  await owner.query('SELECT 1')
  await owner.query('COMMIT')
  await Promise.all(waiting)
  t.same(await knex('turns').orderBy('n').pluck('who'), ['high', 'low'])
})

t.test('a connection that listens hears what others commit, and nobody else does', async (t) => {
  const [ear, deaf] = [await client(t), await client(t)]
  const heard: unknown[] = []
  ear.on('notification', (each) => heard.push(each.payload))
  deaf.on('notification', (each) => heard.push(['deaf', each.payload]))
  await ear.query('LISTEN changes_of_a')
  await deaf.query('LISTEN "Other"')
  await knex.transaction((trx) => trx.raw("SELECT pg_notify('changes_of_a', 'one')"))
  const undone = await knex.transaction()
  await undone.raw("SELECT pg_notify('changes_of_a', 'undone')")
  await undone.rollback()
  await deaf.query("NOTIFY changes_of_a, 'two'")
  await ear.query('UNLISTEN changes_of_a')
  await deaf.query("NOTIFY changes_of_a, 'late'")
  await ear.query('SELECT 1')
  t.same(heard, ['one', 'two'])
})

t.test('a connection dropped inside a transaction is rolled back', async (t) => {
  const dropped = new pg.Client({ user: 'x', database: 'x', stream: lite.stream(0) })
  dropped.on('error', () => undefined)
  await dropped.connect()
  await dropped.query('BEGIN')
  await dropped.query('INSERT INTO b VALUES (99)')
  const gone = once(dropped, 'end')
  await dropped.end()
  await gone
  t.same(await knex('b').where({ id: 99 }), [])
})

t.test(
  'a transaction that asks nothing is rolled back and its connection ended (P8)',
  async (t) => {
    const trx = await knex.transaction()
    await trx.raw('INSERT INTO a VALUES (2, 2)')
    t.same(await knex('a').where({ id: 2 }), [], 'a query beside it waits, then goes on')
    await t.rejects(trx.raw('SELECT 1'))
    await trx.rollback().catch(() => undefined)

    const idle = new pg.Client({ user: 'x', database: 'x', stream: lite.stream(0) })
    await idle.connect()
    await idle.query('BEGIN')
    const [error] = await once(idle, 'error')
    idle.on('error', () => undefined)
    t.equal(error.code, '25P03')
  },
)

t.test('a statement that takes longer than the idle limit is not idle', async (t) => {
  const busy = await client(t)
  await busy.query('BEGIN')
  await busy.query('INSERT INTO a VALUES (3, 3)')
  await busy.query(`SELECT pg_sleep(${(idleTransactionMs * 1.5) / 1000})`)
  await busy.query('COMMIT')
  t.same(await knex('a').where({ id: 3 }), [{ id: 3, v: 3 }])
})

t.test('messages of many MB pass both ways unharmed', async (t) => {
  const bytes = randomBytes(12 * 1024 * 1024)
  const { rows } = await billing.query({
    name: 'echo',
    text: 'SELECT $1::bytea AS back, md5($1::bytea) AS sum',
    values: [bytes],
  })
  t.equal(rows[0].sum, createHash('md5').update(bytes).digest('hex'))
  t.ok(bytes.equals(rows[0].back))
  const many = await knex.raw("SELECT n, repeat('x', 100) AS x FROM generate_series(1, 50000) AS n")
  t.equal(many.rows.length, 50_000)
  t.equal(many.rows[49_999].n, 50_000)
})

t.test('an error ends its own batch only', async (t) => {
  const one = await client(t)
  await t.rejects(one.query('SELEC $1', [1]), { code: '42601' })
  await t.rejects(one.query('SELECT 1 / $1::int', [0]), { code: '22012' })
  await t.rejects(one.query({ name: 'broken', text: 'SELECT nowhere' }), { code: '42703' })
  t.same((await one.query('SELECT 5 AS five')).rows, [{ five: 5 }])
  await knex('a').insert({ id: 4, v: 0 })
  await t.rejects(knex('a').insert({ id: 4, v: 1 }), { code: '23505', constraint: 'a_pkey' })

  await one.query('BEGIN')
  await t.rejects(one.query('INSERT INTO a VALUES ($1, 0)', [4]), { code: '23505' })
  const other = knex('a').where({ id: 4 })
  await t.rejects(
    one.query('SELECT 1'),
    { code: '25P02' },
    'the failed transaction is still its own',
  )
  await one.query('ROLLBACK')
  t.same(await other, [{ id: 4, v: 0 }])
})

t.test('names of prepared statements belong to one connection', async (t) => {
  const [one, two] = [await client(t), await client(t)]
  const first = { name: 'same', text: 'SELECT 1 AS n' }
  const second = { name: 'same', text: 'SELECT 2 AS n' }
  for (const _ of [1, 2]) {
    t.same((await one.query(first)).rows, [{ n: 1 }])
    t.same((await two.query(second)).rows, [{ n: 2 }])
  }
  await one.end()
  const left = 'SELECT name FROM pg_prepared_statements WHERE statement = $1'
  // The connection is gone before its statements are.
  const gone = async () => (await two.query(left, [first.text])).rows.length === 0
  while (!(await gone()));
  const three = await client(t)
  t.same((await three.query(first)).rows, [{ n: 1 }])
})

t.test('the billing lane prepares again after its connection was lost', async (t) => {
  await insertB(20)
  await t.rejects(billing.query('SELECT 1 / 0'), { code: '22012' })
  await insertB(21)
  t.same(await knex('b').whereIn('id', [20, 21]).orderBy('id'), [{ id: 20 }, { id: 21 }])
})

t.test('COPY from the client, which would end the session, is refused', async (t) => {
  const one = await client(t)
  await t.rejects(one.query('COPY b FROM STDIN'), { code: '0A000' })
  await t.rejects(one.query({ name: 'copy', text: 'COPY b FROM STDIN' }), { code: '0A000' })
  t.same((await one.query('SELECT 1 AS n')).rows, [{ n: 1 }])
})

t.test('a session that breaks in memory is reported, not mended', async (t) => {
  const own = await openLite({ snapshotFile, log: silentLog })
  const query = knexModule({
    client: 'pg',
    connection: { user: 'x', database: 'x', stream: own.stream(0) },
    pool: { min: 0, max: 1 },
  })
  t.teardown(async () => {
    await query.destroy()
    await own.close()
  })
  await query.raw('CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN f(); END $$')
  await t.rejects(query.raw('SELECT f()'))
  await t.rejects(query.raw('SELECT 1'), { code: 'ECONNREFUSED' })
})
