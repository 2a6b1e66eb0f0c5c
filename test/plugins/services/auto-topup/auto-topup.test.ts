/** When a balance is topped up, by how much, how often, and what stops it. */
import t from 'tap'
import type { ChargeOrder } from '../../../../kernel/contract/payment.js'
import { chargeNotice, offer } from '../payments/payments-fixture.js'
import { autoTopupFixture, dayMs, hourMs, minuteMs, unit } from './auto-topup-fixture.js'

const fixture = await autoTopupFixture(t)
const { autoTopup, payments, script, charges, taken, switches, bounds, clock } = fixture
const { database, notices, settings, broke, set, read, spend, passes, automatic } = fixture
const { balance, agree, callback } = fixture
const { knex } = database
const pays = script.charge
const refuses = () => ({ kind: 'refused', reason: 'The card is closed.' }) as const
const lost = (order: ChargeOrder): never => {
  taken.add(order.orderNo)
  throw new Error('no reply')
}

t.beforeEach(() => {
  script.offer = offer
  script.charge = pays
  script.fetch = undefined
  switches.on = true
  Object.assign(bounds, { offered: true, capMax: 1_000 })
  Object.assign(settings, { groupRatios: {}, discounts: {}, bonuses: {}, amountMax: 1_000 })
})

/** Nobody of an earlier test is due. */
t.afterEach(() => knex('auto_topups').update({ is_on: false }))

const callsOf = async (userId: number) => {
  const orders = new Set((await automatic(userId)).map(({ order_no }) => order_no))
  return charges.filter(({ orderNo }) => orders.has(orderNo)).length
}

t.test(
  '[PAY-5] a balance below its bound is topped up once, and again when it is spent',
  async (t) => {
    const userId = await broke('ada')
    t.match(await set(userId), { standing: { state: 'on' }, spent: 0 })
    await spend(userId, unit)
    await autoTopup.run()
    t.equal(await balance(userId), unit, 'the bound itself is not below it')
    await spend(userId, unit - 1n)
    await autoTopup.run()
    t.equal(await balance(userId), 11n * unit - 1n)
    t.match(await read(userId), { standing: { state: 'on' }, spent: 10 })
    await spend(userId)
    await passes(59_000)
    t.equal(await callsOf(userId), 1, 'a minute lies between two')
    await passes(2_000)
    t.equal(await balance(userId), 10n * unit)
    t.equal(await callsOf(userId), 2)
  },
)

t.test('what open requests hold counts as spent', async (t) => {
  const userId = await broke('bob')
  await set(userId)
  await spend(userId, 5n * unit)
  await autoTopup.run()
  t.equal(await callsOf(userId), 0)
  const wallet = { kind: 'wallet', owner_id: userId }
  await knex('accounts')
    .where(wallet)
    .update({ held: String(5n * unit) })
  await autoTopup.run()
  t.equal(await callsOf(userId), 1)
  await knex('accounts').where(wallet).update({ held: 0 })
})

t.test(
  '[PAY-5] the price is that of every top-up at the time: group, discount, bonus',
  async (t) => {
    const userId = await broke('cleo')
    await set(userId)
    await knex('users').where('id', userId).update({ group: 'vip' })
    const prices = { groupRatios: { vip: 0.5 }, discounts: { 10: 0.9 }, bonuses: { 10: 2 } }
    Object.assign(settings, prices)
    await autoTopup.run()
    t.match(charges.at(-1), { amountMinor: 3_150n, currency: 'CNY' })
    t.equal(await balance(userId), 12n * unit)
    t.match(await read(userId), { spent: 10 }, 'what is given besides counts against no limit')
  },
)

t.test('[PAY-5] two processes at once charge each of 50 users once', async (t) => {
  const other = await fixture.process()
  const users: number[] = []
  for (let at = 0; at < 50; at++) users.push(await broke('many'))
  for (const userId of users) await set(userId)
  await Promise.all([autoTopup.run(), other.autoTopup.run(), autoTopup.run()])
  await Promise.all([autoTopup.run(), other.autoTopup.run()])
  for (const userId of users) {
    t.equal(await callsOf(userId), 1)
    t.equal(await balance(userId), 10n * unit)
  }
})

