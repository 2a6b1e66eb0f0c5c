/** Opening a database, on either kind: values, reachability, and what is there after a process was killed. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { noPeers } from '../../../kernel/peers.js'
import { postgresConnections } from '../../../kernel/store/connections.js'
import { openDatabase, useConnections } from '../../../kernel/store/database.js'
import { openLite } from '../../../kernel/store/lite/lite.js'
import { isRetryable, isUnavailable } from '../../../kernel/toolkit/service/availability.js'
import {
  databaseKind,
  freshDatabaseUrl,
  migratedSnapshot,
  silentLog,
  type Teardown,
  testDatabase,
} from '../../kit/database.js'
import { keptLines } from '../../kit/kept-lines.js'

t.setTimeout(360_000)

async function directory(t: Teardown): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'waybill-data-'))
  t.teardown(() => rm(made, { recursive: true }))
  return made
}

/** A data directory whose embedded database is there already. */
async function usedDirectory(t: Teardown): Promise<string> {
  const dir = await directory(t)
  const snapshotFile = await migratedSnapshot()
  const lite = await openLite({ directory: join(dir, 'pglite'), snapshotFile, log: silentLog })
  await lite.close()
  return dir
}

t.test(`${databaseKind}: values come out the same from every way in`, async (t) => {
  const database = await testDatabase(t)
  t.equal(database.kind, databaseKind)
  const text = `SELECT 9007199254740993::int8 AS big, ARRAY[1, NULL]::int8[] AS list, 1.50::numeric AS exact,
    '2026-01-02T03:04:05Z'::timestamptz AS at, '\\x00ff'::bytea AS bytes, current_setting('timezone') AS zone`
  const expected = {
    big: 9007199254740993n,
    list: [1n, null],
    exact: '1.50',
    at: new Date('2026-01-02T03:04:05Z'),
    bytes: Buffer.from([0, 255]),
    zone: 'UTC',
  }
  const statement = { name: 'values', text, values: [] }
  for (const _ of [1, 2]) {
    t.same((await database.query(statement)).rows, [expected])
    t.same((await database.billing(statement)).rows, [expected])
    t.same((await database.knex.raw(text)).rows, [expected])
  }
  t.same(await database.knex('users').count('* as count'), [{ count: 0n }])
  const echo = { name: 'echo', text: 'SELECT $1::int8 AS one, $2::int8[] AS many' }
  const sent = await database.billing({ ...echo, values: [2n ** 62n, [1n, 2n]] })
  t.same(sent.rows, [{ one: 2n ** 62n, many: [1n, 2n] }])
  await database.probe()
})

t.test(`${databaseKind}: an error leaves the way in usable`, async (t) => {
  const database = await testDatabase(t)
  const wrong = { name: 'wrong', text: 'SELECT 1 / $1::int AS x', values: [0] }
  for (const ask of [database.query, database.billing]) {
    await t.rejects(ask(wrong), { code: '22012' })
    t.same((await ask({ ...wrong, values: [1] })).rows, [{ x: 1 }])
  }
})

t.test(
  'a server that cannot be reached, hangs or cuts a connection is distinguished (P1)',
  async (t) => {
    const refused = postgresConnections('postgres://x@127.0.0.1:1/x', silentLog)
    const error = await refused.reads.query('SELECT 1').catch((caught: unknown) => caught)
    t.ok(isUnavailable(error))
    t.notOk(isRetryable(error), 'nothing was queried yet')
    const late = await refused.knex.raw('SELECT 1').catch((caught: unknown) => caught)
    t.ok(isUnavailable(late))
    await refused.close()

    const cutting = createServer((socket) => socket.once('data', () => socket.destroy()))
    cutting.listen(0, '127.0.0.1')
    await once(cutting, 'listening')
    t.teardown(async () => void cutting.close())
    const address = cutting.address()
    const port = typeof address === 'object' ? address?.port : 0
    const cut = postgresConnections(`postgres://x@127.0.0.1:${port}/x`, silentLog)
    const lost = await cut.billing.query('SELECT 1').catch((caught: unknown) => caught)
    t.ok(isUnavailable(lost))
    t.ok(isRetryable(lost))
    await cut.close()
  },
)

