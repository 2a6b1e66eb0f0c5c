/** Budgets of keys: what a period may use, and what of a request counts in which. */
import fc from 'fast-check'
import type { Hold } from '../../../../kernel/contract/line/money.js'
import { type Books, cost, draft, failed, ledgerTest, nextId, type Person } from './books.js'

/** A key with a budget whose period runs on a clock of its own: what is stored is moved into the past. */
async function budgeted(books: Books, quota: bigint, period = 'day'): Promise<Person> {
  const person = await books.person(1_000_000n)
  await setBudget(books, person, quota, period)
  return person
}

function setBudget(books: Books, { tokenId }: Person, quota: bigint, period: string) {
  return books.set(
    `UPDATE tokens SET budget_quota = ?, budget_period = ?, budget_since = now() - interval '40 days' WHERE id = ?`,
    String(quota),
    period,
    tokenId,
  )
}

/** As if a day had passed: what the period has counted, and who counts in it, lies a day back. */
async function dayPasses(books: Books, { tokenId }: Person): Promise<void> {
  // By way of a past that is empty: moved by a day at once, one period would meet the one before it.
  for (const days of [-3_650, 3_649]) {
    await books.set(
      `WITH moved AS (
         UPDATE billing_requests SET budget_from = budget_from + ? * interval '1 day' WHERE token_id = ?)
       UPDATE token_budgets SET starts_at = starts_at + ? * interval '1 day' WHERE token_id = ?`,
      ...[days, tokenId, days, tokenId],
    )
  }
}

async function periods(books: Books, { tokenId }: Person): Promise<unknown> {
  const { all } = await books.row(
    `SELECT coalesce(jsonb_agg(jsonb_build_array(used, held) ORDER BY starts_at), '[]') AS all
     FROM token_budgets WHERE token_id = ?`,
    tokenId,
  )
  return all
}

ledgerTest(
  '[BILL-9] a budget of 700 admits exactly 7 of 200 racing holds of 100',
  async (t, books) => {
    const person = await budgeted(books, 700n)
    const holds = Array.from({ length: 200 }, () => books.hold(person))
    const verdicts = await Promise.all(holds.map((hold) => hold.cover(100n, draft)))
    t.equal(verdicts.filter((verdict) => verdict === 'ok').length, 7)
    t.equal(verdicts.filter((verdict) => verdict === 'shortBudget').length, 193)
    t.strictSame(await periods(books, person), [[0, 700]])
    await Promise.all(holds.map((hold) => hold.close(cost(50n))))
    t.strictSame(await periods(books, person), [[350, 0]])
    const next = books.hold(person)
    t.equal(await next.cover(351n, draft), 'shortBudget', 'what is used counts')
    t.equal(next.budgetLeft, -1n, 'and it is known by how much it fell short')
    t.equal(await next.cover(350n, draft), 'ok')
    t.equal(next.budgetLeft, 0n)
    await next.close(failed)
    t.strictSame(await periods(books, person), [[350, 0]], 'what was not used is given back')
  },
)

ledgerTest(
  '[BILL-9] a request that spans the turn counts in the period it was begun in',
  async (t, books) => {
    const person = await budgeted(books, 500n)
    const late = books.hold(person)
    t.equal(await late.cover(300n, draft), 'ok')
    await dayPasses(books, person)
    const fresh = books.hold(person)
    t.equal(await fresh.cover(500n, draft), 'ok', 'the next period is whole')
    t.strictSame(await periods(books, person), [
      [0, 300],
      [0, 500],
    ])
    t.equal(await late.cover(501n, draft), 'shortBudget', 'an extension is held to the old period')
    t.equal(await late.cover(450n, draft), 'ok')
    await late.close(cost(420n))
    await fresh.close(cost(10n))
    t.strictSame(await periods(books, person), [
      [420, 0],
      [10, 0],
    ])
  },
)

ledgerTest(
  '[BILL-9] a key without a budget has no period, and one taken away lets its requests end',
  async (t, books) => {
    const person = await books.person(1_000n)
    const before = books.hold(person)
    t.equal(await before.cover(100n, draft), 'ok')
    t.strictSame(await periods(books, person), [])
    await setBudget(books, person, 50n, 'month')
    t.equal(await before.cover(200n, draft), 'ok', 'what was begun without one counts in none')
    const within = books.hold(person)
    t.equal(await within.cover(50n, draft), 'ok')
    await books.set(
      'UPDATE tokens SET budget_quota = NULL, budget_period = NULL, budget_since = NULL WHERE id = ?',
      person.tokenId,
    )
    t.equal(await within.cover(400n, draft), 'ok', 'no cap any more')
    await before.close(cost(120n))
    await within.close(cost(60n))
    t.strictSame(await periods(books, person), [[60, 0]])
  },
)