t.test('the limit of a month is reached exactly, never passed, and begins anew', async (t) => {
  const userId = await broke('dan')
  const month = new Date(clock.now())
  const next = Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1, 1)
  await set(userId, { monthlyCap: 30 })
  const round = async () => {
    await spend(userId)
    await passes(2 * minuteMs)
  }
  for (let at = 0; at < 5; at++) await round()
  t.equal(await callsOf(userId), 3)
  const reached = { state: 'paused', reason: 'cap_reached', until: new Date(next) }
  t.match(await read(userId), { spent: 30, standing: reached })
  await set(userId, { monthlyCap: 39 })
  await round()
  t.equal(await callsOf(userId), 3, 'one unit is missing')
  await set(userId, { monthlyCap: 40 })
  await round()
  t.equal(await callsOf(userId), 4)
  clock.advance(next - clock.now() - 1_000)
  await round()
  t.equal(await callsOf(userId), 4 + 1, 'it is the next month')
  t.match(await read(userId), { spent: 10 })
})

t.test('the second before a month ends belongs to it', async (t) => {
  const userId = await broke('edna')
  await set(userId, { monthlyCap: 10 })
  const now = new Date(clock.now())
  const next = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)
  clock.advance(next - clock.now() - 1_000)
  await autoTopup.run()
  t.equal(await callsOf(userId), 1)
  await spend(userId)
  clock.advance(999)
  await autoTopup.run()
  t.equal(await callsOf(userId), 1)
  t.match(await read(userId), { spent: 10 })
  clock.advance(1)
  t.match(await read(userId), { spent: 0 })
  await passes(minuteMs)
  t.equal(await callsOf(userId), 2)
})

t.test('the transaction that makes an order looks again at what the query found', async (t) => {
  const userId = await broke('eve')
  await set(userId)
  await autoTopup.run()
  await spend(userId)
  clock.advance(2 * minuteMs)
  const row = () => knex('auto_topups').where('user_id', userId)
  const changes: Readonly<Record<string, () => unknown>> = {
    'the limit of the month is one unit short': () => row().update({ monthly_cap: 19 }),
    "root's limit is": () => Object.assign(bounds, { capMax: 19 }),
    'it was switched off': () => row().update({ is_on: false }),
    'another order is under way': () => row().update({ order_no: 'another' }),
    'it has to wait': () => row().update({ paused_until: new Date(clock.now() + 1) }),
    'the amount is another': () => row().update({ amount: 11 }),
    'another gateway is to be charged': () => row().update({ gateway: 'other' }),
    'the balance has risen': () => spend(userId, unit),
    'the wallet was blocked': () =>
      knex('accounts').where('owner_id', userId).update({ blocked: true }),
    'nothing is set any more': () => row().delete(),
  }
  const usual = await row().first()
  for (const [what, change] of Object.entries(changes)) {
    const other = await fixture.process(change)
    await other.autoTopup.run()
    t.equal(await callsOf(userId), 1, what)
    await knex('auto_topups').insert(usual).onConflict('user_id').merge()
    await knex('accounts').where('owner_id', userId).update({ blocked: false })
    Object.assign(bounds, { capMax: 1_000 })
    await spend(userId)
  }
  const other = await fixture.process(() => autoTopup.run())
  await other.autoTopup.run()
  t.equal(await callsOf(userId), 2, 'another process was faster')
  await spend(userId)
  clock.advance(2 * minuteMs)
  const faster = await fixture.process(async () => {
    await autoTopup.run()
    await spend(userId)
  })
  await faster.autoTopup.run()
  t.equal(await callsOf(userId), 3, 'and it was spent again since')
})