const onPostgres = { skip: databaseKind === 'postgresql' ? false : 'needs a server' }
const onPglite = { skip: databaseKind === 'pglite' ? false : 'needs no server' }

t.test('a probe answers within 2 s also when the server hangs (P1)', onPostgres, async (t) => {
  const proxy = await freezable(t, await freshDatabaseUrl(t))
  const database = await useConnections(postgresConnections(proxy.url, silentLog), {
    log: silentLog,
  })
  await database.probe()
  proxy.freeze()
  const begun = performance.now()
  const error = await database.probe().catch((caught: unknown) => caught)
  t.ok(isUnavailable(error))
  t.ok(performance.now() - begun < 2500)
  proxy.cut()
  await database.probe()
  await database.close()
})

t.test('a connection whose server does not answer is given up', onPostgres, async (t) => {
  const proxy = await freezable(t, await freshDatabaseUrl(t))
  const connections = postgresConnections(proxy.url, silentLog, { answerMs: 1000 })
  t.teardown(connections.close)
  const ways = [
    () => connections.knex.raw('SELECT 1 AS one'),
    () => connections.billing.query('SELECT 1 AS one'),
    () => connections.reads.query('SELECT 1 AS one'),
  ]
  for (const ask of ways) {
    await ask()
    proxy.freeze()
    const error = await ask().catch((caught: unknown) => caught)
    t.ok(isUnavailable(error))
    t.same((await ask()).rows, [{ one: 1 }], 'the next one gets another')
  }
  proxy.cut()
})

t.test('connections the server ended are made anew', onPostgres, async (t) => {
  const database = await testDatabase(t)
  const pids = async () => {
    const own = { name: 'own', text: 'SELECT pg_backend_pid() AS pid', values: [] }
    const [read, billed] = await Promise.all([database.query(own), database.billing(own)])
    const managed = await database.knex.raw(own.text)
    return [read, billed, managed].map(({ rows }) => rows[0].pid)
  }
  const first = await pids()
  const admin = postgresConnections(process.env.DATABASE_URL ?? '', silentLog)
  await admin.knex.raw('SELECT pg_terminate_backend(pid) FROM unnest(?::int[]) AS pid', [first])
  await admin.close()
  const second = await persistently(pids)
  t.ok(second.every((pid) => !first.includes(pid)))
})

/** As callers of keyed statements do: again while the connection was lost on the way. */
async function persistently<T>(run: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await run()
    } catch (error) {
      if (!isRetryable(error)) throw error
    }
  }
}

t.test('sessions are bounded on the server', onPostgres, async (t) => {
  const database = await testDatabase(t)
  const setting = `SELECT current_setting('statement_timeout') AS statement,
    current_setting('idle_in_transaction_session_timeout') AS idle,
    current_setting('synchronous_commit') AS durable, current_setting('application_name') AS name`
  const expected = [{ statement: '5s', idle: '5s', durable: 'on', name: 'waybill' }]
  t.same((await database.knex.raw(setting)).rows, expected)
  t.same((await database.billing({ name: 's', text: setting, values: [] })).rows, expected)
})

