/** The schema follows the program: once, whoever starts first, whatever happened before. */
import t from 'tap'
import {
  type Connections,
  liteConnections,
  postgresConnections,
} from '../../../kernel/store/connections.js'
import { openLite } from '../../../kernel/store/lite/lite.js'
import { type Migration, migrate, shippedMigrations } from '../../../kernel/store/migrate.js'
import {
  bareDatabaseUrl,
  databaseKind,
  migratedSnapshot,
  silentLog,
  type Teardown,
  testDatabase,
} from '../../kit/database.js'

t.setTimeout(360_000)

const first: Migration = {
  name: '9001-first',
  sql: 'CREATE TABLE one (n int); INSERT INTO one VALUES (1);',
}
const second: Migration = { name: '9002-second', sql: 'ALTER TABLE one ADD COLUMN m int;' }

/** A database without our tables; on PGlite one that knows the shipped migrations. */
async function bare(t: Teardown) {
  const url = await bareDatabaseUrl(t)
  if (url) {
    const connections = postgresConnections(url, silentLog)
    t.teardown(connections.close)
    return { connections, url, known: [] as readonly Migration[] }
  }
  const lite = await openLite({ snapshotFile: await migratedSnapshot(), log: silentLog })
  const connections = liteConnections(lite, silentLog)
  t.teardown(async () => {
    await connections.close()
    await lite.close()
  })
  return { connections, url: '', known: await shippedMigrations() }
}

/** A database that no migration has seen yet. */
async function empty(t: Teardown): Promise<Connections> {
  const url = await bareDatabaseUrl(t)
  const lite = url === undefined ? await openLite({ log: silentLog }) : undefined
  const connections = lite ? liteConnections(lite, silentLog) : postgresConnections(url!, silentLog)
  t.teardown(async () => {
    await connections.close()
    await lite?.close()
  })
  return connections
}

function run(connections: Connections, migrations: readonly Migration[]): Promise<void> {
  return migrate(connections, migrations, silentLog)
}

t.test(`[OPS-2] ${databaseKind}: each migration is applied once, in order`, async (t) => {
  const { connections, known } = await bare(t)
  await run(connections, [...known, first])
  await run(connections, [...known, first])
  await run(connections, [...known, first, second])
  t.same(await connections.knex('one').select(), [{ n: 1, m: null }])
  const names = await connections.knex('migrations').orderBy('name').pluck('name')
  t.same(
    names,
    [...known, first, second].map(({ name }) => name),
  )
})

t.test(`[OPS-2] ${databaseKind}: a migration that fails leaves nothing of itself`, async (t) => {
  const { connections, known } = await bare(t)
  const broken = { name: second.name, sql: 'ALTER TABLE one ADD COLUMN m int; SELECT 1 / 0;' }
  const failure = await run(connections, [...known, first, broken]).catch((error: unknown) => error)
  t.match(failure, { message: broken.name, cause: { code: '22012' } })
  t.same(await connections.knex('one').select(), [{ n: 1 }])
  await run(connections, [...known, first, second])
  t.same(await connections.knex('one').select(), [{ n: 1, m: null }])
})

t.test(`[OPS-2] ${databaseKind}: a database of a newer program is refused by name`, async (t) => {
  const { connections, known } = await bare(t)
  await run(connections, [...known, first, second])
  await t.rejects(run(connections, [...known, first]), {
    name: 'MigrationRefused',
    message: /newer version.*9002-second/,
  })
})

t.test(`${databaseKind}: the shipped migrations make the core tables`, async (t) => {
  const { knex } = await testDatabase(t)
  for (const table of ['users', 'tokens', 'channels', 'options', 'changes', 'facts']) {
    t.same(await knex(table).select(), [], table)
  }
})

