/**
 * Each invariant notices when its books are cooked; a broken account is blocked and freed again.
 */
import t from 'tap'
import { type Books, cost, draft, nextId, ownLedgerTest, type Person } from './books.js'

ownLedgerTest('every invariant notices what breaks it', async (t, books) => {
  const person = await busyPerson(books)
  const closed = await closedRequest(books, person)
  const tricks: readonly (readonly [string, string, string])[] = [
    [
      'I1',
      'UPDATE accounts SET posted = posted + 1 WHERE id = :account',
      'UPDATE accounts SET posted = posted - 1 WHERE id = :account',
    ],
    [
      'I2',
      'UPDATE accounts SET held = held + 1 WHERE id = :account',
      'UPDATE accounts SET held = held - 1 WHERE id = :account',
    ],
    [
      'I2',
      'UPDATE tokens SET held = held + 1 WHERE id = :token',
      'UPDATE tokens SET held = held - 1 WHERE id = :token',
    ],
    [
      'I3',
      'UPDATE accounts SET posted = posted - 1 WHERE id = :account',
      'UPDATE accounts SET posted = posted + 1 WHERE id = :account',
    ],
    [
      'I4',
      'UPDATE billing_requests SET settled = settled + 1 WHERE request_id = :closed',
      'UPDATE billing_requests SET settled = settled - 1 WHERE request_id = :closed',
    ],
    [
      'I5',
      'UPDATE usage_log SET quota = quota + 1 WHERE request_id = :closed',
      'UPDATE usage_log SET quota = quota - 1 WHERE request_id = :closed',
    ],
    [
      'I6',
      'UPDATE tokens SET used = used + 1 WHERE id = :token',
      'UPDATE tokens SET used = used - 1 WHERE id = :token',
    ],
    [
      'I7',
      "UPDATE billing_requests SET owner_instance = 'nobody', created_at = created_at - interval '2 minutes' WHERE state = 'reserved'",
      "UPDATE billing_requests SET owner_instance = 'node-1' WHERE state = 'reserved'",
    ],
    [
      'I9',
      "UPDATE billing_requests SET kind = 'task' WHERE state = 'reserved'",
      "UPDATE billing_requests SET kind = 'sync' WHERE state = 'reserved'",
    ],
    [
      'I9',
      `INSERT INTO tasks (task_id, request_id, user_id, group_name, operation, action, model, state, billing, cost, finished_at)
       VALUES ('task_1', :closed, :user, 'default', 'video', 'generate', 'm', 'failed', 'final', 29, now())`,
      'DELETE FROM tasks',
    ],
    [
      'I10',
      'UPDATE accounts SET floor = 10000 WHERE id = :account',
      'UPDATE accounts SET floor = 0 WHERE id = :account',
    ],
    [
      'I11',
      'UPDATE users SET aff_quota = aff_quota + 1 WHERE id = :user',
      'UPDATE users SET aff_quota = aff_quota - 1 WHERE id = :user',
    ],
    [
      'I11',
      'UPDATE users SET aff_history = aff_history + 1 WHERE id = :user',
      'UPDATE users SET aff_history = aff_history - 1 WHERE id = :user',
    ],
  ]
  const { userId: user, accountId: account, tokenId: token } = person
  const names = { user, account, token, closed }
  for (const [invariant, cook, undo] of tricks) {
    await books.database.knex.raw(cook, only(cook, names))
    const breaches = await books.ledger.check()
    t.ok(
      breaches.some((breach) => breach.invariant === invariant),
      `${invariant} by ${cook}`,
    )
    await books.database.knex.raw(undo, only(undo, names))
    t.strictSame(await books.ledger.check(), [], 'and is quiet again')
  }
})

ownLedgerTest('I5 looks no further back than the log was trimmed', async (t, books) => {
  const person = await busyPerson(books)
  await books.set('DELETE FROM usage_log WHERE user_id = ? AND type = 2', person.userId)
  t.match(await books.ledger.check(), [{ invariant: 'I5' }])
  await books.set("INSERT INTO facts VALUES ('usage_log.trimmed_before', now()::text)")
  await closedRequest(books, person)
})

ownLedgerTest(
  'a breach blocks the account and not the service, until it is mended',
  async (t, books) => {
    const [broken, sound] = [await books.person(100n), await books.person(100n)]
    await books.set('UPDATE accounts SET posted = 150 WHERE id = ?', broken.accountId)
    await books.run('ledger.check')
    t.equal(await books.hold(broken).cover(1n, draft), 'gone')
    t.equal(await books.hold(sound).cover(1n, draft), 'ok')
    await books.set('UPDATE accounts SET posted = 100 WHERE id = ?', broken.accountId)
    await books.run('ledger.check')
    t.equal(await books.hold(broken).cover(1n, draft), 'ok')
  },
)

t.comment(process.env.DATABASE_URL ? 'on PostgreSQL' : 'on PGlite')

/** One closed request and one open. */
async function busyPerson(books: Books): Promise<Person> {
  const person = await books.person(1_000n, 500n)
  await closedRequest(books, person)
  await books.hold(person).cover(20n, draft)
  return person
}

async function closedRequest(books: Books, person: Person): Promise<string> {
  const requestId = nextId()
  const hold = books.hold(person, { requestId })
  await hold.cover(50n, draft)
  await hold.close(cost(30n))
  return requestId
}

/** knex refuses names a statement does not use. */
function only(sql: string, names: Readonly<Record<string, string | number>>) {
  return Object.fromEntries(Object.entries(names).filter(([name]) => sql.includes(`:${name}`)))
}
