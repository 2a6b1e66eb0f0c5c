/**
 * A database that is there and takes nothing: whatever it states, what was delivered is charged once it takes it again, and
 * until then nothing more is admitted.
 */
import pg from 'pg'
import t, { type Test } from 'tap'
import type { Charge } from '../../../../kernel/contract/line/money.js'
import { databaseKind } from '../../../kit/database.js'
import { type Books, cost, draft, ownLedgerTest, type Person, settled } from './books.js'
import { coded, faulty } from './faulty.js'

/** How a fault begins and how it ends. */
interface Outage {
  begin(books: Books): Promise<void>
  end(books: Books): Promise<void>
}

const streams = 12

/** Streams under way when the fault begins, all of them over before it ends. */
async function outlived(t: Test, books: Books, outage: Outage): Promise<void> {
  const person = await books.person(100_000n)
  const holds = Array.from({ length: streams }, () => books.hold(person))
  for (const hold of holds) {
    await hold.cover(100n, draft)
    hold.follow(() => 45n)
  }
  await books.run('ledger.mark')
  await books.ledger.flushed()
  await outage.begin(books)
  const charges: Promise<Charge>[] = []
  for (const hold of holds) {
    charges.push(hold.close(cost(15n)))
    await t.rejects(books.hold(person).cover(10n, draft), { code: 'database_unavailable' })
  }
  await outage.end(books)
  t.strictSame(await Promise.all(charges), Array(streams).fill(settled(15n)))
  t.match(await shown(books, person), {
    posted: 100_000n - 15n * BigInt(streams),
    held: 0n,
    rows: BigInt(streams),
    open: 0n,
  })
  t.equal(await admitted(books, person), 'ok')
}

/** A reserve that comes while the lane still waits is refused; one after it is not. */
async function admitted(books: Books, person: Person): Promise<string> {
  const hold = books.hold(person)
  const verdict = await hold.cover(10n, draft).catch(() => 'refused')
  await hold.close(cost(0n, { delivered: false, outcome: 'failed', usage: {} }))
  return verdict
}

function shown({ row }: Books, { accountId, userId }: Person) {
  return row(
    `SELECT posted, held,
       (SELECT count(*) FROM usage_log WHERE user_id = ? AND type = 2) AS rows,
       (SELECT count(*) FROM billing_requests WHERE user_id = ? AND state = 'reserved') AS open
     FROM accounts WHERE id = ?`,
    userId,
    userId,
    accountId,
  )
}

const saying: readonly (readonly [what: string, error: Error])[] = [
  ['its disk is full', coded('could not extend file: No space left on device', '53100')],
  ['it is out of memory', coded('out of memory', '53200')],
  ['it cannot be written to', coded('cannot execute UPDATE in a read-only transaction', '25006')],
  ['a right was taken away', coded('permission denied for table billing_requests', '42501')],
  ['its password was changed', coded('password authentication failed', '28P01')],
  ['it fails within', coded('cache lookup failed', 'XX000')],
  ['its driver fails', new RangeError('memory access out of bounds')],
]
for (const [what, error] of saying) {
  const wire = faulty()
  ownLedgerTest(
    `[BILL-1] what was delivered is charged although ${what} meanwhile (P2)`,
    (t, books) =>
      outlived(t, books, {
        begin: async () => {
          wire.failing = error
        },
        end: async () => {
          wire.failing = 'no'
        },
      }),
    { wrap: wire.wrap },
  )
}

const alters: readonly (readonly [what: string, begin: string, end: string])[] = [
  [
    'read-only',
    'ALTER DATABASE :name SET default_transaction_read_only = on',
    'ALTER DATABASE :name RESET default_transaction_read_only',
  ],
  [
    'closed to connections',
    'ALTER DATABASE :name ALLOW_CONNECTIONS false',
    'ALTER DATABASE :name ALLOW_CONNECTIONS true',
  ],
  [
    'of another name',
    'ALTER DATABASE :name RENAME TO :name_away',
    'ALTER DATABASE :name_away RENAME TO :name',
  ],
]
if (databaseKind === 'postgresql') for (const each of alters) alteredTest(...each)
else t.pass('databases are altered on PostgreSQL only')

function alteredTest(what: string, begin: string, end: string): void {
  ownLedgerTest(
    `[BILL-1] what was delivered is charged although the database was ${what} meanwhile (P2)`,
    async (t, books) => {
      const { name } = await books.row('SELECT current_database() AS name')
      const altered = (sql: string) =>
        administer(sql.replaceAll(':name', String(name)), String(name))
      await outlived(t, books, { begin: () => altered(begin), end: () => altered(end) })
    },
  )
}

/** Whoever is connected begins anew, and finds it altered. */
async function administer(sql: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: process.env.DATABASE_URL })
  await client.connect()
  try {
    const cut = () =>
      client.query(
        `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname LIKE $1 || '%'`,
        [name],
      )
    for (;;) {
      await cut()
      try {
        await client.query(sql)
        break
      } catch (error) {
        // 55006: somebody was quicker to connect again.
        if (!(error instanceof Error && 'code' in error && error.code === '55006')) throw error
      }
    }
    await cut()
  } finally {
    await client.end()
  }
}

t.comment(databaseKind)
