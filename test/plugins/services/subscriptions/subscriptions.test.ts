/** Subscriptions: bought, used, granted anew, renewed and ended, with books that add up whatever happens at once. */
import t from 'tap'
import { day, draft, subscriptionsFixture } from './subscriptions-fixture.js'

const fixture = await subscriptionsFixture(t)
const { subscriptions, ledger, database, plan, payer, balance, spend, pass } = fixture
const { hold, closing, notices, clock } = fixture

const buy = (userId: number, planId: number, over: object = {}) =>
  subscriptions.buy({
    ...{ userId, planId, renews: false, key: `${userId}-${planId}` },
    ...{ requestId: `buy-${userId}-${planId}`, ...over },
  })
const usageOf = async (id: number) => (await subscriptions.usage([id])).get(id)
const groupOf = async (id: number) =>
  (await database.knex('users').where({ id }).first('group')).group

t.afterEach(async () => {
  const breaches = await ledger.check()
  if (breaches.length > 0) throw new Error(`the books: ${JSON.stringify(breaches)}`)
})

t.test('a plan bought from the wallet costs its price once and grants its quota', async (t) => {
  const { userId } = await payer('ada', 1_000n)
  const { id: planId } = await plan()
  const made = await buy(userId, planId)
  t.equal(await balance(userId), 700n)
  t.match(made, { state: 'active', source: 'balance', paidQuota: 300n, renewal: '' })
  t.equal(made.endsAt.getTime(), clock.now() + 30 * day)
  t.match(await usageOf(made.id), { granted: 1_000n, used: 0n, held: 0n, caps: [] })
  await t.rejects(buy(userId, planId), { code: 'conflict' }, 'the same request buys nothing more')
  t.equal(await balance(userId), 700n)
  await t.rejects(buy(userId, 999_999), { code: 'invalid_field' })
  const poor = await payer('poor', 299n)
  await t.rejects(buy(poor.userId, planId), { code: 'invalid_field' })
  t.same((await subscriptions.list({ userId: poor.userId, offset: 0, limit: 9 })).total, 0)
})

t.test(
  '[BILL-3] a request is paid by one source: the subscription first, the wallet where it does not hold all',
  async (t) => {
    const { userId } = await payer('bea', 2_000n)
    const { id } = await buy(userId, (await plan()).id)
    t.equal(await spend(userId, 600n), id)
    t.equal(await spend(userId, 500n), 'wallet', 'never split')
    t.equal(await spend(userId, 400n), id)
    t.equal(await balance(userId), 1_200n)
    t.match(await usageOf(id), { used: 1_000n, held: 0n })
    const row = await database.knex('usage_log').where({ user_id: userId, type: 2 }).first()
    t.ok(row, 'a charge of a subscription stands in the log')
  },
)

t.test('[BILL-3] what a request is paid by stays, whatever it needs later', async (t) => {
  const { userId } = await payer('cleo', 9_000n)
  const { id } = await buy(userId, (await plan()).id)
  const request = await hold(userId)
  t.equal(await request.cover(900n, draft), 'ok')
  t.equal(request.subscription?.id, id)
  t.equal(await request.cover(1_500n, draft), 'short', 'the wallet does not step in')
  await subscriptions.setPreference(userId, 'wallet_only')
  t.equal(await request.cover(950n, draft), 'ok')
  await request.close(closing(950n))
  t.match(await usageOf(id), { used: 950n })
  t.equal(await balance(userId), 8_700n)
})

t.test('[BILL-3] the preference of the user decides what pays first', async (t) => {
  const { userId } = await payer('dora', 1_300n)
  const { id } = await buy(userId, (await plan()).id)
  const preferring = async (preference: Parameters<typeof subscriptions.setPreference>[1]) => {
    await subscriptions.setPreference(userId, preference)
    t.equal(await subscriptions.preference(userId), preference)
  }
  await preferring('wallet_first')
  t.equal(await spend(userId, 900n), 'wallet')
  t.equal(await spend(userId, 300n), id, 'the wallet does not hold it')
  await preferring('wallet_only')
  t.equal(await spend(userId, 300n), 'short')
  await preferring('subscription_only')
  t.equal(await spend(userId, 100n), id)
  t.equal(await spend(userId, 700n), 'short')
  await preferring('subscription_first')
  t.equal(await spend(userId, 100n), id)
})

