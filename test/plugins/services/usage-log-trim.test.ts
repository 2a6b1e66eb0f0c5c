/** Deleting old rows of the log while the check of the books goes on comparing the log with the charges. */
import type { Test } from 'tap'
import { type Books, cost, draft, nextId, ownLedgerTest, type Person } from './ledger/books.js'
import { type UsageFixture, usageFixtureOver } from './usage-log-fixture.js'

const day = 86_400

/** A closed request, as if of so many days ago. */
async function chargedAgo(books: Books, person: Person, days: number): Promise<string> {
  const requestId = nextId()
  const hold = books.hold(person, { requestId })
  await hold.cover(50n, draft)
  await hold.close(cost(30n))
  for (const [table, column] of [
    ['usage_log', 'created_at'],
    ['billing_requests', 'closed_at'],
  ]) {
    await books.set(
      `UPDATE ${table} SET ${column} = ${column} - ? * interval '1 day' WHERE request_id = ?`,
      days,
      requestId,
    )
  }
  return requestId
}

async function trimmed(t: Test, gateway: UsageFixture, daysAgo: number, expected: number) {
  const { rows } = await gateway.database.knex.raw(
    'SELECT extract(epoch FROM now())::float8 AS now',
  )
  const before = Math.floor(rows[0].now - daysAgo * day)
  t.equal(await gateway.service.trim(before), expected, `${daysAgo} days`)
}

ownLedgerTest(
  'the books add up after old rows are deleted, and notice lost ones',
  async (t, books) => {
    const gateway = await usageFixtureOver(books.database)
    const person = await books.person(1_000n, 500n)
    await chargedAgo(books, person, 40)
    await chargedAgo(books, person, 20)
    const young = await chargedAgo(books, person, 0)
    t.strictSame(await books.ledger.check(), [])
    await trimmed(t, gateway, 30, 1)
    t.strictSame(await books.ledger.check(), [], 'the old row is gone')
    await trimmed(t, gateway, 10, 1)
    await trimmed(t, gateway, 30, 0)
    t.strictSame(await books.ledger.check(), [], 'an earlier moment moves nothing back')
    t.same(await gateway.ids({ type: 2 }), [young])
    t.equal((await gateway.service.totals({})).quota, 90n, 'sums keep what rows no longer show')
    await books.set('UPDATE usage_log SET quota = quota + 1 WHERE request_id = ?', young)
    t.match(await books.ledger.check(), [{ invariant: 'I5' }], 'what is left is compared')
    await books.set('UPDATE usage_log SET quota = quota - 1 WHERE request_id = ?', young)
  },
)
