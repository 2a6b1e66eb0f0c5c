/**
 * What is set aside: hard caps under races, batches whose items do not hurt each other, and who may
 * ask at all.
 */
import t from 'tap'
import { applyBatch, type Operation } from '../../../../plugins/services/ledger/batch.js'
import {
  type Books,
  cost,
  draft,
  ledgerTest,
  nextId,
  type Person,
  requestId,
  settled,
} from './books.js'

ledgerTest('(M1) 400 racing holds of 100 on 10,050 admit exactly 100', async (t, books) => {
  const person = await books.person(10_050n)
  const holds = Array.from({ length: 400 }, () => books.hold(person))
  const verdicts = await Promise.all(holds.map((hold) => hold.cover(100n, draft)))
  t.equal(verdicts.filter((verdict) => verdict === 'ok').length, 100)
  t.equal(verdicts.filter((verdict) => verdict === 'short').length, 300)
  t.match(await wallet(books, person), { posted: 10_050n, held: 10_000n })
  t.match(
    await books.row('SELECT count(*) FROM billing_requests WHERE user_id = ?', person.userId),
    { count: 100n },
    'no row without a hold',
  )
})

ledgerTest('(M1) a token cap of 700 admits exactly 7 holds of 100', async (t, books) => {
  const person = await books.person(1_000_000n, 700n)
  const holds = Array.from({ length: 40 }, () => books.hold(person))
  const verdicts = await Promise.all(holds.map((hold) => hold.cover(100n, draft)))
  t.equal(verdicts.filter((verdict) => verdict === 'ok').length, 7)
  t.equal(verdicts.filter((verdict) => verdict === 'shortToken').length, 33)
  t.match(await token(books, person), { used: 0n, held: 700n })
  await Promise.all(holds.map((hold) => hold.close(cost(100n))))
  t.match(await token(books, person), { used: 700n, held: 0n })
  t.equal(await books.hold(person).cover(1n, draft), 'shortToken', 'what is used counts too')
})

ledgerTest(
  '[BILL-9] revisions are cumulative, and one that is not newer changes nothing (M2)',
  async (t, books) => {
    const person = await books.person(1_000n)
    const requestId = nextId()
    const requests: readonly (readonly [revision: number, amount: bigint, verdict: string])[] = [
      [1, 100n, 'ok'],
      [2, 250n, 'ok'],
      [2, 250n, 'dup'],
      [1, 100n, 'dup'],
      [3, 400n, 'ok'],
      [4, 999_999n, 'short'],
    ]
    for (const [revision, amount, verdict] of requests) {
      const [applied] = await apply(books, [
        { ...reserve(person), requestId, revision, amount, payload: 'null' },
      ])
      t.equal(applied?.verdict, verdict, `${revision}:${amount}`)
    }
    t.match(await wallet(books, person), { held: 400n })
  },
)

ledgerTest(
  '[BILL-1] 16 racing closes settle once, with one transfer, and answer alike (M2)',
  async (t, books) => {
    const person = await books.person(1_000n)
    const requestId = nextId()
    t.equal(await books.hold(person, { requestId }).cover(300n, draft), 'ok')
    const rivals = Array.from({ length: 16 }, () => books.hold(person, { requestId }))
    t.strictSame(
      await Promise.all(rivals.map((hold) => hold.cover(300n, draft))),
      Array(16).fill('ok'),
    )
    const charges = await Promise.all(rivals.map((hold) => hold.close(cost(120n))))
    t.strictSame(charges, Array(16).fill(settled(120n)))
    t.match(
      await books.row(
        'SELECT count(*), sum(amount) FROM transfers WHERE request_id = ?',
        requestId,
      ),
      { count: 1n, sum: '120' },
    )
    t.match(await wallet(books, person), { posted: 880n, held: 0n, used: 120n, requests: 1n })
  },
)

