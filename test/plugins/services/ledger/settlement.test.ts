/**
 * What a request costs in the end: once, in full, even when it was not set aside, whatever the
 * database does meanwhile.
 */
import { FakeClock } from '../../../kit/clock.js'
import {
  type Books,
  cost,
  draft,
  failed,
  ledgerTest,
  nextId,
  ownLedgerTest,
  type Person,
  released,
  settled,
} from './books.js'
import { faulty, until } from './faulty.js'

ledgerTest(
  '[BILL-1] a close posts what it cost and gives back the rest, once',
  async (t, books) => {
    const person = await books.person(1_000n, 500n)
    const hold = books.hold(person)
    t.equal(hold.covered, 0n)
    t.equal(await hold.cover(300n, draft), 'ok')
    t.equal(await hold.cover(200n, draft), 'ok', 'a smaller cover leaves the hold')
    t.equal(hold.covered, 300n)
    t.strictSame(await hold.close(cost(120n)), settled(120n))
    t.strictSame(await hold.close(cost(999n)), settled(120n), 'later calls answer the first result')
    t.equal(await hold.cover(10n, draft), 'gone', 'nothing is set aside for a closed request')
    t.match(await books.row('SELECT * FROM accounts WHERE id = ?', person.accountId), {
      posted: 880n,
      held: 0n,
      used: 120n,
      requests: 1n,
    })
    t.match(await books.row('SELECT * FROM tokens WHERE id = ?', person.tokenId), {
      used: 120n,
      held: 0n,
    })
  },
)

ledgerTest('the row of a request and its log tell how the charge came about', async (t, books) => {
  const person = await books.person(1_000n)
  const requestId = nextId()
  const hold = books.hold(person, { requestId })
  await hold.cover(100n, draft)
  await hold.close(cost(80n, { draft: { ...draft, channelId: 9, group: 'vip' } }))
  t.match(await books.row('SELECT * FROM billing_requests WHERE request_id = ?', requestId), {
    state: 'settled',
    settled: 80n,
    reserved: 100n,
    outcome: 'complete',
    usage: { input: 11, cacheRead: 4, output: 5 },
    pricing_snapshot: { model: 'large', ratio: '1.5' },
  })
  t.match(await books.row('SELECT * FROM usage_log WHERE request_id = ?', requestId), {
    type: 2,
    user_id: person.userId,
    username: 'ada',
    token_id: person.tokenId,
    token_name: 'laptop',
    channel_id: 9,
    channel_name: 'east',
    model_name: 'large',
    upstream_model: 'large-2',
    group_name: 'vip',
    quota: 80n,
    prompt_tokens: 15,
    completion_tokens: 5,
    use_time_ms: 1250,
    is_stream: true,
    ip: '203.0.113.9',
    detail: { first: 30 },
  })
})

ledgerTest('nothing delivered releases without a row (M3)', async (t, books) => {
  const person = await books.person(1_000n)
  const hold = books.hold(person)
  await hold.cover(100n, draft)
  t.strictSame(await hold.close(failed), released)
  t.match(await shown(books, person), { posted: 1_000n, held: 0n, requests: 0n, rows: 1n })
})

ledgerTest('a hold that never was closes as nothing and writes nothing', async (t, books) => {
  const person = await books.person(10n)
  const never = books.hold(person)
  const refused = books.hold(person)
  t.equal(await refused.cover(100n, draft), 'short')
  for (const hold of [never, refused]) {
    t.match(await hold.close(failed), { state: 'none', quota: 0n })
  }
  t.match(
    await books.row('SELECT count(*) FROM billing_requests WHERE user_id = ?', person.userId),
    {
      count: 0n,
    },
  )
})

ledgerTest(
  'debt is posted, recorded, blocks new holds and is paid by the next top-up',
  async (t, books) => {
    const person = await books.person(100n)
    const [long, short, free] = [books.hold(person), books.hold(person), books.hold(person)]
    await long.cover(60n, draft)
    await short.cover(40n, draft)
    t.strictSame(await long.close(cost(130n)), settled(130n, 70n), 'all of it was beyond the hold')
    t.strictSame(
      await short.close(cost(40n)),
      settled(40n),
      'a charge within its hold owes nothing',
    )
    t.match(await shown(books, person), { posted: -70n, held: 0n })
    t.match(
      await books.row(
        'SELECT sum(shortfall) FROM billing_requests WHERE user_id = ?',
        person.userId,
      ),
      {
        sum: '70',
      },
    )
    t.equal(await books.hold(person).cover(1n, draft), 'short')
    t.equal(await free.cover(0n, draft), 'ok', 'what costs nothing is still served')
    await topUp(books, person, 70n)
    t.equal(await books.hold(person).cover(1n, draft), 'short', 'the top-up paid the debt first')
    await topUp(books, person, 1n)
    t.equal(await books.hold(person).cover(1n, draft), 'ok')
  },
)

ledgerTest(
  'a running answer is marked, and a better hold is not needed for it',
  async (t, books) => {
    const person = await books.person(1_000n)
    const requestId = nextId()
    const hold = books.hold(person, { requestId })
    await hold.cover(100n, draft)
    const marked = () =>
      books.row('SELECT progress FROM billing_requests WHERE request_id = ?', requestId)
    for (const [count, kept] of [
      [30n, 30n],
      [20n, 30n],
      [45n, 45n],
    ] as const) {
      hold.follow(() => count)
      t.equal(hold.covered, 100n)
      await books.run('ledger.mark')
      await books.ledger.flushed()
      t.match(await marked(), { progress: kept })
    }
    t.strictSame(await hold.close(cost(50n)), settled(50n))
  },
)

