/**
 * `node dist/test/bench/ledger-check.js [requests]`: what the check of the books costs on a large book. Makes a database
 * of its own on the server of DATABASE_URL with so many settled requests (5,000,000), and prints what the whole check,
 * the check of what is new and the snapshot of `npm run ledger:check` take.
 */
import pg from 'pg'
import { postgresConnections } from '../../kernel/store/connections.js'
import { type OpenDatabase, useConnections } from '../../kernel/store/database.js'
import { findBreaches } from '../../plugins/services/ledger/check.js'
import { type Walked, walk } from '../../plugins/services/ledger/walk.js'
import { freshDatabaseUrl, silentLog } from '../kit/database.js'

const requests = Number(process.argv[2] ?? 5_000_000)
const accounts = 10_000
const fresh = 20_000
const rows = 50_000

const teardowns: (() => Promise<void>)[] = []
try {
  await run()
} finally {
  for (const teardown of teardowns.reverse()) await teardown()
}

async function run(): Promise<void> {
  const url = await freshDatabaseUrl({ teardown: (each) => void teardowns.push(each) })
  if (url === undefined) throw new Error('DATABASE_URL names no server.')
  const database = await useConnections(postgresConnections(url, silentLog), { log: silentLog })
  teardowns.push(() => database.close())
  await timed('made the book', () => book(url))
  const whole = () => database.dedicated((query) => walk({ query, scope: 'whole', rows }))
  const news = () => database.dedicated((query) => walk({ query, scope: 'new', rows }))
  readResult(await timed('the whole book, in parts', whole))
  readResult(await timed('what is new: nothing', news))
  await append(url, requests, fresh, '30 seconds')
  readResult(await timed(`what is new: ${fresh} requests`, news))
  const found = await timed('the whole book, in one snapshot', () =>
    database.dedicated(findBreaches),
  )
  console.log(`  ${found.length} breaches`)
  await cancelled(database)
}

async function cancelled(database: OpenDatabase): Promise<void> {
  const caller = new AbortController()
  const check = database.dedicated(findBreaches, caller.signal)
  await new Promise((resolve) => setTimeout(resolve, 500))
  const begun = performance.now()
  caller.abort(new Error('left'))
  await check.catch(() => undefined)
  const { rows } = await database.knex.raw(
    `SELECT count(*) AS running FROM pg_stat_activity
     WHERE datname = current_database() AND state = 'active' AND pid <> pg_backend_pid()`,
  )
  const ms = Math.round(performance.now() - begun)
  console.log(`cancelled with its caller in ${ms} ms, ${rows[0].running} statements left`)
}

async function timed<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  const begun = performance.now()
  const result = await work()
  console.log(`${((performance.now() - begun) / 1000).toFixed(1)} s  ${what}`)
  return result
}

function readResult({ scope, verified, findings }: Walked): void {
  console.log(`  ${scope}: ${verified} requests looked at, ${findings.length} breaches`)
  for (const { invariant, finding } of findings.slice(0, 3))
    console.log(`  ${invariant} ${finding}`)
}

/** A day of requests, in the order of time, as the gateway writes them; its tables are analysed as a server does. */
async function book(url: string): Promise<void> {
  await withClient(url, async (client) => {
    await client.query(
      `INSERT INTO users (username, password_hash) SELECT 'u' || n, 'x' FROM generate_series(1, $1::integer) n`,
      [accounts],
    )
    await client.query(
      `INSERT INTO accounts (kind, owner_id, posted)
       SELECT 'wallet', id, 0 FROM users WHERE username LIKE 'u%' ORDER BY id`,
    )
    await client.query(
      `INSERT INTO tokens (user_id, name, key_hash, key_sealed, key_tail)
       SELECT id, 't', decode(md5(username), 'hex'), '', '' FROM users WHERE username LIKE 'u%' ORDER BY id`,
    )
  })
  await append(url, 0, requests, '1 day')
}

async function append(url: string, from: number, count: number, ago: string): Promise<void> {
  await withClient(url, async (client) => {
    const values = [from + 1, from + count, ago, accounts]
    const each = `
      FROM generate_series($1::integer, $2::integer) n
      JOIN (SELECT row_number() OVER (ORDER BY id) - 1 AS at, id, owner_id FROM accounts WHERE id > 0) a
        ON a.at = n % $4::integer
      JOIN (SELECT row_number() OVER (ORDER BY id) - 1 AS at, id FROM tokens) t ON t.at = a.at
      CROSS JOIN LATERAL (
        SELECT now() - $3::interval * (1 - (n - $1::integer)::float8 / ($2::integer - $1::integer)) AS moment
      ) m
      ORDER BY n`
    const id = `'req_' || lpad(n::text, 26, '0')`
    await client.query('BEGIN')
    await client.query(
      `INSERT INTO billing_requests (request_id, kind, user_id, token_id, funding_account, state,
         revision, reserved, settled, outcome, owner_instance, owner_epoch, created_at, closed_at,
         draft, usage, pricing_snapshot)
       SELECT ${id}, 'sync', a.owner_id, t.id, a.id, 'settled', 1, 100, 1 + n % 90, 'complete', 'bench', 1,
         moment, moment, '{"model": "large", "group": "default"}', '{"input": 11, "output": 5}',
         '{"model": "large", "ratio": "1.5"}' ${each}`,
      values,
    )
    await client.query(
      `INSERT INTO transfers (idem_key, kind, debit_account, credit_account, amount, request_id, created_at)
       SELECT 'settle:' || ${id}, 'settle', a.id, -1, 1 + n % 90, ${id}, moment ${each}`,
      values,
    )
    await client.query(
      `INSERT INTO usage_log (request_id, created_at, type, user_id, token_id, model_name, quota)
       SELECT ${id}, moment, 2, a.owner_id, t.id, 'large', 1 + n % 90 ${each}`,
      values,
    )
    await client.query(
      `UPDATE accounts SET posted = -s.amount, used = s.amount, floor = -1000000000000
       FROM (SELECT debit_account, sum(amount)::bigint AS amount FROM transfers GROUP BY 1) s
       WHERE s.debit_account = id`,
    )
    await client.query(
      `UPDATE tokens SET used = s.amount
       FROM (SELECT token_id, sum(settled)::bigint AS amount FROM billing_requests GROUP BY 1) s
       WHERE s.token_id = id`,
    )
    await client.query('COMMIT')
    await client.query('VACUUM ANALYZE')
  })
}

async function withClient(url: string, run: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await run(client)
  } finally {
    await client.end()
  }
}
