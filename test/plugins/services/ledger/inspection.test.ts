/** The check as the gateway runs it: in parts, from a mark, ended with its caller, and honest about having failed. */
import t from 'tap'
import type { Database } from '../../../../kernel/contract/services/database.js'
import { postgresConnections } from '../../../../kernel/store/connections.js'
import { useConnections } from '../../../../kernel/store/database.js'
import type { Inspected } from '../../../../plugins/services/ledger/ledger.js'
import { walk } from '../../../../plugins/services/ledger/walk.js'
import { databaseKind, freshDatabaseUrl, silentLog } from '../../../kit/database.js'
import { type Books, cost, draft, nextId, ownLedgerTest, type Person } from './books.js'
import { until } from './faulty.js'

/** What breaks a book, and which rule it breaks. */
const tricks = {
  balance: ['I1', 'UPDATE accounts SET posted = posted + ? WHERE id > 0 AND used > 0'],
  hold: ['I2', 'UPDATE accounts SET held = held + ? WHERE id > 0'],
  request: ['I4', 'UPDATE billing_requests SET settled = settled + ? WHERE settled > 0'],
  log: ['I5', 'UPDATE usage_log SET quota = quota + ? WHERE type = 2'],
  token: ['I6', 'UPDATE tokens SET used = used + ?'],
} as const

for (const rows of [1, 2, 7, 1_000]) {
  ownLedgerTest(`a walk in parts of ${rows} finds what breaks each rule`, async (t, books) => {
    await busy(books, 9)
    const whole = () => books.database.dedicated((query) => walk({ query, scope: 'whole', rows }))
    t.match(await whole(), { scope: 'whole', findings: [], verified: 9 })
    for (const [rule, cook] of Object.values(tricks)) {
      await books.set(cook, 3)
      const found = (await whole()).findings.map(({ invariant }) => invariant)
      t.ok(found.includes(rule), `${rule} is broken`)
      await books.set(cook, -3)
      t.strictSame((await whole()).findings, [], 'and mended')
    }
    for (const [lost, rule] of [
      ['usage_log', 'I5'],
      ['billing_requests', 'I4'],
    ] as const) {
      await books.set(`CREATE TABLE kept AS SELECT * FROM ${lost}`)
      const type = lost === 'usage_log' ? 'WHERE type = 2' : ''
      await books.set(`DELETE FROM ${lost} ${type}`)
      const found = (await whole()).findings.map(({ invariant }) => invariant)
      t.ok(found.includes(rule), `${lost} is missed`)
      await books.set(`INSERT INTO ${lost} SELECT * FROM kept ${type}`)
      await books.set('DROP TABLE kept')
    }
    t.strictSame((await whole()).findings, [])
  })
}

ownLedgerTest('a check of what is new begins where the last sound one ended', async (t, books) => {
  const { inspection } = books.ledger
  const person = await busy(books, 5)
  t.match(await inspection.run('new'), { scope: 'whole', verified: 5 }, 'all is new at first')
  await settledLongAgo(books)
  t.match(await inspection.run('new'), { scope: 'new', verified: 0 })
  await charged(books, person)
  t.match(await inspection.run('new'), { scope: 'new', verified: 1 })
  const mark = await books.row('SELECT transfers_upto FROM ledger_checks')
  t.match(mark, await books.row('SELECT max(id) AS transfers_upto FROM transfers'))
  for (const trick of [tricks.balance, tricks.hold, tricks.token]) {
    await books.set(trick[1], 3)
    t.ok(broken(await inspection.run('new')).includes(trick[0]), 'a sum is compared each time')
    await books.set(trick[1], -3)
  }
  t.strictSame(broken(await inspection.run('new')), [])
})

