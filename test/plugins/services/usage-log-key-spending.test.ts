/** What an API key spent: the same as its rows of the log say, whatever of it is summed when, and without a look at them. */
import t, { type Test } from 'tap'
import { start, usageFixture } from './usage-log-fixture.js'

const gateway = await usageFixture(t)
const { database, service } = gateway
const { knex } = database
const first = start / 1_000
const daySeconds = 86_400
const days = 5

t.beforeEach(() => gateway.empty())

interface Row {
  readonly request_id: string
  readonly created_at: Date
  readonly type: number
  readonly user_id: number
  readonly token_id: number | null
  readonly model_name: string
  readonly quota: number
  readonly prompt_tokens: number
  readonly completion_tokens: number
}

/** Charges, refunds and failures of three API keys of two users, some of no key, over days. */
async function addRows(from: number, count: number, since = 0): Promise<readonly Row[]> {
  const rows = Array.from({ length: count }, (_, at): Row => {
    const n = from + at
    const seconds = since + ((n * 7_919) % (days * daySeconds - since))
    return {
      request_id: `req_${n}`,
      created_at: new Date(start + seconds * 1_000),
      type: [2, 2, 6, 2, 5][n % 5]!,
      user_id: n % 3 === 2 ? 2 : 1,
      token_id: [11, 12, 21][n % 3]!,
      model_name: `m${n % 4}`,
      quota: (n * 31) % 1_000,
      prompt_tokens: n % 700,
      completion_tokens: n % 90,
    }
  })
  const unkeyed = { ...rows[0]!, request_id: `none_${from}`, token_id: null }
  await knex.batchInsert('usage_log', [...rows, unkeyed], 200)
  return rows
}

function sumsOf(rows: readonly Row[]) {
  const sum = (of: (row: Row) => number) => rows.reduce((whole, row) => whole + of(row), 0)
  const charges = rows.filter(({ type }) => type === 2)
  return {
    quota: BigInt(sum(({ type, quota }) => (type === 2 ? quota : -quota))),
    requests: charges.length,
    tokens: charges.reduce((all, row) => all + row.prompt_tokens + row.completion_tokens, 0),
  }
}

async function compare(t: Test, rows: readonly Row[], from = first): Promise<void> {
  for (const [id, userId] of [
    [11, 1],
    [12, 1],
    [21, 2],
  ] as const) {
    const own = rows.filter(
      (row) => row.token_id === id && row.type !== 5 && row.created_at.getTime() >= from * 1_000,
    )
    const dayOf = (row: Row) =>
      Math.floor(row.created_at.getTime() / 1_000 / daySeconds) * daySeconds
    const found = await service.keySpending({ id, userId }, from)
    const dayList = [...new Set(own.map(dayOf))].sort((one, other) => one - other)
    t.strictSame(
      found.days,
      dayList.map((day) => ({ day, ...sumsOf(own.filter((row) => dayOf(row) === day)) })),
      `key ${id} by day`,
    )
    const models = [...new Set(own.map(({ model_name }) => model_name))].sort()
    t.strictSame(
      found.models.toSorted((one, other) => one.model.localeCompare(other.model)),
      models.map((model) => ({
        model,
        ...sumsOf(own.filter(({ model_name }) => model_name === model)),
      })),
      `key ${id} by model`,
    )
    const costs = found.models.map(({ quota }) => Number(quota))
    t.strictSame(
      costs,
      costs.toSorted((one, other) => other - one),
      'the dearest first',
    )
  }
}

t.test('before anything is summed, once it is, and with rows that came since', async (t) => {
  const rows = [...(await addRows(0, 300))]
  await compare(t, rows)
  await service.roll()
  await compare(t, rows)
  await compare(t, rows, first + 2 * daySeconds)
  const { rows: marks } = await knex.raw('SELECT rolled_until FROM usage_mark')
  const now = marks[0].rolled_until.getTime()
  const late = { ...rows[0]!, request_id: 'late', created_at: new Date(now + 1), quota: 77 }
  await knex('usage_log').insert(late)
  rows.push(late)
  await compare(t, rows)
})

t.test('what is summed is read from the sums alone', async (t) => {
  const rows = await addRows(0, 300)
  await service.roll()
  await knex('usage_log').delete()
  await compare(t, rows)
})

t.test('what was logged before an upgrade counts while it is filled in, and after', async (t) => {
  const rows = await addRows(0, 300)
  await service.roll()
  await knex('usage_key_days').delete()
  await knex('usage_mark').update({ key_days_from: knex.ref('rolled_until') })
  await compare(t, rows)
  let steps = 0
  for (let more = true; more; steps++) {
    const { rows: stepped } = await knex.raw('SELECT usage_fill_key_days(60) AS more')
    more = stepped[0].more
    await compare(t, rows)
  }
  t.ok(steps > 3, 'in several steps')
  t.equal((await service.trim(first + 2 * daySeconds)) > 0, true)
  await compare(t, rows)
})

t.test(
  'a log is not trimmed of what is still to be filled in',
  { skip: !process.env.DATABASE_URL && 'needs two transactions at once' },
  async (t) => {
    await addRows(0, 50)
    await service.roll()
    await knex('usage_mark').update({ key_days_from: knex.ref('rolled_until') })
    // Somebody else is filling it in.
    const other = await knex.transaction()
    try {
      await other.raw('SELECT 1 FROM usage_mark FOR UPDATE')
      t.equal(await service.trim(first + 2 * daySeconds), 0)
    } finally {
      await other.rollback()
    }
  },
)

t.test('another user is shown nothing of what is not summed', async (t) => {
  await addRows(0, 50)
  t.strictSame(await service.keySpending({ id: 11, userId: 2 }, first), { days: [], models: [] })
})