t.test('an undecided order counts against the limit, a refused one does not', async (t) => {
  const userId = await broke('finn')
  await set(userId, { monthlyCap: 15 })
  script.charge = refuses
  await autoTopup.run()
  t.match(await read(userId), { spent: 0 })
  script.charge = lost
  await passes(hourMs)
  t.match(await read(userId), { spent: 10, standing: { state: 'charging' } })
  await passes(minuteMs)
  t.equal((await automatic(userId)).length, 2)
  script.charge = pays
  await passes(5 * minuteMs)
  t.equal(await balance(userId), 10n * unit)
  t.match(await read(userId), { spent: 10, standing: { reason: 'cap_reached' } })
})

t.test('[PAY-5] killed at any point, a user is charged once and credited once', async (t) => {
  const never = (): never => {
    throw new Error('killed')
  }
  const hangs = (order: ChargeOrder) => {
    taken.add(order.orderNo)
    return new Promise<never>(() => {})
  }
  for (const kill of [never, lost, hangs]) {
    const userId = await broke('gus')
    await set(userId)
    const called = new Promise<void>((resolve) => {
      script.charge = (order) => {
        resolve()
        return kill(order)
      }
    })
    void autoTopup.run()
    await called
    script.charge = pays
    const { payments: later, autoTopup: heir } = await fixture.process()
    await heir.run()
    t.equal((await automatic(userId)).length, 1)
    clock.advance(2 * minuteMs)
    await later.reconcile()
    await heir.run()
    const [order, ...others] = await automatic(userId)
    t.strictSame(others, [])
    t.match(order, { state: 'paid' })
    t.ok(taken.has(order!.order_no))
    t.equal(await balance(userId), 10n * unit)
    t.match(await read(userId), { standing: { state: 'on' } })
  }
})

t.test('after a refusal it waits an hour, then a day; the third switches it off', async (t) => {
  const userId = await broke('hal')
  await set(userId)
  script.charge = refuses
  await autoTopup.run()
  const inAnHour = new Date(clock.now() + hourMs)
  t.match(await read(userId), {
    standing: {
      ...{ state: 'paused', reason: 'refused', words: 'The card is closed.', until: inAnHour },
    },
  })
  await passes(hourMs - 1)
  t.equal(await callsOf(userId), 1)
  await set(userId, { below: 2n * unit })
  await autoTopup.run()
  t.equal(await callsOf(userId), 1, 'other settings shorten no wait')
  await passes(1)
  t.equal(await callsOf(userId), 2)
  await passes(dayMs - 1)
  t.equal(await callsOf(userId), 2)
  await passes(1)
  t.equal(await callsOf(userId), 3)
  const off = { state: 'off', reason: 'refused', words: 'The card is closed.' }
  t.match(await read(userId), { settings: { isOn: false }, standing: off })
  const last = (await automatic(userId)).at(-1)!.order_no
  t.strictSame(notices.get(`auto topup off:${last}`), ['The card is closed.'])
  await passes(40 * dayMs)
  t.equal(await callsOf(userId), 3)
  script.charge = pays
  await set(userId)
  await autoTopup.run()
  t.equal(await callsOf(userId), 4, 'switched on again it goes on')
  await spend(userId)
  await set(userId, { isOn: false })
  await knex('auto_topups').where('user_id', userId).update({ failures: 3, refusal: 'No.' })
  t.match(await read(userId), { standing: { state: 'off', reason: 'refused', words: 'No.' } })
  await set(userId)
  script.charge = refuses
  await passes(2 * minuteMs)
  t.match(await read(userId), { standing: { state: 'paused' } }, 'and the count begins anew')
})

t.test('a payment between refusals begins their count anew', async (t) => {
  const userId = await broke('ida')
  await set(userId)
  for (let round = 0; round < 4; round++) {
    script.charge = refuses
    await passes(2 * minuteMs)
    script.charge = pays
    await passes(hourMs)
    await spend(userId)
    t.match(await read(userId), { standing: { state: 'on' } })
  }
  t.equal(await callsOf(userId), 8)
})

