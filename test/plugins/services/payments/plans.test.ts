/** Plans that are paid by a gateway: one subscription for each paid order, renewed by each later payment, ended with its money. */
import t from 'tap'
import type { PaymentNotice, RenewalNotice } from '../../../../kernel/contract/payment.js'
import type { NewPlan } from '../../../../plugins/services/subscriptions/index.js'
import { paymentsFixture } from './payments-fixture.js'

const fixture = await paymentsFixture(t)
const { payments, subscriptions, script, clock, database, person, callback, jobs } = fixture
const { knex } = database
const day = 86_400_000

let events = 0
const paid = (orderNo: string, over: Partial<PaymentNotice> = {}): PaymentNotice => ({
  ...{ event: `evt-${++events}`, state: 'paid', orderNo, reference: `pay-${orderNo}` },
  ...{ amountMinor: 3_000n, currency: 'CNY' },
  ...over,
})

/** A later payment of what repeats, as the provider reports it. */
async function renewal(over: Partial<RenewalNotice>): Promise<number | undefined> {
  const notice: RenewalNotice = {
    ...{ event: `evt-${++events}`, agreement: 'sub-1', state: 'paid', reference: `inv-${events}` },
    ...{ amountMinor: 3_000n, currency: 'CNY' },
    ...over,
  }
  const { verify } = script
  script.verify = () => ({ kind: 'renewal', renewal: notice })
  try {
    return await callback({ event: notice.event })
  } finally {
    script.verify = verify
  }
}

const plan = (over: Partial<NewPlan> = {}) =>
  subscriptions.plans.create({
    terms: {
      ...{ title: 'Monthly', subtitle: '', duration: { unit: 'day', count: 30 } },
      ...{ quota: 1_000n, caps: [], models: [], groups: [], overflow: true },
      ...{ upgradeGroup: '', downgradeGroup: '' },
    },
    ...{ isOn: true, sortOrder: 0, prices: { CNY: 3_000n }, products: {} },
    ...{ purchasesMax: 0, trialDays: 0, ...over },
  })

async function place(userId: number, planId: number, over: object = {}) {
  const request = { gateway: 'acme', payer: { id: userId }, planId, recurring: false, ...over }
  return (await payments.placePlan(request)).order
}

const of = async (userId: number) =>
  (await subscriptions.list({ userId, offset: 0, limit: 10 })).items
const orderOf = async (orderNo: string) =>
  (await payments.orders({ search: orderNo, offset: 0, limit: 1 })).items[0]
const verdicts = async (orderNo: string) =>
  (await payments.events(orderNo)).map(({ verdict }) => verdict)

t.test('[PAY-5] a paid order of a plan opens one subscription and credits no wallet', async (t) => {
  const { userId } = await person('ada')
  const { id } = await plan()
  const order = await place(userId, id)
  t.match(order, { amountMinor: 3_000n, currency: 'CNY', quota: 0n, planId: id })
  await subscriptions.plans.change(id, { isOn: false, prices: { CNY: 9_000n } })
  const notice = paid(order.orderNo)
  const codes = await Promise.all(Array.from({ length: 8 }, () => callback(notice)))
  t.strictSame(new Set(codes), new Set([200]))
  const [made, ...others] = await of(userId)
  t.strictSame(others, [])
  t.match(made, { state: 'active', source: 'order', orderNo: order.orderNo, paidMinor: 3_000n })
  t.match(await orderOf(order.orderNo), { state: 'paid', subscriptionId: made?.id })
  t.equal(await fixture.balance(userId), 0n)
})

t.test('[PAY-2] a payment that does not fit opens nothing', async (t) => {
  const { userId } = await person('bob')
  const { id } = await plan()
  const { orderNo } = await place(userId, id, { recurring: true })
  t.equal(await callback(paid(orderNo, { amountMinor: 1n, agreement: 'sub-odd' })), 200)
  t.strictSame(await of(userId), [])
  t.match(fixture.unsubscribed, ['sub-odd'], 'what repeats is ended at once')
})

t.test('what a gateway has no price for is not sold by it', async (t) => {
  const { userId } = await person('cleo')
  const dear = await plan({ prices: { USD: 3_000n } })
  t.strictSame(payments.planOffers(dear), [])
  await t.rejects(place(userId, dear.id), { code: 'invalid_field', param: 'payment_method' })
  const once = await plan({ purchasesMax: 1 })
  await place(userId, once.id)
  await t.rejects(place(userId, once.id), { code: 'conflict', param: 'plan_id' })
})

