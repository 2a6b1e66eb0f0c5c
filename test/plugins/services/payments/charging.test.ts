/** Payments of payers who are away: one order, charged under its number until its outcome is known, credited once. */
import t from 'tap'
import type { ChargeOrder, PaymentNotice } from '../../../../kernel/contract/payment.js'
import { chargeNotice, offer, paymentsFixture } from './payments-fixture.js'

const fixture = await paymentsFixture(t)
const { payments, script, charges, taken, switches, clock, database, log } = fixture
const { person, callback, agree, balance, another } = fixture
const { knex } = database
const minute = 60_000
const pays = script.charge

const lines: string[] = []
for (const level of ['info', 'warn', 'error'] as const) {
  log[level] = (fields, message) => lines.push(`${JSON.stringify(fields)} ${message}`)
}

t.beforeEach(() => {
  script.offer = offer
  script.charge = pays
  script.fetch = undefined
  switches.on = true
})

/** Somebody who agreed, with the 10 units of that payment. */
async function payer(name: string) {
  const { userId } = await person(name)
  await agree(userId, `pm_${name}`)
  return userId
}

const charge = (userId: number, over: object = {}, by = payments) =>
  by.charge({
    ...{ userId, group: 'default', gateway: 'acme', amount: 10, admit: async () => true },
    ...over,
  })
const orderOf = async (orderNo: string) =>
  (await payments.orders({ search: orderNo, offset: 0, limit: 1 })).items[0]!
const callsOf = (orderNo: string) => charges.filter((one) => one.orderNo === orderNo).length
const lost = (order: ChargeOrder): never => {
  taken.add(order.orderNo)
  throw new Error(`no reply about ${order.mandate}`)
}
const never = (order: ChargeOrder): never => {
  throw new Error(`${order.mandate} was not reached`)
}
const automatic = (userId: number) =>
  knex('payment_orders').where({ user_id: userId, automatic: true }).orderBy('id')

/** As often as the job runs. */
async function minutes(count: number): Promise<void> {
  for (let at = 0; at < count; at++) {
    clock.advance(minute)
    await payments.reconcile()
  }
}

t.test('[PAY-5] a payer who is away is charged by an order, and credited once', async (t) => {
  const userId = await payer('ada')
  script.charge = async (order) => {
    t.match(await orderOf(order.orderNo), { state: 'pending', isAutomatic: true })
    return pays(order)
  }
  const order = await charge(userId)
  t.match(order, { state: 'paid', isAutomatic: true, amountMinor: 7_000n, quota: 5_000_000n })
  t.match(charges.at(-1), { mandate: 'pm_ada', amountMinor: 7_000n, title: '10 units of credit' })
  t.equal(await balance(userId), 10_000_000n)
  t.equal(await callback(chargeNotice(charges.at(-1)!)), 200)
  t.equal(await balance(userId), 10_000_000n, 'its callback changes nothing')
  t.ok(fixture.notices.has(`payment received:${order?.orderNo}`))
})

t.test('what is not admitted, or has no mandate, makes no order and no call', async (t) => {
  const userId = await payer('bob')
  const calls = charges.length
  t.equal(await charge(userId, { admit: async () => false }), undefined)
  const { userId: stranger } = await person('stranger')
  t.equal(await charge(stranger), undefined)
  await knex('users').where('id', userId).update({ status: 2 })
  t.equal(await charge(userId), undefined, 'they are disabled')
  await knex('users').where('id', userId).update({ status: 1 })
  script.offer = { ...offer, isTest: true }
  t.equal(await charge(userId), undefined, 'it is another mode')
  script.offer = offer
  await t.rejects(charge(userId, { amount: 1001 }), { code: 'invalid_field', param: 'amount' })
  await t.rejects(charge(userId, { gateway: 'other' }), { code: 'invalid_field' })
  switches.on = false
  await t.rejects(charge(userId), { code: 'invalid_field', param: 'gateway' })
  t.equal(charges.length, calls)
  t.strictSame(await automatic(userId), [])
})