ledgerTest('a batch of everything answers each operation as if it came alone', async (t, books) => {
  const rich = await books.person(1_000n, 500n)
  const poor = await books.person(50n)
  const [open, ended] = [nextId(), nextId()]
  await apply(books, [
    { ...reserve(rich), requestId: open, amount: 100n },
    { ...reserve(rich), requestId: ended, amount: 100n },
  ])
  await apply(books, [{ ...close(rich), requestId: ended }])
  const batch: readonly (readonly [Operation, string])[] = [
    [{ ...reserve(rich), amount: 100n }, 'ok'],
    [{ ...close(rich), requestId: open, amount: 60n }, 'closed'],
    [{ ...reserve(poor), amount: 51n }, 'short'],
    [{ ...reserve(poor), amount: 0n }, 'ok'],
    [{ ...reserve(rich), amount: 401n }, 'shortToken'],
    [{ ...close(rich), requestId: ended }, 'already'],
    [{ ...mark(rich) }, 'ended'],
    [{ ...close(rich) }, 'none'],
    [{ ...close(rich), kind: 'abandon' }, 'closed'],
    [{ ...reserve(poor), accountId: -1, tokenId: undefined }, 'gone'],
  ]
  const applied = await apply(
    books,
    batch.map(([operation]) => operation),
  )
  t.strictSame(
    applied.map(({ verdict }) => verdict),
    batch.map(([, verdict]) => verdict),
  )
  t.match(await wallet(books, rich), { posted: 940n, held: 100n })
})

ledgerTest('those who do not fit together are tried again alone', async (t, books) => {
  const person = await books.person(150n)
  const two = [
    { ...reserve(person), amount: 100n },
    { ...reserve(person), amount: 100n },
  ]
  const applied = await apply(books, two)
  t.strictSame(
    applied.map(({ verdict }) => verdict),
    ['again', 'again'],
  )
  t.match(await wallet(books, person), { held: 0n })
  const [first, second] = [books.hold(person), books.hold(person)]
  const verdicts = await Promise.all([first.cover(100n, draft), second.cover(100n, draft)])
  t.strictSame([...verdicts].sort(), ['ok', 'short'])
})

ledgerTest('a poisonous operation does not hurt its neighbours', async (t, books) => {
  const person = await books.person(10_000n)
  const holds = Array.from({ length: 20 }, () => books.hold(person))
  const poison = books.hold(person).cover(2n ** 70n, draft)
  const verdicts = Promise.all(holds.map((hold) => hold.cover(10n, draft)))
  await t.rejects(poison)
  t.strictSame(await verdicts, Array(20).fill('ok'))
  t.match(await wallet(books, person), { held: 200n })
})

ledgerTest(
  '[BILL-2] an operation without a request id raises, whatever stands beside it',
  async (t, books) => {
    const person = await books.person(100n)
    const good = { ...reserve(person), amount: 10n }
    await t.rejects(apply(books, [good, { ...reserve(person), requestId: '' }]), { code: '23502' })
    await t.rejects(apply(books, [{ ...close(person), requestId: '' }]), { code: '23502' })
    t.throws(() => books.hold(person, { requestId: requestId('') }))
    t.match(await wallet(books, person), { held: 0n }, 'the neighbour of an empty id moved nothing')
  },
)

ledgerTest('a negative amount raises', async (t, books) => {
  const person = await books.person(100n)
  await t.rejects(apply(books, [{ ...reserve(person), amount: -1n }]), { code: '23514' })
})

ledgerTest('a free request asks too, and leaves a row of 0', async (t, books) => {
  const person = await books.person(0n)
  const hold = books.hold(person)
  t.equal(await hold.cover(0n, draft), 'ok')
  t.strictSame(await hold.close(cost(0n)), settled(0n))
  t.match(
    await books.row(
      'SELECT quota, type, model_name FROM usage_log WHERE user_id = ?',
      person.userId,
    ),
    {
      quota: 0n,
      model_name: 'large',
    },
  )
  t.match(
    await books.row('SELECT count(*) FROM transfers WHERE debit_account = ?', person.accountId),
    { count: 0n },
  )
  t.match(await wallet(books, person), { posted: 0n, used: 0n, requests: 1n })
})

