/**
 * Holds whose owner died: closed at their last mark by whoever is there, and corrected once if the
 * owner comes back.
 */
import t from 'tap'
import {
  type Books,
  cost,
  draft,
  failed,
  ledgerTest,
  nextId,
  type Person,
  type Process,
  released,
  settled,
} from './books.js'

ledgerTest(
  '[BILL-1] a killed process finds its holds closed at their marks when it starts again (M8)',
  async (t, books) => {
    const nodeName = nextNode()
    const person = await books.person(1_000n)
    const killed = await books.process({ nodeName })
    const [marked, silent] = [nextId(), nextId()]
    await running(killed, person, marked, 40n)
    await running(killed, person, silent)
    t.match(await wallet(books, person), { held: 200n })
    await books.process({ nodeName })
    t.match(await wallet(books, person), { posted: 960n, held: 0n, requests: 1n })
    t.match(await request(books, marked), { state: 'settled', settled: 40n, outcome: 'orphan' })
    t.match(await request(books, silent), { state: 'released', outcome: 'orphan' })
    t.match(await books.row('SELECT * FROM usage_log WHERE request_id = ?', marked), {
      quota: 40n,
      username: 'ada',
      channel_id: 7,
      detail: { outcome: 'orphan' },
    })
  },
)

ledgerTest(
  '[BILL-1] the truth of a late owner is posted as one correction (P11)',
  async (t, books) => {
    const nodeName = nextNode()
    const cases: readonly (readonly [mark: bigint, truth: bigint, log: string])[] = [
      [40n, 100n, '2:60'],
      [40n, 10n, '6:30'],
      [40n, 40n, ''],
      [0n, 25n, '2:25'],
    ]
    for (const [mark, truth, log] of cases) {
      const person = await books.person(1_000n)
      const late = await books.process({ nodeName })
      const requestId = nextId()
      const hold = await running(late, person, requestId, mark)
      await books.process({ nodeName })
      const rivals = [hold, late.hold(person, { requestId })]
      await t.rejects(async () => rivals[1]?.cover(0n, draft), { code: 'database_unavailable' })
      t.strictSame(await hold.close(cost(truth)), settled(truth))
      t.match(await wallet(books, person), { posted: 1_000n - truth, held: 0n, requests: 1n })
      t.match(await token(books, person), { used: truth, held: 0n })
      t.match(
        await books.row(
          `SELECT coalesce(string_agg(type || ':' || quota, ' '), '') AS log FROM usage_log
         WHERE request_id = ? AND detail ->> 'outcome' IS NULL`,
          requestId,
        ),
        { log },
      )
      t.match(await request(books, requestId), { outcome: 'orphan' }, 'the row stays as it was')
    }
  },
)

ledgerTest('a correction that comes twice counts once and answers alike', async (t, books) => {
  const nodeName = nextNode()
  const person = await books.person(50n)
  const late = await books.process({ nodeName })
  const requestId = nextId()
  await running(late, person, requestId, 40n, 50n)
  await books.process({ nodeName })
  const correct = (actual: number) =>
    books.row(`SELECT * FROM billing_correct(?, ?, '{"detail":{}}')`, requestId, actual)
  t.match(await correct(90), { quota: 90n, shortfall: 40n }, 'debt is recorded')
  t.match(await correct(90), { quota: 90n })
  t.match(await correct(70), { quota: 90n }, 'the first truth stands')
  t.match(await wallet(books, person), { posted: -40n })
  await t.rejects(
    books.row(`SELECT * FROM billing_correct('req_unknown', 5, '{}')`),
    { code: '23001' },
    'only an orphan can be corrected',
  )
})

ledgerTest('a late owner that delivered nothing changes nothing', async (t, books) => {
  const nodeName = nextNode()
  const person = await books.person(1_000n)
  const late = await books.process({ nodeName })
  const hold = await running(late, person, nextId())
  await books.process({ nodeName })
  t.strictSame(await hold.close(failed), released)
  t.match(await wallet(books, person), { posted: 1_000n, held: 0n })
})

ledgerTest(
  'a process that has been silent for more than 30 s loses its holds',
  async (t, books) => {
    const nodeName = nextNode()
    const person = await books.person(1_000n)
    const other = await books.process({ nodeName })
    const requestId = nextId()
    await running(other, person, requestId, 40n)
    const silentFor = (seconds: number) =>
      books.set(
        'UPDATE instances SET last_seen = now() - make_interval(secs => ?) WHERE id = ?',
        seconds,
        nodeName,
      )
    await watching(books)
    await silentFor(25)
    t.equal(await books.ledger.sweep(), 0)
    await silentFor(31)
    t.equal(await books.ledger.sweep(), 1)
    t.equal(await books.ledger.sweep(), 0)
    t.match(await request(books, requestId), { state: 'settled', settled: 40n })
  },
)

ledgerTest(
  'a silent process that comes back is heard again before it sets anything aside',
  async (t, books) => {
    const nodeName = nextNode()
    const person = await books.person(1_000n)
    const other = await books.process({ nodeName })
    await books.set(
      "UPDATE instances SET last_seen = now() - interval '1 minute' WHERE id = ?",
      nodeName,
    )
    const hold = other.hold(person)
    t.equal(await hold.cover(100n, draft), 'ok')
    t.equal(await books.ledger.sweep(), 0)
    await books.set('DELETE FROM instances WHERE id = ?', nodeName)
    t.equal(await books.ledger.sweep(), 1, 'a deleted instance owns nothing')
    t.equal(await other.hold(person).cover(100n, draft), 'ok', 'it takes a new epoch')
    t.equal(await books.ledger.sweep(), 0)
    t.strictSame(await hold.close(failed), released)
  },
)

