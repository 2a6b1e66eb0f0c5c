/** What upstreams charge, beside the money of clients: as often as it is charged, and unknown where nobody can say. */
import type { Closing } from '../../../../kernel/contract/line/money.js'
import type { RequestId } from '../../../../kernel/contract/names.js'
import { type Books, cost, draft, ledgerTest, nextId } from './books.js'

const sumsText = `
  SELECT coalesce(sum(cost), 0)::bigint AS cost FROM (
    SELECT upstream_cost AS cost FROM usage_log WHERE request_id = ?
    UNION ALL SELECT cost FROM upstream_costs WHERE request_id = ?
  ) AS part`

async function costs(books: Books, requestId: RequestId) {
  const { knex } = books.database
  const rows = await knex('usage_log').where('request_id', requestId).orderBy('id')
  const parts = await knex('upstream_costs').where('request_id', requestId).orderBy('part')
  const sum = await books.row(sumsText, requestId, requestId)
  return {
    rows: rows.map(({ type, upstream_cost }) => [type, upstream_cost]),
    parts: parts.map(({ part, channel_id, cost }) => [part, channel_id, cost]),
    sum: sum.cost,
  }
}

/** A task that was charged 300, and whose upstream is known to charge so much. */
async function accepted(books: Books, known?: bigint): Promise<RequestId> {
  const person = await books.person(1_000n, 5_000n)
  const requestId = nextId()
  await books.database.knex('tasks').insert({
    ...{ task_id: `t_${requestId}`, request_id: requestId, user_id: person.userId },
    ...{ group_name: 'default', operation: 'video', action: 'generate', model: 'clip-1' },
  })
  const hold = books.hold(person, { requestId, kind: 'task' })
  await hold.cover(300n, draft)
  await hold.close(cost(300n, known === undefined ? {} : { cost: known }))
  return requestId
}

const end = (books: Books, requestId: RequestId, quota: bigint, upstreamCost?: bigint) =>
  books.database.knex.transaction((trx) =>
    books.ledger.tasks.final(
      { requestId, taskId: `t_${requestId}`, quota, detail: {}, upstreamCost },
      trx,
    ),
  )

ledgerTest('[BILL-4] the end of a task states how much more or less it cost', async (t, books) => {
  const cases = [
    // The client pays more, less, or the same: the row of the log has the difference, or a row of its own.
    {
      quota: 450n,
      actual: 900n,
      rows: [
        [2, 600n],
        [2, 300n],
      ],
      parts: [],
    },
    {
      quota: 100n,
      actual: 200n,
      rows: [
        [2, 600n],
        [6, -400n],
      ],
      parts: [],
    },
    {
      quota: 0n,
      actual: 0n,
      rows: [
        [2, 600n],
        [6, -600n],
      ],
      parts: [],
    },
    {
      quota: 450n,
      actual: 600n,
      rows: [
        [2, 600n],
        [2, 0n],
      ],
      parts: [],
    },
    { quota: 300n, actual: 900n, rows: [[2, 600n]], parts: [[0, 7, 300n]] },
    { quota: 300n, actual: 200n, rows: [[2, 600n]], parts: [[0, 7, -400n]] },
    { quota: 300n, actual: 600n, rows: [[2, 600n]], parts: [] },
  ]
  for (const { quota, actual, rows, parts } of cases) {
    const requestId = await accepted(books, 600n)
    for (let n = 0; n < 3; n += 1) await end(books, requestId, quota, actual)
    await Promise.all(Array.from({ length: 8 }, () => end(books, requestId, quota, actual)))
    t.strictSame(await costs(books, requestId), { rows, parts, sum: actual }, `${quota} ${actual}`)
  }
})

ledgerTest('[BILL-4] the first end of a task says what it cost', async (t, books) => {
  for (const [quota, other] of [
    [450n, 300n],
    [300n, 450n],
    [300n, 300n],
    [0n, 300n],
  ] as const) {
    const requestId = await accepted(books, 600n)
    await end(books, requestId, quota, 700n)
    await end(books, requestId, other, 5_000n)
    t.equal((await costs(books, requestId)).sum, 700n, `${quota}, then ${other}`)
  }
})

ledgerTest('[BILL-4] what was not known at first is not known at the end', async (t, books) => {
  const requestId = await accepted(books)
  await end(books, requestId, 450n, 900n)
  t.strictSame((await costs(books, requestId)).rows, [
    [2, null],
    [2, null],
  ])
  // It was known, and the end cannot say: what was known stands.
  const other = await accepted(books, 600n)
  await end(books, other, 450n)
  t.strictSame((await costs(books, other)).rows, [
    [2, 600n],
    [2, 0n],
  ])
})

const attempts: Partial<Closing> = {
  cost: 700n,
  attemptCosts: [{ channelId: 7, upstreamModel: 'large-2', cost: 40n }],
}

ledgerTest(
  '[BILL-1] of a request whose process was killed before its close the cost is unknown, whatever comes late',
  async (t, books) => {
    for (const [mark, truth] of [
      [40n, 100n],
      [40n, 10n],
      [40n, 40n],
      [0n, 25n],
    ] as const) {
      const nodeName = `killed-${mark}-${truth}`
      const person = await books.person(1_000n)
      const killed = await books.process({ nodeName })
      const requestId = nextId()
      const hold = killed.hold(person, { requestId })
      await hold.cover(100n, draft)
      hold.follow(() => mark)
      await killed.run('ledger.mark')
      await killed.ledger.flushed()
      await books.process({ nodeName })
      await books.ledger.sweep()
      const closed = await costs(books, requestId)
      t.strictSame(closed, { rows: mark === 0n ? [] : [[2, null]], parts: [], sum: 0n })
      // Its late owner knows the truth of the money, and closes twice.
      await hold.close(cost(truth, attempts))
      await hold.close(cost(truth, attempts)).catch(() => undefined)
      const late = await costs(books, requestId)
      t.ok(late.rows.every(([, known]) => known === null))
      t.strictSame([late.parts, late.sum], [[], 0n])
    }
  },
)

ledgerTest('[BILL-1] a close that comes twice counts its calls once', async (t, books) => {
  const requestId = nextId()
  const hold = books.hold(await books.person(1_000n), { requestId })
  await hold.cover(100n, draft)
  await Promise.all([hold.close(cost(60n, attempts)), hold.close(cost(60n, attempts))])
  await hold.close(cost(60n, attempts))
  t.strictSame(await costs(books, requestId), {
    rows: [[2, 700n]],
    parts: [[1, 7, 40n]],
    sum: 740n,
  })
})
