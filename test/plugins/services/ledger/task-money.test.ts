/** What media tasks cost: charged when they are accepted, corrected once when they end, whatever ends them. */
import type { Charge, Hold } from '../../../../kernel/contract/line/money.js'
import type { RequestId } from '../../../../kernel/contract/names.js'
import { type Books, cost, draft, ledgerTest, nextId, type Person } from './books.js'

interface Accepted {
  readonly person: Person
  readonly requestId: RequestId
  readonly hold: Hold
}

/** A task for which 300 of 1,000 are set aside. */
async function reserved(books: Books): Promise<Accepted> {
  const person = await books.person(1_000n, 5_000n)
  const requestId = nextId()
  await books.database.knex('tasks').insert({
    ...{ task_id: `t_${requestId}`, request_id: requestId, user_id: person.userId },
    ...{ group_name: 'default', operation: 'video', action: 'generate', model: 'clip-1' },
  })
  const hold = books.hold(person, { requestId, kind: 'task' })
  await hold.cover(300n, draft)
  return { person, requestId, hold }
}

async function accepted(books: Books): Promise<Accepted & { readonly charge: Charge }> {
  const made = await reserved(books)
  return { ...made, charge: await made.hold.close(cost(300n)) }
}

const final = (books: Books, requestId: string, quota?: bigint) =>
  books.database.knex.transaction((trx) =>
    books.ledger.tasks.final({ requestId, taskId: `t_${requestId}`, quota, detail: {} }, trx),
  )

async function standing(books: Books, { person, requestId }: Accepted) {
  const account = await books.row('SELECT * FROM accounts WHERE id = ?', person.accountId)
  const token = await books.row('SELECT * FROM tokens WHERE id = ?', person.tokenId)
  const log = await books.database.knex('usage_log').where('request_id', requestId).orderBy('id')
  const { posted, held, used, requests } = account
  return {
    account: { posted, held, used, requests },
    token: token.used,
    log: log.map(({ type, quota }) => [type, quota]),
  }
}

ledgerTest('[BILL-4] a task that fails gives back its whole charge, once', async (t, books) => {
  const task = await accepted(books)
  t.match(await final(books, task.requestId, 0n), { charged: 300n, quota: 0n, shortfall: 0n })
  t.match(await final(books, task.requestId, 0n), { charged: 300n, quota: 0n })
  t.strictSame(await standing(books, task), {
    account: { posted: 1_000n, held: 0n, used: 0n, requests: 1n },
    token: 0n,
    log: [
      [2, 300n],
      [6, 300n],
    ],
  })
})

ledgerTest('[BILL-4] a difference and a refund exclude each other', async (t, books) => {
  const task = await accepted(books)
  t.match(await final(books, task.requestId, 450n), { charged: 300n, quota: 450n })
  t.match(await final(books, task.requestId, 0n), { quota: 450n }, 'a late failure changes nothing')
  t.match(await final(books, task.requestId), { charged: 300n, quota: 300n, shortfall: 0n })
  t.match(await standing(books, task), { account: { posted: 550n, used: 450n }, token: 450n })
})

ledgerTest('[BILL-4] what is used less than charged comes back', async (t, books) => {
  const task = await accepted(books)
  t.match(await final(books, task.requestId, 120n), { charged: 300n, quota: 120n })
  t.match(await standing(books, task), { account: { posted: 880n, used: 120n }, token: 120n })
})

ledgerTest('a difference beyond the balance is posted, and shown as short', async (t, books) => {
  const task = await accepted(books)
  t.match(await final(books, task.requestId, 1_400n), { quota: 1_400n, shortfall: 400n })
  t.match(await standing(books, task), { account: { posted: -400n } })
})

ledgerTest('no sweep closes the hold of a task: its deadline owns it', async (t, books) => {
  const task = await reserved(books)
  await books.set(
    'UPDATE billing_requests SET owner_epoch = 0 WHERE request_id = ?',
    task.requestId,
  )
  await books.ledger.sweep()
  t.match(await standing(books, task), { account: { posted: 1_000n, held: 300n }, log: [] })
})

ledgerTest(
  '[BILL-1] a task whose process died after it was accepted is charged what was set aside, once',
  async (t, books) => {
    const task = await reserved(books)
    await t.rejects(final(books, task.requestId, 0n), /only the charge of a task/)
    const charges = await Promise.all(
      Array.from({ length: 8 }, () => books.ledger.tasks.charge(task.requestId)),
    )
    t.strictSame(new Set(charges), new Set([300n]))
    t.equal((await task.hold.close(cost(250n))).quota, 300n, 'a late owner changes nothing')
    t.match(await standing(books, task), { account: { posted: 700n, held: 0n }, log: [[2, 300n]] })
    t.equal(await books.ledger.tasks.charge(nextId()), undefined)
    const sync = nextId()
    const hold = books.hold(task.person, { requestId: sync })
    await hold.cover(10n, draft)
    t.equal(
      await books.ledger.tasks.charge(sync),
      undefined,
      'the hold of another kind is not touched',
    )
    await hold.close(cost(10n))
  },
)

ledgerTest('[BILL-4] of 32 ends at once one posts', async (t, books) => {
  const task = await accepted(books)
  const ends = await Promise.all(
    Array.from({ length: 32 }, (_, at) => final(books, task.requestId, at % 2 === 0 ? 0n : 350n)),
  )
  const { quota } = ends[0]!
  t.ok(ends.every((one) => one.quota === quota))
  t.match(await standing(books, task), { account: { posted: 1_000n - quota, used: quota } })
  const { count } = await books.row(
    "SELECT count(*) FROM transfers WHERE kind = 'task_final' AND request_id = ?",
    task.requestId,
  )
  t.equal(Number(count), 1)
})

ledgerTest('[BILL-2] the end of a task without its id is refused', async (t, books) => {
  const { requestId } = await accepted(books)
  const end = { requestId, taskId: '', quota: 0n, detail: {} }
  await t.rejects(
    books.database.knex.transaction((trx) => books.ledger.tasks.final(end, trx)),
    /without its id/,
  )
})

ledgerTest('every invariant holds over charges and ends of tasks', async (t, books) => {
  t.strictSame(await books.ledger.check(), [])
})
