/** Holds that their own living process no longer works on: reported to everybody, and closed without a restart. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import t from 'tap'
import type { Database } from '../../../../kernel/contract/services/database.js'
import {
  type Books,
  cost,
  draft,
  failed,
  ledgerTest,
  nextId,
  ownLedgerTest,
  type Person,
  type Process,
  settled,
} from './books.js'
import { until } from './faulty.js'

ledgerTest(
  '[BILL-1] a hold whose request ended without a close is closed at its mark',
  async (t, books) => {
    const person = await books.person(1_000n)
    const requestId = nextId()
    await forgotten(books, person, requestId)
    await books.ledger.flushed()
    await aged(books)
    collectGarbage()
    await books.run('ledger.compare')
    t.match(await request(books, requestId), { state: 'settled', settled: 40n, outcome: 'orphan' })
    t.match(await wallet(books, person), { posted: 960n, held: 0n })
  },
)

ledgerTest('a close that cannot be stored as it is costs the last mark', async (t, books) => {
  const person = await books.person(1_000n)
  const requestId = nextId()
  const hold = books.hold(person, { requestId })
  await hold.cover(100n, draft)
  hold.follow(() => 30n)
  await books.run('ledger.mark')
  await books.ledger.flushed()
  await t.rejects(hold.close(cost(2n ** 70n)), { code: '22003' })
  await books.run('ledger.compare')
  t.match(await request(books, requestId), { state: 'reserved' }, 'it may be closed again yet')
  await aged(books)
  await books.run('ledger.compare')
  t.match(await request(books, requestId), { state: 'settled', settled: 30n, outcome: 'orphan' })
})

ledgerTest('a close that was refused and passes later costs what it cost', async (t, books) => {
  const person = await books.person(1_000n)
  const requestId = nextId()
  const hold = books.hold(person, { requestId })
  await hold.cover(100n, draft)
  await books.set(`ALTER TABLE transfers ADD CONSTRAINT refused CHECK (amount <> 17) NOT VALID`)
  await t.rejects(hold.close(cost(17n)), { code: '23514' })
  await books.set('ALTER TABLE transfers DROP CONSTRAINT refused')
  await aged(books)
  await books.run('ledger.compare')
  t.match(await request(books, requestId), { state: 'settled', settled: 17n })
  t.match(await wallet(books, person), { posted: 983n, held: 0n })
  t.strictSame(await hold.close(cost(17n)), settled(17n), 'and closing it again changes nothing')
})

ownLedgerTest(
  'a hold nobody works on is reported by every process until it is closed',
  async (t, books) => {
    const other = await books.process({ nodeName: 'node-other' })
    const person = await books.person(1_000n)
    const [stuck, sound] = [nextId(), nextId()]
    const holds = [stuck, sound].map((requestId) => books.hold(person, { requestId }))
    for (const hold of holds) await hold.cover(10n, draft)
    await books.set(
      "UPDATE billing_requests SET abandoned_at = now() - interval '1 minute' WHERE request_id = ?",
      stuck,
    )
    t.match(await other.ledger.check(), [{ invariant: 'I12', finding: stuck }])
    await Promise.all(holds.map((hold) => hold.close(failed)))
    t.strictSame(await other.ledger.check(), [])
  },
)

ownLedgerTest('a living process that compares its holds no more is reported', async (t, books) => {
  const person = await books.person(1_000n)
  const hold = books.hold(person)
  await hold.cover(10n, draft)
  await books.set("UPDATE billing_requests SET created_at = now() - interval '2 minutes'")
  t.strictSame(await books.ledger.check(), [])
  await books.set("UPDATE instances SET holds_compared_at = now() - interval '2 minutes'")
  t.match(await books.ledger.check(), [{ invariant: 'I12', finding: 'node-1' }])
  await books.run('ledger.compare')
  t.strictSame(await books.ledger.check(), [])
  t.strictSame(await hold.close(cost(4n)), settled(4n))
})

let release: (() => void) | undefined
let isHeldBack = false
/** Billing calls reach the database, and their answers do not come back until they are released. */
const heldBack = (database: Database): Database => ({
  ...database,
  async billing(statement) {
    const result = await database.billing(statement)
    if (isHeldBack && statement.name === 'billing-apply') {
      await new Promise<void>((resolve) => {
        release = resolve
      })
    }
    return result
  },
})
ownLedgerTest(
  'what is under way is left alone, however long it takes and however little is known of it',
  async (t, books) => {
    const person = await books.person(1_000n)
    const silent = books.hold(person)
    const long = books.hold(person, { kind: 'realtime' })
    await silent.cover(10n, draft)
    await long.cover(10n, draft)
    long.follow(() => 0n)
    isHeldBack = true
    const inFlight = books.hold(person)
    const verdict = inFlight.cover(10n, draft)
    await until(() => release !== undefined)
    await aged(books)
    collectGarbage()
    await books.run('ledger.compare')
    t.match(await wallet(books, person), { held: 30n })
    isHeldBack = false
    release?.()
    t.equal(await verdict, 'ok')
    for (const hold of [silent, long, inFlight]) {
      t.strictSame(await hold.close(cost(3n)), settled(3n))
    }
    t.match(await books.row('SELECT count(*) FROM transfers WHERE kind = ?', 'corr'), { count: 0n })
  },
  { wrap: heldBack },
)

ledgerTest('holds of other processes are their own affair', async (t, books) => {
  const other = await books.process({ nodeName: 'node-neighbour' })
  const person = await books.person(1_000n)
  const hold = other.hold(person)
  await hold.cover(10n, draft)
  await aged(books)
  await books.run('ledger.compare')
  t.match(await wallet(books, person), { held: 10n })
  t.strictSame(await hold.close(cost(3n)), settled(3n))
})

t.comment(process.env.DATABASE_URL ? 'on PostgreSQL' : 'on PGlite')

/** A stream that was marked and that nothing will ever close. */
async function forgotten(
  from: Process,
  person: Person,
  requestId: ReturnType<typeof nextId>,
): Promise<void> {
  const hold = from.hold(person, { requestId })
  await hold.cover(100n, draft)
  hold.follow(() => 40n)
  await from.run('ledger.mark')
}

function aged({ set }: Books): Promise<void> {
  return set(
    "UPDATE billing_requests SET created_at = now() - interval '1 hour' WHERE state = 'reserved'",
  )
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}

function wallet({ row }: Books, { accountId }: Person) {
  return row('SELECT * FROM accounts WHERE id = ?', accountId)
}

function request({ row }: Books, id: string) {
  return row('SELECT * FROM billing_requests WHERE request_id = ?', id)
}