t.test('what was refused by an earlier mandate does not hold up a new one', async (t) => {
  const userId = await broke('jon')
  await set(userId)
  script.charge = refuses
  await autoTopup.run()
  await passes(hourMs)
  await agree(userId, 'pm_other')
  await spend(userId)
  script.charge = pays
  await passes(2 * minuteMs)
  t.equal(charges.at(-1)?.mandate, 'pm_other')
  t.equal(await balance(userId), 10n * unit)
  t.match(await knex('auto_topups').where('user_id', userId).first(), { failures: 0 })
})

t.test('what was begun and is paid late is waited for; what fails late counts', async (t) => {
  const [paid, failed] = [await broke('kim'), await broke('lea')]
  await set(paid)
  await set(failed)
  script.charge = ({ orderNo }) => ({ kind: 'begun', reference: `begun-${orderNo}` })
  script.fetch = async () => undefined
  await autoTopup.run()
  await passes(3 * dayMs)
  t.strictSame([await callsOf(paid), await callsOf(failed)], [1, 1])
  const orderOf = async (userId: number) => {
    const [one] = await automatic(userId)
    return charges.find(({ orderNo }) => orderNo === one?.order_no)!
  }
  await callback(chargeNotice(await orderOf(paid)))
  const { orderNo } = await orderOf(failed)
  await callback({ event: 'late', state: 'failed', orderNo, reference: 'r' })
  await autoTopup.run()
  t.equal(await balance(paid), 10n * unit)
  t.match(await read(paid), { standing: { state: 'on' } })
  t.match(await read(failed), {
    standing: { state: 'paused', reason: 'refused', words: 'The payment failed.' },
  })
})

t.test(
  'nothing is charged for who is disabled or deleted, or whose wallet is blocked',
  async (t) => {
    const [disabled, deleted, blocked] = [
      await broke('max'),
      await broke('nia'),
      await broke('ole'),
    ]
    for (const userId of [disabled, deleted, blocked]) await set(userId)
    await knex('users').where('id', disabled).update({ status: 2 })
    await knex('users')
      .where('id', deleted)
      .update({ deleted_at: new Date(clock.now()) })
    await knex('accounts').where('owner_id', blocked).update({ blocked: true })
    await passes(hourMs)
    for (const userId of [disabled, deleted, blocked]) t.equal(await callsOf(userId), 0)
    await knex('accounts').where('owner_id', blocked).update({ blocked: false })
  },
)

t.test('what stands against it is shown, and nothing is charged meanwhile', async (t) => {
  const userId = await broke('pia')
  await set(userId)
  const hinders = async (reason: string, bar: () => unknown, lift: () => unknown) => {
    await bar()
    await passes(2 * minuteMs)
    t.match(await read(userId), { standing: { state: 'paused', reason } })
    t.equal(await callsOf(userId), 0, reason)
    await lift()
  }
  const on = (value: boolean) => () => (switches.on = value)
  const offers = (over: object) => () => (script.offer = { ...offer, ...over })
  const bound = (over: object) => () => Object.assign(bounds, over)
  await hinders('gateway_off', on(false), on(true))
  await hinders('gateway_off', () => (script.offer = undefined), offers({}))
  await hinders('wrong_mode', offers({ isTest: true }), offers({}))
  await hinders('wrong_amount', offers({ amountMin: '11' }), offers({}))
  await hinders(
    'wrong_amount',
    () => Object.assign(settings, { amountMax: 9 }),
    () => Object.assign(settings, { amountMax: 1_000 }),
  )
  await hinders('not_offered', bound({ offered: false }), bound({ offered: true }))
  await hinders('cap_reached', bound({ capMax: 9 }), bound({ capMax: 1_000 }))
  await passes(2 * minuteMs)
  t.equal(await callsOf(userId), 1, 'it goes on')
  await spend(userId)
  await knex.transaction((trx) => payments.endMandates(userId, trx))
  await passes(2 * minuteMs)
  t.match(await read(userId), { standing: { state: 'paused', reason: 'mandate_ended' } })
  t.equal(await callsOf(userId), 1)
})