t.test(
  'of several the one that ends first pays first; those that do not cover it are passed',
  async (t) => {
    const { userId } = await payer('eve', 5_000n)
    const long = await buy(userId, (await plan({ duration: { unit: 'day', count: 60 } })).id)
    const short = await buy(userId, (await plan({ models: ['small'] })).id)
    t.equal(await spend(userId, 10n, { model: 'small' }), short.id)
    t.equal(await spend(userId, 10n), long.id)
    const grouped = await buy(
      userId,
      (await plan({ groups: ['vip'], duration: { unit: 'day', count: 5 } })).id,
    )
    t.equal(await spend(userId, 10n, { group: 'vip' }), grouped.id)
    t.equal(await spend(userId, 10n, { group: 'vip', model: 'small' }), grouped.id)
    t.equal(await spend(userId, 1_000n, { model: 'small' }), 'wallet', 'after both fell short')
  },
)

t.test('without overflow the wallet pays only for what no subscription covers', async (t) => {
  const { userId } = await payer('fay', 5_000n)
  const { id } = await buy(userId, (await plan({ overflow: false, models: ['large'] })).id)
  t.equal(await spend(userId, 1_000n), id)
  t.equal(await spend(userId, 1n), 'short')
  t.equal(await spend(userId, 1n, { model: 'other' }), 'wallet')
})

t.test('a new period grants the quota anew, and what was left of the last goes back', async (t) => {
  const { userId } = await payer('gil', 300n)
  const { id } = await buy(userId, (await plan()).id)
  t.equal(await spend(userId, 400n), id)
  await pass(10 * day - 60_000)
  t.match(await usageOf(id), { granted: 1_000n, used: 400n }, 'a minute before')
  t.equal(await spend(userId, 700n), 'short', 'the next period is there, and does not pay yet')
  await pass(60_000)
  t.match(await usageOf(id), { granted: 1_000n, used: 0n })
  t.equal(await spend(userId, 1_000n), id)
  const periods = database.knex('subscription_periods').where('subscription_id', id)
  const [first] = await periods.orderBy('number')
  t.match(first, { number: 1, returned: 600n })
  await pass(25 * day)
  t.match(await subscriptions.get(id), { state: 'expired' })
  t.equal(await spend(userId, 1n), 'short')
  t.equal(
    notices.filter(({ type, userId: to }) => type === 'subscription_ended' && to === userId).length,
    1,
  )
})

t.test('periods that passed while nobody looked are not granted', async (t) => {
  const { userId } = await payer('hal', 300n)
  const { id } = await buy(userId, (await plan({ reset: { unit: 'day', count: 1 } })).id)
  await pass(20 * day + 5_000)
  t.match(await usageOf(id), { granted: 1_000n, used: 0n })
  const periods = await database.knex('subscription_periods').where('subscription_id', id)
  t.equal(periods.length, 2)
  t.equal(await spend(userId, 1_000n), id)
})

t.test(
  'caps by day and week hold beside the quota, and begin anew with their windows',
  async (t) => {
    const { userId } = await payer('ida', 300n)
    const caps = [
      { span: { unit: 'day', count: 1 }, quota: 100n },
      { span: { unit: 'day', count: 3 }, quota: 150n },
    ] as const
    const { id } = await buy(userId, (await plan({ caps, overflow: false, reset: undefined })).id)
    t.equal(await spend(userId, 101n), 'short')
    t.equal(await spend(userId, 100n), id)
    t.equal(await spend(userId, 1n), 'short')
    await pass(day)
    t.equal(await spend(userId, 51n), 'short', 'the longer one')
    t.equal(await spend(userId, 50n), id)
    t.match((await usageOf(id))?.caps, [{ used: 50n }, { used: 150n, quota: 150n }])
    await pass(2 * day)
    t.equal(await spend(userId, 100n), id)
  },
)

t.test('a plan without bound is charged, capped, and closed with what it used', async (t) => {
  const { userId } = await payer('jim', 300n)
  const caps = [{ span: { unit: 'week', count: 1 }, quota: 5_000n }] as const
  const { id } = await buy(userId, (await plan({ quota: 0n, caps, overflow: false })).id)
  t.equal(await spend(userId, 4_000n), id)
  t.equal(await spend(userId, 1_001n), 'short')
  await subscriptions.end(id, 'of the test')
  const [period] = await database.knex('subscription_periods').where('subscription_id', id)
  t.match(period, { granted: null, returned: -4_000n })
})

t.test(
  '[BILL-3] a stream that runs into the next period, or past the end, stays where it began',
  async (t) => {
    const { userId } = await payer('kim', 300n)
    const { id } = await buy(userId, (await plan()).id)
    const stream = await hold(userId)
    t.equal(await stream.cover(800n, draft), 'ok')
    await pass(10 * day)
    t.equal(await spend(userId, 1_000n), id, 'the new period is whole')
    t.equal(await stream.cover(900n, draft), 'ok', 'more of the old one')
    await pass(1)
    await stream.close(closing(900n))
    await pass(1)
    const rows = await database
      .knex('subscription_periods')
      .where('subscription_id', id)
      .orderBy('number')
    t.match(rows[0], { returned: 100n })
    const last = await hold(userId)
    await pass(10 * day)
    t.equal(await last.cover(500n, draft), 'ok')
    await subscriptions.end(id, 'by an admin')
    t.equal(await spend(userId, 1n), 'short')
    await last.close(closing(200n))
    await pass(1)
    const open = database.knex('subscription_periods').where('subscription_id', id)
    t.same(await open.whereNull('closed_at'), [])
  },
)