t.test('a payment that was taken back ends the subscription it paid for', async (t) => {
  const { userId } = await person('dan')
  const { id } = await plan()
  const { orderNo } = await place(userId, id)
  await callback(paid(orderNo))
  await callback(paid(orderNo, { state: 'refunded', amountMinor: 1_000n }))
  t.match(await of(userId), [{ state: 'active' }], 'a part of it does not')
  await callback(paid(orderNo, { state: 'refunded' }))
  t.match(await of(userId), [{ state: 'cancelled' }])
  t.match(await orderOf(orderNo), { state: 'refunded', returned: 0n })
})

t.test('a change of plan takes off what is left, once', async (t) => {
  const { userId } = await person('eve')
  const small = await plan()
  const large = await plan({ prices: { CNY: 9_000n } })
  const first = await place(userId, small.id)
  await callback(paid(first.orderNo))
  const [old] = await of(userId)
  clock.advance(15 * day)
  const change = await place(userId, large.id, { replaces: old?.id })
  t.equal(change.amountMinor, 7_500n)
  await t.rejects(place(userId, large.id, { replaces: old?.id }), {
    code: 'conflict',
    param: 'replaces',
  })
  await callback(paid(change.orderNo, { amountMinor: 7_500n }))
  t.match(await of(userId), [
    { state: 'active', paidMinor: 9_000n },
    { state: 'cancelled', id: old?.id },
  ])
})

t.test(
  'root is alerted of money taken back of a plan that was changed for another since, once',
  async (t) => {
    const { userId } = await person('uma')
    const small = await plan()
    const large = await plan({ prices: { CNY: 9_000n }, balancePrice: 0n })
    const first = await place(userId, small.id)
    await callback(paid(first.orderNo))
    const [old] = await of(userId)
    const change = await place(userId, large.id, { replaces: old?.id })
    await callback(paid(change.orderNo, { amountMinor: change.amountMinor }))
    const alert = () => fixture.alerts.get(`payment taken back:${first.orderNo}`)
    await callback(paid(first.orderNo, { state: 'refunded', amountMinor: 2_999n }))
    t.notOk(alert(), 'not of a part')
    const [heir] = await of(userId)
    await callback(paid(first.orderNo, { state: 'disputed', amountMinor: 1n }))
    const values = [first.orderNo, String(userId), String(heir?.id), 'Monthly']
    t.strictSame(alert(), values)
    t.match(await of(userId), [{ id: heir?.id, state: 'active' }, { state: 'cancelled' }])
    fixture.forget()
    const second = { userId, planId: large.id, requestId: 'change', key: 'change', renews: false }
    const last = await subscriptions.buy({ ...second, replaces: heir!.id })
    await callback(paid(first.orderNo, { state: 'reinstated' }))
    t.notOk(alert())
    await callback(paid(first.orderNo, { state: 'disputed', amountMinor: 1n }))
    t.strictSame(alert()?.[2], String(last.id), 'what stands now, by whichever change')
    fixture.forget()
    await subscriptions.end(last.id, 'by an admin')
    await callback(paid(change.orderNo, { amountMinor: change.amountMinor, state: 'refunded' }))
    t.strictSame([...fixture.alerts], [], 'where nothing stands there is nothing to decide')
  },
)

t.test('what is left of one that ran out is taken off one price', async (t) => {
  const { userId } = await person('vic')
  const small = await plan()
  const large = await plan({ prices: { CNY: 9_000n } })
  const first = await place(userId, small.id, { recurring: true })
  await callback(paid(first.orderNo, { agreement: 'sub-vic' }))
  const [old] = await of(userId)
  const changes = []
  for (let at = 0; at < 2; at++) {
    changes.push(await place(userId, large.id, { replaces: old?.id }))
    clock.advance(2 * 3_600_000)
    await payments.reconcile()
  }
  clock.advance(40 * day)
  await subscriptions.roll()
  t.match(await of(userId), [{ state: 'expired' }])
  for (const { orderNo, amountMinor } of changes) await callback(paid(orderNo, { amountMinor }))
  t.match(await verdicts(changes[0]!.orderNo), ['credited'])
  t.match(await verdicts(changes[1]!.orderNo), ['subscription_ended'])
  await renewal({ agreement: 'sub-vic', event: 'too late' })
  t.match(await of(userId), [{ state: 'active' }, { state: 'cancelled', id: old?.id }])
  t.match(await knex('payment_events').where('event', 'too late').first(), {
    verdict: 'subscription_ended',
  })
})

t.test('an order that was to change what has been changed by then is not credited', async (t) => {
  const { userId } = await person('fay')
  const small = await plan()
  const large = await plan({ prices: { CNY: 9_000n } })
  const first = await place(userId, small.id)
  await callback(paid(first.orderNo))
  const [old] = await of(userId)
  const change = await place(userId, large.id, { replaces: old?.id })
  t.equal(change.amountMinor, 6_000n)
  await subscriptions.end(old!.id, 'by an admin')
  t.equal(await callback(paid(change.orderNo, { amountMinor: 6_000n })), 200)
  t.match(await of(userId), [{ state: 'cancelled' }])
  t.strictSame(await verdicts(change.orderNo), ['subscription_ended'])
  t.match(await orderOf(change.orderNo), { state: 'pending' })
  t.ok([...fixture.alerts.values()].some((values) => values.includes(change.orderNo)))
})