t.test(`[OPS-2] ${databaseKind}: people of before accounts came keep what is theirs`, async (t) => {
  const connections = await empty(t)
  const shipped = await shippedMigrations()
  const accounts = shipped.findIndex(({ name }) => name === '0006-accounts')
  await run(connections, shipped.slice(0, accounts))
  const people = [
    { username: 'newer', email: 'ADA@example.com' },
    { username: 'Ada', email: 'Ada@Example.com', display_name: 'Ada L.' },
    { username: 'gone', email: 'ada@example.com', deleted_at: new Date(), status: 2 },
    { username: 'none', email: '' },
    { username: 'other', email: 'Bob@example.com' },
  ].map((person, index) => ({ ...person, id: [20, 10, 5, 30, 40][index], password_hash: 'x' }))
  const insert = connections.knex('users').insert(people).toSQL().toNative()
  const overriding = insert.sql.replace(' values ', ' overriding system value values ')
  await connections.knex.raw(overriding.replace(/\$\d+/g, '?'), [...insert.bindings])
  await run(connections, shipped)
  const { knex } = connections
  t.same(await knex('users').select('username', 'email', 'search').orderBy('id'), [
    { username: 'gone', email: 'ada@example.com', search: 'gone\n\nada@example.com' },
    { username: 'Ada', email: 'Ada@Example.com', search: 'ada\nada l.\nada@example.com' },
    { username: 'newer', email: '', search: 'newer\n\n' },
    { username: 'none', email: '', search: 'none\n\n' },
    { username: 'other', email: 'Bob@example.com', search: 'other\n\nbob@example.com' },
  ])
  const taken = knex('users').where({ id: 20 }).update({ email: 'ada@EXAMPLE.com' })
  t.match(await taken.catch((error: unknown) => error), { constraint: 'users_email_key' })
})

const onPostgres = { skip: databaseKind === 'postgresql' ? false : 'needs several sessions' }

t.test('[OPS-2] several instances that start at once migrate once (P5)', onPostgres, async (t) => {
  const { url } = await bare(t)
  const shipped = await shippedMigrations()
  const instances = Array.from({ length: 6 }, () => postgresConnections(url, silentLog))
  await Promise.all(instances.map((each) => run(each, [...shipped, first])))
  const [connections] = instances
  t.same(await connections?.knex('one').select(), [{ n: 1 }])
  t.equal((await connections?.knex('migrations').select())?.length, shipped.length + 1)
  await Promise.all(instances.map((each) => each.close()))
})

t.test(
  '[OPS-2] an instance killed while it migrates holds nobody up (P5)',
  onPostgres,
  async (t) => {
    const { connections, url } = await bare(t)
    const dying = postgresConnections(url, silentLog)
    const slow = { name: first.name, sql: `${first.sql} SELECT pg_sleep(60);` }
    const killed = run(dying, [slow]).catch((error: unknown) => error)
    const sleeping = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`
    let pid: number | undefined
    while (pid === undefined) pid = (await connections.knex.raw(sleeping)).rows[0]?.pid
    const waiting = run(connections, [first, second])
    await connections.knex.raw('SELECT pg_terminate_backend(?)', [pid])
    t.ok((await killed) instanceof Error)
    await waiting
    t.same(await connections.knex('one').select(), [{ n: 1, m: null }])
    await dying.close()
  },
)

t.test('an instance that waits too long for another is informed of it', onPostgres, async (t) => {
  const { connections } = await bare(t)
  const holder = connections.single('migrate')
  await holder.connect()
  await holder.query('SELECT pg_advisory_lock(7294116305)')
  await t.rejects(migrate(connections, [first], silentLog, 200), {
    name: 'MigrationRefused',
    message: /Another instance/,
  })
  await holder.end()
})

t.test('[AUTH-4] the one access token of each user becomes the one named default', async (t) => {
  const connections = await empty(t)
  const { knex } = connections
  const shipped = await shippedMigrations()
  await run(
    connections,
    shipped.filter(({ name }) => name < '0012'),
  )
  const ends = new Date('2027-01-31T12:00:00Z')
  const token = { access_token_hash: Buffer.alloc(32, 7), access_token_expires_at: ends }
  const [holder] = await knex('users')
    .insert({ username: 'holder', password_hash: '', ...token })
    .returning('id')
  await knex('users').insert({ username: 'other', password_hash: '' })
  await run(connections, shipped)
  t.match(await knex('access_tokens'), [
    {
      user_id: holder.id,
      name: 'default',
      scopes: ['all'],
      token_hash: Buffer.alloc(32, 7),
      expires_at: ends,
      last_used_at: null,
    },
  ])
})
