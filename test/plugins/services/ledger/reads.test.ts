/** What people look up in the ledger: open holds and the book, as far as HTTP does not show it. */
import t from 'tap'
import { cost, draft, ledgerTest, nextId, ownLedgerTest } from './books.js'

ownLedgerTest('open holds stand oldest first and say whose owner is gone', async (t, books) => {
  const person = await books.person(1_000n)
  const other = await books.process({ nodeName: 'node-2' })
  const [late, early, gone] = [nextId(), nextId(), nextId()]
  const held = books.hold(person, { requestId: late })
  await held.cover(30n, draft)
  await other.hold(person, { requestId: gone }).cover(10n, draft)
  await books.hold(person, { requestId: early, kind: 'playground' }).cover(20n, draft)
  const age =
    "UPDATE billing_requests SET created_at = now() - interval '1 minute' * ? WHERE request_id = ?"
  await books.set(age, 1, early)
  await books.set(age, 2, gone)
  await books.set(
    "UPDATE instances SET last_seen = now() - interval '31 seconds' WHERE id = 'node-2'",
  )
  held.follow(() => 17n)
  await books.run('ledger.mark')
  await books.ledger.flushed()

  const { items, total } = await books.ledger.openHolds({ page: 1, pageSize: 10 })
  t.equal(total, 3)
  t.match(items, [
    { requestId: gone, isOrphan: true, instance: 'node-2', held: 10n, used: 0n },
    { requestId: early, isOrphan: false, kind: 'playground', held: 20n },
    { requestId: late, isOrphan: false, kind: 'sync', held: 30n, used: 17n, draft },
  ])
  t.ok((items[0]?.ageSeconds ?? 0) >= 120)
  t.match(await books.ledger.openHolds({ page: 2, pageSize: 2 }), {
    total: 3,
    items: [{ requestId: late }],
  })
  t.match(await books.ledger.overview(), {
    openHolds: 3,
    held: 60n,
    oldestHold: { requestId: gone },
  })

  await books.set("UPDATE instances SET connected_since = now() - interval '31 seconds'")
  await books.ledger.sweep()
  t.match(await books.ledger.openHolds({ page: 1, pageSize: 1 }), {
    total: 2,
    items: [{ requestId: early }],
  })
})

ledgerTest('what an orphan cost later stands beside its settlement', async (t, books) => {
  const person = await books.person(1_000n)
  const requestId = nextId()
  const silent = await books.process({ nodeName: 'node-silent' })
  const hold = silent.hold(person, { requestId })
  await hold.cover(100n, draft)
  hold.follow(() => 40n)
  await silent.run('ledger.mark')
  await silent.ledger.flushed()
  await books.set("UPDATE instances SET stopped_at = now() WHERE id = 'node-silent'")
  await books.ledger.sweep()
  await hold.close(cost(70n))
  const { items, total } = await books.ledger.entries({ requestId, page: 1, pageSize: 10 })
  t.equal(total, 2)
  t.match(items, [
    { kind: 'corr', amount: 30n, debit: { userId: person.userId }, credit: { name: 'revenue' } },
    { kind: 'settle', amount: 40n, debit: { accountId: person.accountId, kind: 'wallet' } },
  ])
})

t.comment(process.env.DATABASE_URL ? 'on PostgreSQL' : 'on PGlite')