t.test('[PAY-5] each later payment renews once, and stops with the subscription', async (t) => {
  const { userId } = await person('gil')
  const { id } = await plan()
  const { orderNo } = await place(userId, id, { recurring: true })
  await callback(paid(orderNo, { agreement: 'sub-1' }))
  const [made] = await of(userId)
  t.match(made, { renewal: 'gateway', agreement: 'sub-1' })
  const first = { event: 'cycle', reference: 'inv-cycle' }
  for (let again = 0; again < 3; again++) t.equal(await renewal(first), 200)
  t.equal(await renewal({ reference: 'inv-cycle' }), 200, 'the same payment by another event')
  t.match(await of(userId), [{ renewals: 1, endsAt: new Date(made!.endsAt.getTime() + 30 * day) }])
  await renewal({ amountMinor: 2_999n })
  await renewal({ currency: 'USD' })
  t.match(await of(userId), [{ renewals: 1 }])
  t.equal(await renewal({ state: 'failed', event: 'dunning' }), 200)
  t.strictSame(fixture.notices.get('renewal failed:dunning'), ['Monthly'])
  await callback(paid(orderNo, { state: 'refunded' }))
  t.match(await of(userId), [{ state: 'active' }], 'an earlier payment leaves the later one')
  await subscriptions.setRenewal({ id: made!.id, userId, renews: false })
  await jobs.get('payments.agreements')?.()
  t.ok(fixture.unsubscribed.includes('sub-1'))
  t.strictSame(await subscriptions.agreementsToEnd(['acme']), [])
  t.match(await of(userId), [{ state: 'active', renewal: '' }])
  t.equal(await renewal({ agreement: 'unknown' }), 500, 'its first payment may be on its way')
})

t.test('root is alerted once of a paid renewal that nobody knows for ten minutes', async (t) => {
  const unknown = { event: 'stray', agreement: 'sub-stray', reference: 'inv-stray' }
  t.equal(await renewal(unknown), 500)
  await renewal({ ...unknown, event: 'stray failed', state: 'failed' })
  const alerted = () => fixture.alerts.get('payment:acme:stray')
  clock.advance(599_000)
  await payments.reconcile()
  t.notOk(alerted(), 'it may yet come to be known')
  clock.advance(2_000)
  await payments.reconcile()
  t.strictSame(alerted(), ['acme', 'sub-stray'])
  t.notOk(fixture.alerts.has('payment:acme:stray failed'), 'nothing was paid by that one')
  const event = () => knex('payment_events').where({ event: 'stray' }).first()
  t.match(await event(), { verdict: 'unclaimed' })
  fixture.forget()
  t.equal(await renewal(unknown), 200)
  await payments.reconcile()
  t.match(await event(), { verdict: 'unclaimed', times: 2 })
  t.notOk(alerted(), 'once')
  const { userId } = await person('hugo')
  const { id } = await plan()
  const { orderNo } = await place(userId, id, { recurring: true })
  await callback(paid(orderNo, { agreement: 'sub-stray' }))
  t.equal(await renewal(unknown), 200)
  t.match(await event(), { verdict: 'credited' }, 'what comes to be known late counts all the same')
})

t.test('root is alerted once of a payment whose order nobody knows for ten minutes', async (t) => {
  const [lost, foreign] = ['f'.repeat(32), 'ORDER0OF0ANOTHER0PROGRAM']
  const of = (orderNo: string) => paid(orderNo, { event: `stray ${orderNo}` })
  t.equal(await callback(of(lost)), 500, 'its transaction may not have ended yet')
  t.equal(await callback(of(foreign)), 500)
  clock.advance(601_000)
  await payments.reconcile()
  t.strictSame(fixture.alerts.get(`payment:acme:stray ${lost}`), ['acme', lost])
  t.notOk(fixture.alerts.has(`payment:acme:stray ${foreign}`), 'an account may serve others too')
  t.equal(await callback(of(lost)), 200)
  t.match(await knex('payment_events').where('event', `stray ${lost}`).first(), {
    ...{ verdict: 'unclaimed', times: 2 },
  })
})

t.test('every invariant of the ledger holds over orders of plans', async (t) => {
  t.strictSame(await fixture.ledger.check(), [])
  t.ok(await knex('payment_orders').whereNotNull('plan_id').first('id'))
})