ownLedgerTest(
  'what is new is verified row by row, and stays new while it is broken',
  async (t, books) => {
    const { inspection } = books.ledger
    const person = await busy(books, 3)
    await inspection.run('whole')
    await settledLongAgo(books)
    const requestId = await charged(books, person)
    for (const [rule, sql] of [
      ['I4', 'UPDATE billing_requests SET settled = settled + ? WHERE request_id = ?'],
      ['I5', 'UPDATE usage_log SET quota = quota + ? WHERE request_id = ?'],
    ] as const) {
      await books.set(sql, 3, requestId)
      for (const turn of ['first', 'second']) {
        t.ok(broken(await inspection.run('new')).includes(rule), `${rule}, ${turn}`)
      }
      await books.set(sql, -3, requestId)
    }
    t.strictSame(broken(await inspection.run('new')), [])
  },
)

ownLedgerTest(
  'a row that was verified and changed later is found by the whole check that falls due once a day',
  async (t, books) => {
    const { inspection } = books.ledger
    await busy(books, 4)
    await inspection.run('whole')
    await settledLongAgo(books)
    await books.set(tricks.request[1], 3)
    await books.run('ledger.check')
    t.match((await inspection.state()).last, { scope: 'new' })
    await books.set("UPDATE ledger_checks SET whole_at = now() - interval '25 hours'")
    await books.run('ledger.check')
    const { last } = await inspection.state()
    t.match(last, { scope: 'whole' })
    t.strictSame(broken(last!), ['I4', 'I5'])
    t.match(await books.row('SELECT count(*) FROM accounts WHERE blocked'), { count: 1n })
    t.match(await inspection.run('new'), { scope: 'whole' }, 'while it is broken all is looked at')
    await books.set(tricks.request[1], -3)
    t.strictSame(broken(await inspection.run('new')), [])
    t.match(await books.row('SELECT count(*) FROM accounts WHERE blocked'), { count: 0n })
    t.match(await inspection.run('new'), { scope: 'new' })
  },
)

let isBroken = false
const breaking = (database: Database): Database => ({
  ...database,
  dedicated: (run, signal) =>
    database.dedicated(async (query) => {
      if (isBroken) await query('SELECT * FROM nowhere')
      return run(query)
    }, signal),
})
ownLedgerTest(
  'a check that fails reports so to every process, and neither blocks nor frees an account',
  async (t, books) => {
    const other = await books.process({ nodeName: 'node-other' })
    const person = await busy(books, 2)
    await books.ledger.inspection.run()
    await books.set('UPDATE accounts SET blocked = true WHERE id = ?', person.accountId)
    isBroken = true
    await t.rejects(books.ledger.inspection.run(), { code: '42P01' })
    isBroken = false
    for (const { ledger } of [books, other]) {
      const { failed, last } = await ledger.inspection.state()
      t.match(failed, { reason: 'relation "nowhere" does not exist' })
      t.ok(last, 'what was known before is still reported')
    }
    t.match(await books.row('SELECT count(*) FROM accounts WHERE blocked'), { count: 1n })
    await other.ledger.inspection.run()
    t.match(await books.row('SELECT count(*) FROM accounts WHERE blocked'), { count: 0n })
    t.equal((await other.ledger.inspection.state()).failed, undefined)
  },
  { wrap: breaking },
)

ownLedgerTest('one process at a time checks the books by itself', async (t, books) => {
  t.ok(books.leased.has('ledger.check'))
})

