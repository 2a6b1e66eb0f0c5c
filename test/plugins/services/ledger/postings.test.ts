/** Movements outside the line: once per key, within the balance, in a book that never changes. */
import { randomUUID } from 'node:crypto'
import type { Posting } from '../../../../plugins/services/ledger/ledger.js'
import { type Books, draft, ledgerTest, nextId, type Person } from './books.js'

ledgerTest(
  '[BILL-2] a key posts once, however often and however fast it is sent (M4)',
  async (t, books) => {
    const person = await books.person(0n)
    const once = posting(person, 100n)
    const answers = await Promise.all(Array.from({ length: 10 }, () => books.ledger.post(once)))
    t.equal(answers.filter(({ verdict }) => verdict === 'posted').length, 1)
    t.equal(answers.filter(({ verdict }) => verdict === 'already').length, 9)
    t.strictSame(await books.ledger.post({ ...once, amount: 999n }), {
      verdict: 'already',
      balance: 100n,
    })
    t.match(await wallet(books, person), { posted: 100n, used: 0n })
    t.match(await books.row('SELECT count(*) FROM usage_log WHERE user_id = ?', person.userId), {
      count: 1n,
    })
  },
)

ledgerTest('[BILL-2] a movement without a key or a request id is refused', async (t, books) => {
  const person = await books.person(0n)
  for (const lacking of [{ key: '' }, { key: '  ' }, { requestId: '' }]) {
    await t.rejects(books.ledger.post({ ...posting(person, 5n), ...lacking }), {
      code: 'invalid_field',
    })
  }
  for (const [key, request] of [
    ['', 'req_x'],
    ['admin:x', ''],
  ] as const) {
    await t.rejects(
      books.row(
        'SELECT ledger_post(?, ?, -2, ?, 5, ?, NULL)',
        key,
        'admin',
        person.accountId,
        request,
      ),
      { code: '23502' },
    )
  }
  t.match(await wallet(books, person), { posted: 0n })
})

ledgerTest(
  'a debit takes what is neither spent nor held, an admin may take more',
  async (t, books) => {
    const person = await books.person(100n)
    await books.hold(person).cover(40n, draft)
    t.strictSame(await books.ledger.post(posting(person, -61n)), { verdict: 'short', balance: 60n })
    t.strictSame(await books.ledger.post(posting(person, -60n)), { verdict: 'posted', balance: 0n })
    t.strictSame(await books.ledger.post({ ...posting(person, -5n), mayOverdraw: true }), {
      verdict: 'posted',
      balance: -5n,
    })
    t.equal(await books.hold(person).cover(1n, draft), 'short')
  },
)

ledgerTest('a movement lives and dies with the transaction it is given', async (t, books) => {
  const person = await books.person(10n)
  const undone = books.database.knex.transaction(async (trx) => {
    t.match(await books.ledger.post(posting(person, 90n), trx), { balance: 100n })
    throw new Error('changed our mind')
  })
  await t.rejects(undone, { message: 'changed our mind' })
  t.match(await wallet(books, person), { posted: 10n })
})

ledgerTest(
  'each movement stands in the log with a quota of 0 and its amount as a detail',
  async (t, books) => {
    const [person, friend] = [await books.person(0n), await books.person(0n)]
    const requestId = nextId()
    await books.database.knex.transaction(async (trx) => {
      await books.ledger.post({ ...posting(person, 7n), requestId, kind: 'invite' }, trx)
      await books.ledger.post({ ...posting(friend, 9n), requestId, kind: 'invite' }, trx)
      await books.ledger.post({ ...posting(friend, -2n), requestId, kind: 'admin' }, trx)
    })
    const { rows } = await books.database.knex.raw(
      'SELECT type, user_id, quota, detail FROM usage_log WHERE request_id = ? ORDER BY created_at',
      [requestId],
    )
    t.match(rows, [
      { type: 1, user_id: person.userId, quota: 0n, detail: { amount: '7', kind: 'invite' } },
      { type: 1, user_id: friend.userId, quota: 0n, detail: { amount: '9', content: 'a reason' } },
      { type: 3, user_id: friend.userId, quota: 0n, detail: { amount: '-2', kind: 'admin' } },
    ])
  },
)