t.test(
  'who is moved to a group goes back at the end, unless another subscription holds them there',
  async (t) => {
    const { userId } = await payer('lea', 900n)
    const first = await buy(userId, (await plan({ upgradeGroup: 'vip' })).id)
    t.equal(await groupOf(userId), 'vip')
    const second = await buy(userId, (await plan({ upgradeGroup: 'vip' })).id)
    await subscriptions.end(first.id, 'of the test')
    t.equal(await groupOf(userId), 'vip')
    await subscriptions.end(second.id, 'of the test')
    t.equal(await groupOf(userId), 'default')
    const third = await buy(
      userId,
      (await plan({ upgradeGroup: 'vip', downgradeGroup: 'basic' })).id,
    )
    await database.knex('users').where('id', userId).update({ group: 'staff' })
    await subscriptions.end(third.id, 'of the test')
    t.equal(await groupOf(userId), 'staff', 'an admin moved them since')
  },
)

t.test(
  'a subscription is renewed from the wallet at the agreed price as long as it holds that',
  async (t) => {
    const { userId } = await payer('mia', 600n)
    const made = await plan()
    const { id } = await buy(userId, made.id, { renews: true })
    await subscriptions.plans.change(made.id, { balancePrice: 9_999n })
    await pass(30 * day - 30_000)
    await pass(1)
    t.equal(await balance(userId), 0n, 'once')
    t.match(await subscriptions.get(id), { renewals: 1, state: 'active' })
    await pass(60_000)
    t.match(await usageOf(id), { granted: 1_000n, used: 0n })
    await pass(30 * day)
    t.match(await subscriptions.get(id), { renewals: 1, state: 'expired' })
    const short = notices.filter(
      ({ type, userId: to }) => type === 'subscription_short' && to === userId,
    )
    t.ok(short.every(({ key }) => key === short[0]?.key))
  },
)

t.test(
  'a change of plan takes off what is left of the other: the lesser of time and quota',
  async (t) => {
    const { userId } = await payer('nia', 2_000n)
    const small = await buy(userId, (await plan({ reset: undefined })).id)
    const large = await plan({ title: 'Large', quota: 9_000n }, { balancePrice: 1_000n })
    const quote = () => subscriptions.quote({ userId, planId: large.id, replaces: small.id })
    t.match(await quote(), { price: 700n, valueLeft: 300n })
    await pass(15 * day)
    t.match(await quote(), { valueLeft: 150n }, 'by time')
    await spend(userId, 900n)
    t.match(await quote(), { valueLeft: 30n, price: 970n }, 'by quota')
    const made = await buy(userId, large.id, { replaces: small.id })
    t.equal(await balance(userId), 730n)
    t.match(await subscriptions.get(small.id), {
      state: 'cancelled',
      reason: 'Replaced by "Large".',
    })
    t.match(made, { paidQuota: 1_000n })
    const other = await payer('nob', 2_000n)
    const foreign = { userId: other.userId, planId: large.id, replaces: made.id }
    await t.rejects(subscriptions.quote(foreign), { code: 'invalid_field' }, 'of somebody else')
  },
)

t.test('a plan is tried once, bought as often as it may be, and granted by an admin', async (t) => {
  const { userId } = await payer('oda', 2_000n)
  const { id: planId } = await plan({}, { trialDays: 7, purchasesMax: 1 })
  const made = await subscriptions.try({ userId, planId, requestId: 'try' })
  t.equal(made.endsAt.getTime() - made.startsAt.getTime(), 7 * day)
  await t.rejects(subscriptions.try({ userId, planId, requestId: 'try2' }), { code: 'conflict' })
  await t.rejects(subscriptions.setRenewal({ id: made.id, userId, renews: true }), {
    ...{ code: 'invalid_field', param: 'renews' },
  })
  await buy(userId, planId)
  await t.rejects(buy(userId, planId, { key: 'again' }), { code: 'conflict' })
  t.match(await subscriptions.grant({ userId, planId, requestId: 'g' }), { source: 'admin' })
  const never = await plan()
  await t.rejects(subscriptions.try({ userId, planId: never.id, requestId: 'no' }), {
    code: 'invalid_field',
  })
})