/** A process that writes to the database in this directory; `next` answers the next line it states. */
function writer(dir: string) {
  const script = fileURLToPath(new URL('./children/use-database.js', import.meta.url))
  const child = spawn(process.execPath, [script, dir], { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const ended = once(child, 'exit')
  return {
    next: async (): Promise<string | undefined> => (await lines.next()).value,
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}

t.test(
  'a killed process leaves every commit it knew of, and its lock in nobody’s way (P6, P7)',
  onPglite,
  async (t) => {
    const dir = await usedDirectory(t)
    const first = writer(dir)
    t.equal(await first.next(), 'open')

    const begun = performance.now()
    const refused = await openDatabase({ dataDir: dir, log: silentLog }).catch(
      (error: unknown) => error,
    )
    t.match(refused, { name: 'DataDirectoryInUse', message: dir })
    t.ok(performance.now() - begun < 2000, 'a second process is refused within 2 s')

    let last = -1
    while (last < 40) last = Number(await first.next())
    await first.kill()
    for (let line = await first.next(); line; line = await first.next()) last = Number(line)

    const database = await openDatabase({ dataDir: dir, log: silentLog })
    const [row] = await database.knex('written').count('* as count').max('n as last')
    t.ok(row?.last >= last, `${last} was acknowledged, ${row?.last} is there`)
    t.equal(row?.count, BigInt(row?.last) + 1n, 'without a hole')
    await database.close()
    t.same(await readdir(dir), ['pglite'], 'a proper end leaves no lock')
  },
)

t.test('a first start that was killed half way is begun anew', onPglite, async (t) => {
  const dir = await directory(t)
  await mkdir(join(dir, 'pglite.new'))
  await writeFile(join(dir, 'pglite.new', 'PG_VERSION'), '18')
  const database = await openDatabase({ dataDir: dir, log: silentLog })
  await database.probe()
  await database.close()
  t.same(await readdir(dir), ['pglite'])
})

t.test('a session that breaks is opened again with what was committed', onPglite, async (t) => {
  const dir = await usedDirectory(t)
  const database = await openDatabase({ dataDir: dir, log: silentLog })
  t.teardown(() => database.close())
  await database.knex('facts').insert({ name: 'kept', value: 'yes' })
  await database.knex.raw(
    'CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN f(); END $$',
  )
  const broke = await database.knex.raw('SELECT f()').catch((error: unknown) => error)
  t.ok(isUnavailable(broke))
  const kept = { name: 'kept', text: "SELECT value FROM facts WHERE name = 'kept'", values: [] }
  t.same((await persistently(() => database.billing(kept))).rows, [{ value: 'yes' }])
  t.same(await database.knex('facts').where({ name: 'kept' }).pluck('value'), ['yes'])
})

/** A way to a server that can stop answering, and cut what goes through it. */
async function freezable(t: Teardown, url = '') {
  const target = new URL(url)
  const sockets = new Set<import('node:net').Socket>()
  const proxy = createServer((near) => {
    const far = connect(Number(target.port), target.hostname)
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        near.destroy()
        far.destroy()
      })
    }
    near.pipe(far).pipe(near)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const cut = () => {
    for (const socket of sockets) socket.destroy()
    sockets.clear()
  }
  t.teardown(async () => {
    cut()
    proxy.close()
  })
  const address = proxy.address()
  const through = new URL(url)
  through.port = String(typeof address === 'object' ? address?.port : 0)
  return {
    url: through.href,
    cut,
    freeze: () => {
      for (const socket of sockets) socket.pause().unpipe()
    },
  }
}

t.test(
  'a server without room for the connections of all processes is named when they start',
  { skip: databaseKind === 'pglite' && 'the embedded database has no such bound' },
  async (t) => {
    const databaseUrl = await freshDatabaseUrl(t)
    const dataDir = await directory(t)
    const words =
      'PostgreSQL has fewer connections than these processes may need: raise max_connections or start fewer'
    const warnings = async (count: number, number: number) => {
      const { log, fields } = keptLines()
      const peers = { ...noPeers, count, number }
      const database = await openDatabase({ databaseUrl: databaseUrl!, dataDir, log, peers })
      await database.close()
      return fields(words)
    }
    t.same(await warnings(1, 1), [])
    const [{ room, ...rest } = { room: 0 }] = await warnings(1000, 1)
    t.same(rest, { processes: 1000, connections: 8000 })
    t.ok(Number(room) > 0)
    t.same(await warnings(1000, 2), [], 'the first of them says so for all')
  },
)