ledgerTest('a mark keeps the hold of a process that took a new epoch', async (t, books) => {
  const nodeName = nextNode()
  const person = await books.person(1_000n)
  const other = await books.process({ nodeName })
  const hold = await running(other, person, nextId(), 5n)
  await books.set('DELETE FROM instances WHERE id = ?', nodeName)
  await other.run('ledger.beat')
  await other.run('ledger.mark')
  await other.ledger.flushed()
  t.equal(await books.ledger.sweep(), 0)
  t.strictSame(await hold.close(cost(9n)), settled(9n))
})

ledgerTest('a process that has been replaced sets nothing aside (P11)', async (t, books) => {
  const nodeName = nextNode()
  const person = await books.person(1_000n)
  const zombie = await books.process({ nodeName })
  const held = zombie.hold(person)
  await held.cover(100n, draft)
  const next = await books.process({ nodeName })
  await t.rejects(zombie.hold(person).cover(10n, draft), { code: 'database_unavailable' })
  await zombie.run('ledger.beat')
  await t.rejects(zombie.hold(person).cover(0n, draft), { code: 'database_unavailable' })
  t.equal(await next.hold(person).cover(10n, draft), 'ok', 'its successor does')
  t.match(await wallet(books, person), { held: 10n })
  await held.close(failed)
})

ledgerTest('tasks are not swept, their deadline owns them', async (t, books) => {
  const nodeName = nextNode()
  const person = await books.person(1_000n)
  const other = await books.process({ nodeName })
  const requestId = nextId()
  const hold = await running(other, person, requestId)
  await books.set("UPDATE billing_requests SET kind = 'task' WHERE request_id = ?", requestId)
  await books.process({ nodeName })
  t.match(await request(books, requestId), { state: 'reserved' })
  t.strictSame(await hold.close(cost(60n)), settled(60n))
})

ledgerTest('hundreds of orphans are closed by several sweepers, each once', async (t, books) => {
  const nodeName = nextNode()
  const person = await books.person(1_000_000n)
  const dying = await books.process({ nodeName })
  const holds = Array.from({ length: 450 }, () => dying.hold(person))
  await Promise.all(holds.map((hold) => hold.cover(100n, draft)))
  for (const hold of holds) hold.follow(() => 3n)
  await dying.run('ledger.mark')
  await dying.ledger.flushed()
  t.ok(holds.every(({ covered }) => covered === 100n))
  await books.set('UPDATE instances SET stopped_at = now() WHERE id = ?', nodeName)
  const other = await books.process({ nodeName: nextNode() })
  const swept = await Promise.all([
    books.ledger.sweep(),
    books.ledger.sweep(),
    other.ledger.sweep(),
  ])
  const before = await wallet(books, person)
  t.match(before, { posted: 1_000_000n - 450n * 3n, held: 0n })
  t.equal(await books.ledger.sweep(), 0)
  t.ok(swept.every((count) => count <= 450))
})

ledgerTest(
  'an orderly stop marks, settles what is on its way and says goodbye',
  async (t, books) => {
    const nodeName = nextNode()
    const person = await books.person(1_000n)
    const leaving = await books.process({ nodeName })
    const [open, closing] = [nextId(), leaving.hold(person)]
    const hold = leaving.hold(person, { requestId: open })
    await hold.cover(100n, draft)
    await closing.cover(100n, draft)
    hold.follow(() => 15n)
    const charge = closing.close(cost(20n))
    await leaving.ledger.stop?.()
    t.strictSame(await charge, settled(20n))
    t.match(await request(books, open), { progress: 15n, state: 'reserved' })
    await t.rejects(leaving.hold(person).cover(1n, draft), { code: 'database_unavailable' })
    t.equal(await books.ledger.sweep(), 1, 'what it still held is orphaned at once')
    t.match(await wallet(books, person), { posted: 965n, held: 0n })
  },
)

t.comment(process.env.DATABASE_URL ? 'on PostgreSQL' : 'on PGlite')

let nodes = 1

function nextNode(): string {
  nodes += 1
  return `node-${nodes}`
}

async function running(
  from: Process,
  person: Person,
  requestId: ReturnType<typeof nextId>,
  mark = 0n,
  quota = 100n,
) {
  const hold = from.hold(person, { requestId })
  await hold.cover(quota < 50n ? quota : 50n, draft)
  await hold.cover(quota, draft)
  hold.follow(() => mark)
  await from.run('ledger.mark')
  await from.ledger.flushed()
  return hold
}

/** As if this process had been connected for longer than the lease. */
function watching(books: Books, nodeName = 'node-1') {
  return books.set(
    "UPDATE instances SET connected_since = now() - interval '31 seconds' WHERE id = ?",
    nodeName,
  )
}

function wallet({ row }: Books, { accountId }: Person) {
  return row('SELECT * FROM accounts WHERE id = ?', accountId)
}

function token({ row }: Books, { tokenId }: Person) {
  return row('SELECT used, held FROM tokens WHERE id = ?', tokenId)
}

function request({ row }: Books, id: string) {
  return row('SELECT * FROM billing_requests WHERE request_id = ?', id)
}