const disablings: readonly (readonly [string, string])[] = [
  ['a disabled token', 'UPDATE tokens SET status = 2 WHERE id = :token'],
  ['a deleted token', 'UPDATE tokens SET deleted_at = now() WHERE id = :token'],
  [
    'an expired token',
    "UPDATE tokens SET expires_at = now() - interval '1 second' WHERE id = :token",
  ],
  ['a disabled wallet', 'UPDATE accounts SET active = false WHERE id = :account'],
  ['a blocked wallet', 'UPDATE accounts SET blocked = true WHERE id = :account'],
]
for (const [what, sql] of disablings) {
  ledgerTest(`${what} is gone, for paid, free and running requests`, async (t, books) => {
    const person = await books.person(1_000n)
    const running = books.hold(person)
    await running.cover(100n, draft)
    await books.database.knex.raw(sql, { token: person.tokenId, account: person.accountId })
    t.equal(await books.hold(person).cover(10n, draft), 'gone')
    t.equal(await books.hold(person).cover(0n, draft), 'gone')
    t.equal(await running.cover(200n, draft), 'gone')
    t.strictSame(await running.close(cost(70n)), settled(70n), 'a close never fails for it')
  })
}

ledgerTest('an expiry in the future, and no token at all, are no obstacle', async (t, books) => {
  const person = await books.person(1_000n)
  await books.set(
    "UPDATE tokens SET expires_at = now() + interval '1 hour' WHERE id = ?",
    person.tokenId,
  )
  t.equal(await books.hold(person).cover(10n, draft), 'ok')
  t.equal(
    await books.hold(person, { tokenId: undefined, kind: 'playground' }).cover(10n, draft),
    'ok',
  )
})

ledgerTest(
  '[BILL-3] a repeat that names another account gets the pinned one (M18)',
  async (t, books) => {
    const first = await books.person(1_000n)
    const other = await books.person(1_000n)
    const requestId = nextId()
    await books.hold(first, { requestId }).cover(100n, draft)
    const repeat = books.hold(other, { requestId })
    t.equal(await repeat.cover(300n, draft), 'ok')
    t.match(await wallet(books, first), { held: 300n })
    t.match(await wallet(books, other), { held: 0n })
    await repeat.close(cost(250n))
    t.match(await wallet(books, first), { posted: 750n, held: 0n })
    t.match(await wallet(books, other), { posted: 1_000n, held: 0n })
    t.match(await token(books, first), { used: 250n, held: 0n })
  },
)

t.comment(process.env.DATABASE_URL ? 'on PostgreSQL' : 'on PGlite')

function apply(books: Books, operations: readonly Operation[]) {
  return owner(books).then((from) => applyBatch(books.database, from, operations))
}

async function owner(books: Books) {
  const { epoch } = await books.row('SELECT epoch FROM instances WHERE id = ?', 'node-1')
  return { instance: 'node-1', epoch: BigInt(String(epoch)) }
}

function reserve({ userId, accountId, tokenId }: Person): Operation {
  return {
    kind: 'reserve',
    requestId: nextId(),
    userId,
    accountId,
    tokenId,
    revision: 1,
    amount: 0n,
    payload: '{"kind":"sync","draft":{}}',
  }
}

function close(person: Person): Operation {
  return { ...reserve(person), kind: 'close', payload: '{"outcome":"complete","delivered":false}' }
}

function mark(person: Person): Operation {
  return { ...reserve(person), kind: 'mark', payload: 'null' }
}

function wallet(books: Books, { accountId }: Person) {
  return books.row('SELECT * FROM accounts WHERE id = ?', accountId)
}

function token(books: Books, { tokenId }: Person) {
  return books.row('SELECT used, held FROM tokens WHERE id = ?', tokenId)
}