ledgerTest('transfers cannot be changed, deleted or emptied', async (t, books) => {
  await books.person(5n)
  for (const sql of [
    'UPDATE transfers SET amount = 6',
    'DELETE FROM transfers',
    'TRUNCATE transfers',
  ]) {
    await t.rejects(books.row(sql), { code: '23001' }, sql)
  }
})

ledgerTest('system accounts keep no balance and take no hold', async (t, books) => {
  const person = await books.person(5n)
  await t.rejects(books.row('UPDATE accounts SET posted = 1 WHERE id = -1'), { code: '23514' })
  t.equal(await books.hold(person, { accountId: -1 }).cover(1n, draft), 'gone')
  t.match(await books.row('SELECT sum(posted) FROM accounts WHERE id < 0'), { sum: '0' })
})

ledgerTest('against revenue a movement counts as usage of account and token', async (t, books) => {
  const person = await books.person(100n)
  const hold = books.hold(person)
  await hold.cover(10n, draft)
  const { request_id: requestId } = await books.row(
    'SELECT request_id FROM billing_requests WHERE user_id = ?',
    person.userId,
  )
  const post = (kind: string, debit: number, credit: number) =>
    books.row(
      'SELECT ledger_post(?, ?, ?, ?, 4, ?, NULL, false, ?)',
      `${kind}:${requestId}`,
      kind,
      debit,
      credit,
      String(requestId),
      person.tokenId,
    )
  await post('corr', person.accountId, -1)
  t.match(await wallet(books, person), { posted: 96n, used: 4n })
  t.match(await books.row('SELECT used FROM tokens WHERE id = ?', person.tokenId), { used: 4n })
  await post('task_final', -1, person.accountId)
  t.match(await wallet(books, person), { posted: 100n, used: 0n })
  t.match(await books.row('SELECT used FROM tokens WHERE id = ?', person.tokenId), { used: 0n })
})

ledgerTest('wallets are made once, read together, and follow their user', async (t, books) => {
  const [one, two] = [await books.person(3n), await books.person(4n)]
  await books.hold(one).cover(1n, draft)
  const { knex } = books.database
  t.equal(await knex.transaction((trx) => books.ledger.openWallet(one.userId, trx)), one.accountId)
  await t.rejects(
    knex.transaction((trx) => books.ledger.openWallet(999_999, trx)),
    {
      code: 'gone_missing',
    },
  )
  await knex.transaction((trx) => books.ledger.setWalletActive(two.userId, false, trx))
  const wallets = await books.ledger.wallets([one.userId, two.userId, 999_999])
  t.equal(wallets.size, 2)
  t.strictSame(wallets.get(one.userId), {
    accountId: one.accountId,
    posted: 3n,
    held: 1n,
    floor: 0n,
    used: 0n,
    requests: 0,
    active: true,
  })
  t.match(wallets.get(two.userId), { posted: 4n, active: false })
  await knex.transaction((trx) => books.ledger.setWalletActive(two.userId, true, trx))
  t.equal(await books.hold(two).cover(1n, draft), 'ok')
})

ledgerTest('the wallet of a disabled user opens disabled', async (t, books) => {
  const { knex } = books.database
  const [user] = await knex('users')
    .insert({ username: nextId(), password_hash: 'x', status: 2 })
    .returning('id')
  const accountId = await knex.transaction((trx) => books.ledger.openWallet(user.id, trx))
  t.match(await books.row('SELECT active FROM accounts WHERE id = ?', accountId), { active: false })
})

function posting({ userId }: Person, amount: bigint): Posting {
  return {
    key: `admin:${randomUUID()}`,
    kind: 'admin',
    userId,
    amount,
    requestId: nextId(),
    note: 'a reason',
  }
}

function wallet({ row }: Books, { accountId }: Person) {
  return row('SELECT * FROM accounts WHERE id = ?', accountId)
}