ledgerTest('a mark tells a running answer that its owner is disabled, once', async (t, books) => {
  const person = await books.person(1_000n)
  const hold = books.hold(person)
  let count = 0
  hold.onGone(() => {
    count += 1
  })
  await hold.cover(100n, draft)
  hold.follow(() => 10n)
  await books.database.knex.transaction((trx) =>
    books.ledger.setWalletActive(person.userId, false, trx),
  )
  for (let tick = 0; tick < 3; tick++) {
    hold.follow(() => 11n)
    await books.run('ledger.mark')
    await books.ledger.flushed()
  }
  t.equal(count, 1)
  t.strictSame(await hold.close(cost(12n, { outcome: 'cut' })), settled(12n))
})

ledgerTest('text the database cannot keep does not stop a charge', async (t, books) => {
  const person = await books.person(1_000n)
  const requestId = nextId()
  const hold = books.hold(person, { requestId })
  await hold.cover(100n, { ...draft, model: 'nul\0l', tokenName: 'half \ud83d' })
  const detail = { 'k\0ey': 'v\0', plain: '\\u0000', nested: [{ deep: '\udc00' }] }
  t.strictSame(await hold.close(cost(5n, { detail })), settled(5n))
  t.match(await books.row('SELECT * FROM usage_log WHERE request_id = ?', requestId), {
    model_name: 'nul\ufffdl',
    token_name: 'half \ufffd',
    detail: { 'k\ufffdey': 'v\ufffd', plain: '\\u0000', nested: [{ deep: '\ufffd' }] },
  })
})

const down = faulty()
const clock = new FakeClock()
ownLedgerTest(
  'a database that is down refuses reserves at once and takes closes when it is back (P1, P2, M16)',
  async (t, books) => {
    const person = await books.person(1_000n)
    const running = books.hold(person)
    await running.cover(100n, draft)
    down.failing = 'refused'
    await t.rejects(books.hold(person).cover(10n, draft), { code: 'database_unavailable' })
    const charge = running.close(cost(30n))
    for (let attempt = 0; attempt < 5; attempt++) {
      await until(() => clock.pending === 1)
      await t.rejects(books.hold(person).cover(10n, draft), { code: 'database_unavailable' })
      clock.advance(2_000)
    }
    t.ok(down.failures >= 6, 'the close was tried again and again')
    down.failing = 'no'
    await until(() => clock.pending === 1)
    clock.advance(2_000)
    t.strictSame(await charge, settled(30n))
    t.equal(await books.hold(person).cover(10n, draft), 'ok')
    t.match(await shown(books, person), { posted: 970n, held: 10n })
  },
  { wrap: down.wrap, clock },
)

const lost = faulty()
ownLedgerTest(
  'a connection lost in COMMIT is repeated with the same key (P3)',
  async (t, books) => {
    const person = await books.person(1_000n)
    const once = async <Result>(call: () => Promise<Result>): Promise<Result> => {
      const before = lost.failures
      lost.failing = 'lostAfter'
      const result = call()
      await until(() => lost.failures > before)
      lost.failing = 'no'
      return result
    }
    const hold = books.hold(person)
    t.equal(await once(() => hold.cover(100n, draft)), 'ok')
    t.equal(await once(() => hold.cover(250n, draft)), 'ok')
    t.equal(hold.covered, 250n)
    t.match(await shown(books, person), { held: 250n })
    t.strictSame(await once(() => hold.close(cost(40n))), settled(40n))
    t.match(await shown(books, person), { posted: 960n, held: 0n, rows: 2n })
  },
  { wrap: lost.wrap },
)

for (const failing of ['lostBefore', 'lostAfter'] as const) {
  const silent = faulty()
  ownLedgerTest(
    `a reserve of unknown fate is undone by its close (${failing})`,
    async (t, books) => {
      const person = await books.person(1_000n)
      const requestId = nextId()
      const hold = books.hold(person, { requestId })
      silent.failing = failing
      await t.rejects(hold.cover(100n, draft), { code: 'database_unavailable' })
      silent.failing = 'no'
      t.strictSame(await hold.close(failed), released)
      t.match(await shown(books, person), { posted: 1_000n, held: 0n })
      // One that is still on its way finds the door closed.
      await t.rejects(books.hold(person, { requestId }).cover(100n, draft), {
        code: 'database_unavailable',
      })
      t.match(await shown(books, person), { held: 0n })
    },
    { wrap: silent.wrap },
  )
}

async function topUp({ ledger }: Books, { userId }: Person, amount: bigint): Promise<void> {
  const requestId = nextId()
  await ledger.post({
    key: `topup:${requestId}`,
    kind: 'topup',
    userId,
    amount,
    requestId,
    note: '',
  })
}

/** The wallet, and how many rows the log shows its user. */
function shown({ row }: Books, { accountId, userId }: Person) {
  return row(
    'SELECT *, (SELECT count(*) FROM usage_log WHERE user_id = ?) AS rows FROM accounts WHERE id = ?',
    userId,
    accountId,
  )
}