t.test('[PAY-5] a paid order opens one subscription, however often it is reported', async (t) => {
  const { userId } = await payer('pam')
  const { id: planId } = await plan()
  const { pinned } = await subscriptions.quote({ userId, planId, currency: 'USD' })
  const order = {
    ...{ orderNo: 'a'.repeat(32), userId, planId, pinned, paidMinor: 3_000n, currency: 'USD' },
    ...{ gateway: 'stripe', agreement: 'sub_1', requestId: 'paid' },
  }
  const paid = () => database.knex.transaction((trx) => subscriptions.paid(order, trx))
  const made = await Promise.all(Array.from({ length: 8 }, paid))
  t.equal(new Set(made.map((one) => one?.id)).size, 1)
  const { id } = made[0]!
  t.match(made[0], { renewal: 'gateway', agreement: 'sub_1' })
  const renew = () =>
    database.knex.transaction((trx) =>
      subscriptions.renewed(
        {
          gateway: 'stripe',
          agreement: 'sub_1',
          paidMinor: 3_000n,
          currency: 'USD',
          requestId: 'r',
        },
        trx,
      ),
    )
  await spend(userId, 100n)
  await pass(30 * day + 3_600_000)
  t.match(await subscriptions.get(id), { state: 'active' }, 'the provider has a day')
  t.match(await renew(), { renewals: 1, state: 'active' })
  await fixture.changes.settled()
  t.match(await usageOf(id), { granted: 1_000n, used: 0n })
  await pass(32 * day)
  t.match(await subscriptions.get(id), { state: 'expired' })
  t.match(await renew(), { state: 'active' }, 'paid late: it goes on')
  await subscriptions.end(id, 'refunded')
  t.match(await renew(), { state: 'cancelled' })
  t.match(await subscriptions.agreementsToEnd(['stripe']), [
    { subscriptionId: id, agreement: 'sub_1' },
  ])
  t.same(await subscriptions.agreementsToEnd(['creem']), [], 'those of another wait')
  await database.knex.transaction((trx) => subscriptions.agreementEnded(id, trx))
  t.same(await subscriptions.agreementsToEnd(['stripe']), [])
})

t.test('an admin grants the quota of a period anew', async (t) => {
  const { userId } = await payer('quin', 300n)
  const made = await plan()
  const { id } = await buy(userId, made.id)
  await spend(userId, 1_000n)
  await pass(day)
  const done = await subscriptions.reset({ planId: made.id, advances: false, requestId: 'reset' })
  t.same(done, { matched: 1, reset: 1, users: 1 })
  t.match(await usageOf(id), { granted: 1_000n, used: 0n })
  t.equal(await spend(userId, 1_000n), id)
  await pass(9 * day)
  t.equal(await spend(userId, 1_000n), id, 'the next begins when it would have')
})

t.test(
  '[BILL-3] periods begin and plans change while 500 streams run, and every book adds up',
  async (t) => {
    const people = await Promise.all(
      Array.from({ length: 10 }, (_, at) => payer(`runner${at}`, 9_000n)),
    )
    const made = await plan({ quota: 4_000n, reset: { unit: 'day', count: 1 } })
    const other = await plan({ quota: 5_000n }, { balancePrice: 500n })
    const ids = new Map<number, number>()
    for (const { userId } of people) ids.set(userId, (await buy(userId, made.id)).id)
    const streams = await Promise.all(
      Array.from({ length: 500 }, async (_, at) => {
        const { userId } = people[at % 10]!
        const stream = await hold(userId)
        t.equal(await stream.cover(50n, draft), 'ok')
        t.equal(stream.subscription?.id, ids.get(userId))
        return stream
      }),
    )
    const closed: Promise<unknown>[] = []
    const closeSome = (from: number) => {
      for (const stream of streams.slice(from, from + 125)) closed.push(stream.close(closing(40n)))
    }
    closeSome(0)
    await pass(day)
    closeSome(125)
    await Promise.all(
      people
        .slice(0, 5)
        .map(({ userId }) =>
          buy(userId, other.id, { replaces: ids.get(userId), key: `change-${userId}` }),
        ),
    )
    closeSome(250)
    await pass(day)
    closeSome(375)
    await Promise.all(closed)
    await pass(1)
    const accounts = await database.knex('accounts').where('kind', 'subscription_period')
    t.ok(accounts.every(({ held }) => BigInt(held) === 0n))
    const { rows } = await database.knex.raw(
      "SELECT sum(used)::bigint AS used FROM accounts WHERE kind = 'subscription_period' AND owner_id = ANY (?)",
      [people.map(({ userId }) => userId)],
    )
    t.equal(BigInt(rows[0].used), 500n * 40n, 'every stream was charged once, by its subscription')
  },
)

t.test('a time zone nobody knows is not stored', async (t) => {
  const rule = fixture.checks.get('subscription_setting.time_zone')!
  t.throws(() => rule('Mars/Olympus'), { code: 'invalid_field' })
  rule('Europe/Berlin')
})
