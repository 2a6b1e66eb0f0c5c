/**
 * What only several sessions of a real server show: waits, deadlocks, lost connections, rivals for
 * one request.
 */
import type { Knex } from 'knex'
import t from 'tap'
import { databaseKind } from '../../../kit/database.js'
import {
  type Books,
  cost,
  draft,
  failed,
  ledgerTest,
  nextId,
  type Person,
  settled,
} from './books.js'
import { until } from './faulty.js'

if (databaseKind === 'postgresql') onPostgres()
else t.pass('needs several sessions: runs on PostgreSQL only')

function onPostgres(): void {
  for (const ending of ['commits', 'rolls back'] as const) {
    ledgerTest(
      `a rival for the same new request that ${ending} leaves one hold`,
      async (t, books) => {
        const person = await books.person(1_000n)
        const requestId = nextId()
        const rival = await books.database.knex.transaction()
        await rival.raw(
          `SELECT billing_apply('node-1', (SELECT epoch FROM instances WHERE id = 'node-1'), ARRAY[?], '{reserve}',
           ARRAY[?::integer], ARRAY[?::integer], ARRAY[?::integer], '{1}', '{70}', '[null]')`,
          [requestId, person.userId, person.accountId, person.tokenId],
        )
        const hold = books.hold(person, { requestId })
        const verdict = hold.cover(100n, draft)
        await waiting(books)
        await (ending === 'commits' ? rival.commit() : rival.rollback())
        t.equal(await verdict, 'ok')
        t.equal(hold.covered, 100n)
        t.match(await wallet(books, person), { held: 100n })
        t.strictSame(await hold.close(cost(60n)), settled(60n))
      },
    )
  }

  ledgerTest('a deadlock costs nobody anything: the same call is repeated', async (t, books) => {
    const person = await books.person(1_000n)
    const requestId = nextId()
    const hold = books.hold(person, { requestId })
    await hold.cover(100n, draft)
    const wrongWay = await books.database.knex.transaction()
    await wrongWay.raw(`SET LOCAL deadlock_timeout = '30s'`)
    await lockAccount(wrongWay, person)
    const charge = hold.close(cost(40n))
    await waiting(books)
    await wrongWay.raw(
      'SELECT FROM billing_requests WHERE request_id = ? FOR NO KEY UPDATE',
      requestId,
    )
    await wrongWay.commit()
    t.strictSame(await charge, settled(40n))
    t.match(await wallet(books, person), { posted: 960n, held: 0n })
  })

  ledgerTest(
    'connections that are cut lose no settlement and repeat none (P3)',
    async (t, books) => {
      const people = [await books.person(100_000n), await books.person(100_000n)]
      let answered = 0
      let acknowledged = 0n
      const caller = async (at: number) => {
        for (let round = 0; round < 20; round++) {
          const hold = books.hold(people[at % 2]!)
          // Refused: whether it was set aside all the same is for the close to find out.
          await hold.cover(100n, draft).catch(() => 'refused')
          const charge = await hold.close(hold.covered > 0n ? cost(7n) : failed)
          acknowledged += charge.quota
          answered += 1
        }
      }
      const callers = Array.from({ length: 16 }, (_, at) => caller(at))
      for (let cut = 1; cut <= 20; cut++) {
        await until(() => answered >= cut * 12)
        await books.row(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database()
           AND query LIKE '%billing_apply($1%' AND pid <> pg_backend_pid()`,
        )
      }
      await Promise.all(callers)
      const spent = await books.row(
        'SELECT sum(used) AS used, sum(held) AS held FROM accounts WHERE id IN (?, ?)',
        people[0]!.accountId,
        people[1]!.accountId,
      )
      t.equal(BigInt(String(spent.used)), acknowledged)
      t.equal(spent.held, '0')
      t.ok(acknowledged > 1_000n)
    },
  )

  ledgerTest('a sweeper passes over what another session has in hand', async (t, books) => {
    const person = await books.person(1_000n)
    const dying = await books.process({ nodeName: 'node-dying' })
    const [taken, free] = [nextId(), nextId()]
    const hold = dying.hold(person, { requestId: taken })
    await hold.cover(10n, draft)
    await dying.hold(person, { requestId: free }).cover(10n, draft)
    await books.set("UPDATE instances SET stopped_at = now() WHERE id = 'node-dying'")
    const other = await books.database.knex.transaction()
    await other.raw('SELECT FROM billing_requests WHERE request_id = ? FOR NO KEY UPDATE', taken)
    t.equal(await books.ledger.sweep(), 1)
    await other.commit()
    const [charge, swept] = await Promise.all([hold.close(cost(4n)), books.ledger.sweep()])
    t.strictSame(charge, settled(4n), 'owner and sweeper agree, whoever comes first')
    t.ok(swept <= 1)
    t.match(await wallet(books, person), { posted: 996n, held: 0n })
  })

  ledgerTest('two processes share a wallet and a cap without passing either', async (t, books) => {
    const person = await books.person(5_000n, 3_000n)
    const other = await books.process({ nodeName: 'node-twin' })
    const holds = Array.from({ length: 100 }, (_, at) => (at % 2 ? books : other).hold(person))
    const verdicts = await Promise.all(holds.map((hold) => hold.cover(100n, draft)))
    t.equal(verdicts.filter((verdict) => verdict === 'ok').length, 30)
    t.equal(verdicts.filter((verdict) => verdict === 'shortToken').length, 70)
    await Promise.all(holds.map((hold) => hold.close(cost(50n))))
    t.match(await wallet(books, person), { posted: 3_500n, held: 0n, requests: 30n })
  })
}

async function lockAccount(trx: Knex.Transaction, { accountId }: Person): Promise<void> {
  await trx.raw('SELECT FROM accounts WHERE id = ? FOR NO KEY UPDATE', accountId)
}

/** Resolves when a billing statement waits for a lock. */
async function waiting({ row }: Books): Promise<void> {
  for (let look = 0; look < 2_000; look++) {
    const { count } = await row(
      `SELECT count(*) FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'
         AND query LIKE '%billing_apply($1%'`,
    )
    if (count === 1n) return
  }
  throw new Error('nobody waits')
}

function wallet({ row }: Books, { accountId }: Person) {
  return row('SELECT * FROM accounts WHERE id = ?', accountId)
}