t.test('[PAY-5] a payer deleted while an order is undecided is not charged again', async (t) => {
  const userId = await broke('quin')
  await set(userId)
  script.charge = lost
  await autoTopup.run()
  const order = charges.at(-1)!
  await knex('users')
    .where('id', userId)
    .update({ deleted_at: new Date(clock.now()) })
  script.charge = pays
  await passes(hourMs)
  t.equal(await callsOf(userId), 1)
  await callback(chargeNotice(order))
  t.equal(await balance(userId), 10n * unit, 'what was taken is credited')
})

t.test('settings that cannot hold are refused by the name of their field', async (t) => {
  const userId = await broke('rob')
  const { userId: stranger } = await fixture.person('stranger')
  const refused = async (param: string, over: object, who = userId) => {
    await t.rejects(set(who, over), { code: 'invalid_field', param }, param)
  }
  await refused('gateway', {}, stranger)
  await refused('gateway', { gateway: 'other' })
  await refused('monthly_cap', { amount: 11, monthlyCap: 10 })
  await refused('monthly_cap', { monthlyCap: 1_001 })
  await refused('amount', { amount: 1_001, monthlyCap: 1_001, ...raised() })
  script.offer = { ...offer, amountMin: '11' }
  await refused('amount', {})
  script.offer = { ...offer, isTest: true }
  await refused('gateway', {})
  script.offer = offer
  bounds.offered = false as never
  await refused('enabled', {})
  await set(userId, { isOn: false })
  t.match(await read(userId), { offered: false, standing: { state: 'off' } })
  t.strictSame(await knex('auto_topups').where('user_id', stranger), [])
})

t.test('switching off is refused by nothing that changed since it was switched on', async (t) => {
  const userId = await broke('tom')
  await set(userId)
  script.charge = refuses
  await autoTopup.run()
  bounds.capMax = 9 as never
  const off = await set(userId, { isOn: false })
  t.match(off, { settings: { isOn: false, monthlyCap: 100 } })
  t.strictSame(off.standing, { state: 'off' }, 'one refusal did not switch it off')
  await t.rejects(set(userId), { code: 'invalid_field', param: 'monthly_cap' })
  bounds.capMax = 1_000 as never
  await set(userId)
  await knex.transaction((trx) => payments.endMandates(userId, trx))
  t.match(await set(userId, { isOn: false }), {
    settings: { isOn: false, gateway: 'acme' },
    standing: { state: 'off' },
  })
  await t.rejects(set(userId), { code: 'invalid_field', param: 'gateway' })
  const { userId: stranger } = await fixture.person('stranger')
  t.match(await set(stranger, { isOn: false }), { standing: { state: 'off' } })
  t.strictSame(await knex('auto_topups').where('user_id', stranger), [])
})

function raised(): object {
  Object.assign(bounds, { capMax: 2_000 })
  return {}
}

t.test('ending it forgets every agreement, and only a new one begins it again', async (t) => {
  const userId = await broke('sue')
  await set(userId)
  const ended = await autoTopup.remove({ userId, group: 'default' })
  t.match(ended, { mandates: [], standing: { state: 'off' } })
  t.equal(ended.settings, undefined)
  await passes(hourMs)
  t.equal(await callsOf(userId), 0)
  await t.rejects(set(userId), { code: 'invalid_field', param: 'gateway' })
  await agree(userId, 'pm_again')
  await spend(userId)
  await passes(hourMs)
  t.equal(await callsOf(userId), 0, 'an agreement alone switches nothing on')
  await set(userId)
  await autoTopup.run()
  t.equal(await callsOf(userId), 1)
})

t.test('[BILL-2] every automatic order stands in the ledger as it is', async (t) => {
  t.strictSame(await fixture.ledger.check(), [])
  const orders = await knex('payment_orders').whereNotNull('completed_at').sum('quota as sum')
  const posted = await knex('transfers').where({ kind: 'topup' }).sum('amount as sum')
  t.equal(BigInt(orders[0]!.sum), BigInt(posted[0]!.sum))
})