t.test('a mandate of the test mode never charges in earnest', async (t) => {
  const { userId } = await person('tester')
  script.offer = { ...offer, isTest: true }
  await agree(userId, 'pm_test')
  script.offer = offer
  t.equal(await charge(userId), undefined)
  script.offer = { ...offer, isTest: true }
  t.match(await charge(userId), { state: 'paid', isTest: true })
})

t.test('a refusal fails the order with its sentence, which quotes no mandate', async (t) => {
  const userId = await payer('cleo')
  script.charge = ({ mandate }) => ({ kind: 'refused', reason: `${mandate}: the card is closed.` })
  const order = await charge(userId)
  t.match(order, { state: 'failed', reason: '…: the card is closed.' })
  await minutes(5)
  t.equal(callsOf(order!.orderNo), 1)
  await t.test('[PAY-5] and is credited where its payment comes after all', async (t) => {
    await callback(chargeNotice(charges.at(-1)!))
    t.match(await orderOf(order!.orderNo), { state: 'paid' })
    t.equal(await balance(userId), 10_000_000n)
  })
})

for (const [what, call, takes] of [
  ['before the call', never, 0],
  ['after it', lost, 1],
] as const) {
  t.test(
    `[PAY-5] a process killed ${what}: charged again, taken once, credited once`,
    async (t) => {
      const userId = await payer(what === 'after it' ? 'dan' : 'eve')
      script.charge = call
      const order = await charge(userId)
      t.match(order, { state: 'pending' })
      const { orderNo } = order!
      t.equal([...taken].filter((one) => one === orderNo).length, takes)
      t.equal(await balance(userId), 5_000_000n)
      await payments.reconcile()
      t.equal(callsOf(orderNo), 1, 'it has a minute')
      t.equal(await charge(userId), undefined, 'no second one while it is undecided')
      script.charge = pays
      await minutes(2)
      t.equal(callsOf(orderNo), 2)
      t.match(await orderOf(orderNo), { state: 'paid' })
      t.equal(await balance(userId), 10_000_000n)
      await minutes(5)
      t.equal(callsOf(orderNo), 2)
      t.equal((await automatic(userId)).length, 1)
      t.notMatch(lines.join('\n'), /pm_(?:dan|eve)/, 'no mandate is logged')
      t.match(lines.join('\n'), /no reply about …|… was not reached/)
    },
  )
}

t.test('[PAY-5] a settlement that breaks down is made up for by the same order', async (t) => {
  const userId = await payer('finn')
  await knex.raw(`
    CREATE FUNCTION break_money() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'the disk is full' USING ERRCODE = 'disk_full'; END $$`)
  await knex.raw(`CREATE TRIGGER break_it BEFORE INSERT ON transfers
    FOR EACH ROW EXECUTE FUNCTION break_money()`)
  const order = await charge(userId)
  await knex.raw('DROP TRIGGER break_it ON transfers')
  const { orderNo } = order!
  t.match(order, { state: 'pending' })
  t.ok(taken.has(orderNo))
  t.equal(await balance(userId), 5_000_000n)
  await minutes(2)
  t.match(await orderOf(orderNo), { state: 'paid' })
  t.equal(await balance(userId), 10_000_000n)
})

t.test(
  'an undecided order is never forgotten: it is charged again at growing pauses',
  async (t) => {
    const userId = await payer('gus')
    script.charge = never
    const order = await charge(userId)
    const { orderNo } = order!
    const calls: number[] = []
    for (let at = 1; at <= 300; at++) {
      const before = callsOf(orderNo)
      await minutes(1)
      if (callsOf(orderNo) > before) calls.push(at)
    }
    t.strictSame(calls, [1, 2, 4, 8, 16, 32, 64, 124, 184, 244])
    t.match(await orderOf(orderNo), { state: 'pending' })
    clock.advance(40 * 24 * 60 * minute)
    await payments.reconcile()
    t.match(await orderOf(orderNo), { state: 'pending' }, 'nor does it expire')
    script.charge = pays
    await minutes(61)
    t.match(await orderOf(orderNo), { state: 'paid' })
  },
)