ledgerTest(
  '[BILL-9] the sweep of a dead owner and its late correction move the period of the request',
  async (t, books) => {
    const person = await budgeted(books, 500n)
    const other = await books.process({ nodeName: `gone-${nextId()}` })
    const hold = other.hold(person)
    t.equal(await hold.cover(200n, draft), 'ok')
    await books.set(
      `UPDATE instances SET stopped_at = now() WHERE id = (
      SELECT owner_instance FROM billing_requests WHERE token_id = ?)`,
      person.tokenId,
    )
    await books.run('ledger.sweep')
    t.strictSame(await periods(books, person), [[0, 0]], 'released at its mark')
    await dayPasses(books, person)
    await hold.close(cost(180n))
    t.strictSame(await periods(books, person), [[180, 0]], 'the truth counts where it was begun')
    await hold.close(cost(180n))
    t.strictSame(await periods(books, person), [[180, 0]], 'once')
  },
)

ledgerTest(
  '[BILL-9] periods begin at midnight, on Monday and on the first, in UTC',
  async (t, books) => {
    const at = (period: string, when: string) =>
      books.row(
        `SELECT (token_budget_from(?, '2020-01-01', ?::timestamptz) AT TIME ZONE 'UTC')::text AS at`,
        period,
        when,
      )
    t.match(await at('day', '2026-11-29T23:59:59.999999Z'), { at: '2026-11-29 00:00:00' })
    t.match(await at('week', '2026-11-29T23:59:59Z'), { at: '2026-11-23 00:00:00' })
    t.match(await at('week', '2026-11-30T00:00:00Z'), { at: '2026-11-30 00:00:00' })
    t.match(await at('month', '2026-12-01T00:30:00+01:00'), { at: '2026-11-01 00:00:00' })
  },
)

interface Step {
  readonly what: 'cover' | 'cover again' | 'close' | 'fail' | 'day'
  readonly slot: number
  readonly quota: number
}

const step: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom('cover', 'cover', 'cover again', 'close', 'fail', 'day'),
  slot: fc.nat({ max: 9 }),
  quota: fc.integer({ min: 0, max: 120 }),
})

ledgerTest(
  '[BILL-9] whatever interleaves around the turn, no period holds and uses more than its budget',
  async (t, books) => {
    const rounds = fc.array(fc.array(step, { minLength: 1, maxLength: 14 }), { maxLength: 6 })
    const property = fc.asyncProperty(rounds, async (plan) => {
      const person = await budgeted(books, 300n)
      const slots: (Hold | undefined)[] = []
      for (const round of plan) {
        if (round.some(({ what }) => what === 'day')) await dayPasses(books, person)
        await Promise.all(round.map((each) => act(books, person, slots, each)))
        const { most } = await books.row(
          'SELECT coalesce(max(used + held), 0) AS most FROM token_budgets WHERE token_id = ?',
          person.tokenId,
        )
        t.ok(Number(most) <= 300, `a period stands at ${most}`)
        t.strictSame(await books.ledger.check(), [])
      }
      await Promise.all(slots.map((hold) => hold?.close(failed)))
    })
    await fc.assert(property, { numRuns: 12, endOnFailure: true })
  },
)

/** Closes cost no more than what is held, so that only admission is in question. */
async function act(
  books: Books,
  person: Person,
  slots: (Hold | undefined)[],
  { what, slot, quota }: Step,
): Promise<void> {
  if (what === 'day') return
  if (what.startsWith('cover')) {
    slots[slot] ??= books.hold(person)
    const hold = slots[slot]
    await hold.cover(BigInt(quota), draft)
    if (what === 'cover again') await hold.cover(BigInt(quota) * 2n, draft)
    return
  }
  const hold = slots[slot]
  slots[slot] = undefined
  const charge = BigInt(quota)
  await hold?.close(what === 'close' && charge <= hold.covered ? cost(charge) : failed)
}