let isSlow = false
const slow = (database: Database): Database => ({
  ...database,
  dedicated: (run, signal) =>
    database.dedicated(async (query) => {
      if (isSlow) for (;;) await query('SELECT pg_sleep(0.01)')
      return run(query)
    }, signal),
})
ownLedgerTest(
  'a check ends when all who requested it have left, and with the process',
  async (t, books) => {
    const { inspection } = books.ledger
    isSlow = true
    const [first, second] = [new AbortController(), new AbortController()]
    const requests = [first, second].map(({ signal }) => inspection.run('whole', signal))
    const left = requests.map((each) => each.catch((error: Error) => error.message))
    first.abort(new Error('first'))
    t.equal(await left[0], 'first')
    t.equal((await inspection.state()).running, true, 'somebody still waits')
    second.abort(new Error('second'))
    t.equal(await left[1], 'second')
    while ((await inspection.state()).running);
    t.equal((await inspection.state()).failed, undefined, 'who leaves breaks nothing')
    const last = inspection.run().catch((error: Error) => error.message)
    isSlow = false
    const other = await books.process({ nodeName: 'node-leaving', wrap: slow })
    isSlow = true
    const stopped = other.ledger.inspection.run().catch((error: Error) => error.message)
    await other.ledger.stop?.()
    t.equal(await stopped, 'The gateway stops.')
    isSlow = false
    await books.ledger.stop?.()
    t.equal(await last, 'The gateway stops.')
  },
  { wrap: slow },
)

if (databaseKind === 'postgresql') onPostgres()
else t.pass('several sessions are there on PostgreSQL only')

function onPostgres(): void {
  ownLedgerTest('a transfer that shows itself late is not passed over', async (t, books) => {
    const { inspection } = books.ledger
    const person = await busy(books, 2)
    await inspection.run('whole')
    const late = await books.database.knex.transaction()
    await books.ledger.post(
      {
        key: 'late',
        kind: 'topup',
        userId: (await books.person(0n)).userId,
        amount: 7n,
        requestId: nextId(),
        note: '',
      },
      late,
    )
    await charged(books, person)
    const checked = inspection.run('new')
    await until(() => true)
    await late.commit()
    t.strictSame(broken(await checked), [])
    t.strictSame(broken(await inspection.run('new')), [])
    t.match(
      await books.row('SELECT sum(amount) FROM ledger_sums WHERE NOT of_token AND id = -4'),
      await books.row("SELECT -sum(amount) AS sum FROM transfers WHERE kind = 'topup'"),
    )
  })

  t.test(
    'work on a connection of its own outlasts every limit and is cancelled with its caller',
    async (t) => {
      const connections = postgresConnections((await freshDatabaseUrl(t)) ?? '', silentLog, {
        answerMs: 300,
      })
      const database = await useConnections(connections, { log: silentLog })
      t.teardown(() => database.close())
      await database.dedicated((query) => query('SELECT pg_sleep(0.6)'))
      const limit = await database.dedicated((query) => query('SHOW statement_timeout'))
      t.match(limit.rows, [{ statement_timeout: '0' }])

      const caller = new AbortController()
      const asleep = database.dedicated((query) => query('SELECT pg_sleep(600)'), caller.signal)
      const sleeping = async () => {
        const { rows } = await database.knex.raw(
          `SELECT count(*)::integer AS count FROM pg_stat_activity
         WHERE datname = current_database() AND query = 'SELECT pg_sleep(600)' AND state = 'active'`,
        )
        return rows[0].count
      }
      while ((await sleeping()) === 0);
      caller.abort(new Error('nobody waits any more'))
      await t.rejects(asleep, { message: 'nobody waits any more' })
      t.equal(await sleeping(), 0, 'nothing of it runs on')
    },
  )
}

t.comment(databaseKind)

async function busy(books: Books, requests: number): Promise<Person> {
  const person = await books.person(1_000n)
  for (let each = 0; each < requests; each++) await charged(books, person)
  return person
}

async function charged(books: Books, person: Person): Promise<string> {
  const requestId = nextId()
  const hold = books.hold(person, { requestId })
  await hold.cover(10n, draft)
  await hold.close(cost(5n))
  return requestId
}

/** So that the next check of what is new does not look at it once more. */
function settledLongAgo({ set }: Books): Promise<void> {
  return set(`WITH log AS (UPDATE usage_log SET created_at = created_at - interval '1 hour')
    UPDATE billing_requests SET closed_at = closed_at - interval '1 hour'`)
}

function broken({ invariants }: Inspected): readonly string[] {
  return invariants.filter(({ breaches }) => breaches.length > 0).map(({ id }) => id)
}