t.test('what was begun waits for its notice, and a lost one is queried', async (t) => {
  const [first, second, third] = [await payer('hal'), await payer('ida'), await payer('jon')]
  script.charge = ({ orderNo }) => ({ kind: 'begun', reference: `begun-${orderNo}` })
  script.fetch = async () => undefined
  const begun = [await charge(first), await charge(second), await charge(third)]
  const [paid, failed, silent] = begun.map((order) => order!.orderNo)
  const orders = new Map(charges.map((one) => [one.orderNo, one]))
  await minutes(5)
  t.strictSame(
    [paid, failed, silent].map((one) => callsOf(one!)),
    [1, 1, 1],
  )
  t.equal(await charge(first), undefined)
  await callback(chargeNotice(orders.get(paid!)!))
  await callback({ event: 'f', state: 'failed', orderNo: failed, reference: 'f' })
  t.match(await orderOf(paid!), { state: 'paid', checkoutReference: `begun-${paid}` })
  t.match(await orderOf(failed!), { state: 'failed', reason: 'The payment failed.' })
  script.fetch = async ({ reference, orderNo }): Promise<PaymentNotice | undefined> =>
    reference === `begun-${silent}` ? chargeNotice(orders.get(orderNo)!) : undefined
  await minutes(60)
  t.match(await orderOf(silent!), { state: 'paid' })
  t.equal(await balance(third), 10_000_000n)
  t.equal(await balance(second), 5_000_000n)
})

t.test('what was begun and cannot be queried is charged again under its number', async (t) => {
  const userId = await payer('kim')
  script.charge = () => ({ kind: 'begun' })
  const { orderNo } = (await charge(userId))!
  script.charge = pays
  await minutes(2)
  t.equal(callsOf(orderNo), 2)
  t.match(await orderOf(orderNo), { state: 'paid' })
})

t.test(
  'an order is charged by the mandate it was made with, also once that is replaced',
  async (t) => {
    const userId = await payer('lea')
    script.charge = never
    const { orderNo } = (await charge(userId))!
    await agree(userId, 'pm_new')
    script.charge = pays
    await minutes(2)
    const calls = charges.filter((one) => one.orderNo === orderNo)
    t.strictSame(
      calls.map(({ mandate }) => mandate),
      ['pm_lea', 'pm_lea'],
    )
    t.match(await charge(userId), { state: 'paid' })
    t.equal(charges.at(-1)?.mandate, 'pm_new')
  },
)

t.test('nothing is charged again while it may not be, and it goes on afterwards', async (t) => {
  const userId = await payer('max')
  script.charge = never
  const { orderNo } = (await charge(userId))!
  script.charge = pays
  const barred = async (what: string, bar: () => unknown, lift: () => unknown) => {
    await bar()
    await minutes(130)
    t.equal(callsOf(orderNo), 1, what)
    t.match(await orderOf(orderNo), { state: 'pending' }, what)
    await lift()
  }
  const status = (status: number) => () => knex('users').where('id', userId).update({ status })
  await barred('disabled', status(2), status(1))
  await barred(
    'the gateway is off',
    () => (switches.on = false),
    () => (switches.on = true),
  )
  await barred(
    'another mode',
    () => (script.offer = { ...offer, isTest: true }),
    () => (script.offer = offer),
  )
  await minutes(61)
  t.match(await orderOf(orderNo), { state: 'paid' })
  t.equal(callsOf(orderNo), 2)
})

t.test(
  'what its payer withdrew, or a deleted one left, is not charged again and ends',
  async (t) => {
    const [left, gone] = [await payer('nia'), await payer('ole')]
    script.charge = lost
    const orders = [(await charge(left))!, (await charge(gone))!]
    await knex.transaction((trx) => payments.endMandates(left, trx))
    await knex('users')
      .where('id', gone)
      .update({ deleted_at: new Date(clock.now()) })
    script.charge = pays
    await minutes(120)
    for (const { orderNo } of orders) {
      t.equal(callsOf(orderNo), 1)
      t.match(await orderOf(orderNo), { state: 'pending' }, 'a report may be on its way')
    }
    clock.advance(24 * 60 * minute)
    await payments.reconcile()
    for (const { orderNo } of orders) {
      t.match(await orderOf(orderNo), { state: 'expired' })
      await callback(chargeNotice(charges.find((one) => one.orderNo === orderNo)!))
      t.match(await orderOf(orderNo), { state: 'paid' }, 'the money came after all')
    }
    t.equal(await balance(left), 10_000_000n)
  },
)

t.test('[PAY-2] a charge whose report does not fit credits nothing and alerts root', async (t) => {
  const userId = await payer('pia')
  script.charge = (order) => ({
    kind: 'done',
    notice: { ...chargeNotice(order), amountMinor: 6_999n },
  })
  const { orderNo } = (await charge(userId))!
  t.match(await orderOf(orderNo), { state: 'pending' })
  t.equal(await balance(userId), 5_000_000n)
  t.ok([...fixture.alerts.values()].some((values) => values.includes(orderNo)))
})

t.test('[PAY-5] of charges at once, by two processes, one is made', async (t) => {
  const userId = await payer('quin')
  const other = await another()
  const before = charges.length
  const made = await Promise.all(
    Array.from({ length: 10 }, (_, at) => charge(userId, {}, at % 2 === 0 ? payments : other)),
  )
  const orders = made.filter((order) => order !== undefined)
  // Those that came after the first was paid may follow it; none stood beside an undecided one.
  t.equal(new Set(orders.map(({ orderNo }) => orderNo)).size, charges.length - before)
  t.equal(await balance(userId), 5_000_000n * BigInt(orders.length + 1))
  script.charge = lost
  const undecided = await Promise.all(
    Array.from({ length: 10 }, (_, at) => charge(userId, {}, at % 2 === 0 ? payments : other)),
  )
  t.equal(undecided.filter((order) => order !== undefined).length, 1)
  script.charge = pays
  clock.advance(2 * minute)
  await Promise.all([payments.reconcile(), other.reconcile()])
  t.equal(await balance(userId), 5_000_000n * BigInt(orders.length + 2))
})

t.test(
  'what was taken counts what is undecided and what was paid back, not what failed',
  async (t) => {
    const userId = await payer('rob')
    const since = new Date(clock.now())
    const units = async () => (await payments.taken(userId, since)).units
    await charge(userId)
    t.equal(await units(), 10)
    script.charge = () => ({ kind: 'refused', reason: 'No.' })
    await charge(userId)
    t.equal(await units(), 10)
    script.charge = lost
    await charge(userId, { amount: 7 })
    t.equal(await units(), 17)
    const first = (await automatic(userId))[0].order_no
    const { orderNo, amountMinor, currency } = await orderOf(first)
    const reference = `charge-${orderNo}`
    await callback({ event: 'back', state: 'refunded', orderNo, reference, amountMinor, currency })
    t.equal(await units(), 17)
    const later = await payments.taken(userId, new Date(clock.now() + 1))
    t.match(later, { units: 0, lastAt: new Date(clock.now()) })
  },
)

t.test('[BILL-2] what was paid automatically adds up with the ledger', async (t) => {
  t.strictSame(await fixture.ledger.check(), [])
  const totals = await payments.totals({ from: new Date(0), to: new Date(clock.now() + 1) })
  const credited = totals.reduce((sum, { quota }) => sum + quota, 0n)
  const sums = await knex('transfers').where({ kind: 'topup' }).sum('amount as amount')
  t.equal(credited, BigInt(sums[0]!.amount))
})
