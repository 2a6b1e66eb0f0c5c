/** The area of payments: what is offered, orders in the family's words, callbacks as providers send them. */
import t from 'tap'
import type { Egress } from '../../../kernel/contract/services/egress.js'
import createArea from '../../../plugins/management/payments/index.js'
import type { Verification } from '../../../plugins/services/verification/index.js'
import { bodyOf, offer, paymentsFixture } from '../services/payments/payments-fixture.js'
import { call, data, settingsOf } from './management-fixture.js'

const fixture = await paymentsFixture(t)
const {
  clock,
  log,
  database,
  payments,
  subscriptions,
  person,
  script,
  settings,
  balance,
  secrets,
} = fixture
const proofs: string[] = []
let proven = true
const verification = {
  async require(_: unknown, scope: string) {
    proofs.push(scope)
    if (!proven) throw new Error('a proof is missing')
  },
} as unknown as Verification
const egress = {} as Egress
const services = { database, payments, subscriptions, egress, secrets, verification }
const area = createArea({ settings: settingsOf({}), clock, log, services })

const reported = (orderNo: string, over: object = {}) =>
  bodyOf({
    ...{ event: `evt ${orderNo}`, state: 'paid', orderNo, reference: `pay ${orderNo}` },
    ...{ amountMinor: 7000n, currency: 'CNY', ...over },
  })

const callback = (body: Buffer, gateway = 'acme', name = 'callback') =>
  call(area, name, { params: { gateway }, body, query: { a: ['1', '2'], b: 'x y' } })

t.test('[SVC-4] what can be bought is reported with gateways, methods and choices', async (t) => {
  Object.assign(settings, { presets: [10, 'x', 50], discounts: { 100: 0.95, 200: 'x' } })
  const principal = await person('ada')
  t.match(await data(area, 'info', { principal }), {
    gateways: [
      {
        ...{ name: 'acme', title: 'Acme Pay', currency: 'CNY', amount_min: 1, test: false },
        methods: [{ id: 'alipay', title: 'Alipay', amount_min: 1 }],
      },
      { name: 'other' },
    ],
    amount_options: [10, 50],
    discount: { 100: 0.95 },
  })
})

t.test('[SVC-4] a price is a decimal in the currency of the gateway', async (t) => {
  const principal = await person('bea')
  const priceOf = (body: object) => call(area, 'price', { principal, body })
  t.match(await priceOf({ amount: 10, payment_method: 'alipay' }), {
    ...{ message: 'success', data: '70.00', beside: { currency: 'CNY', quota: '5000000' } },
  })
  t.match(await priceOf({ amount: 10, payment_method: 'other' }), { data: '70.00' })
  await t.rejects(priceOf({ amount: 10, gateway: 'none' }), {
    code: 'invalid_field',
    param: 'gateway',
  })
  await t.rejects(priceOf({ amount: 10, payment_method: 'cash' }), {
    code: 'invalid_field',
    param: 'payment_method',
  })
  await t.rejects(priceOf({ amount: 1.5 }), { code: 'invalid_field', param: 'amount' })
  await t.rejects(priceOf({ amount: 1, product: 'p' }))
})

t.test('[PAY-5] from an order to its credit, by the words of the family', async (t) => {
  const principal = await person('cleo')
  const body = { amount: 10, gateway: 'acme' }
  const { order, checkout } = await data(area, 'place', { principal, body })
  t.match(order, { money: '70.00', currency: 'CNY', status: 'pending', payment_provider: 'acme' })
  t.strictSame(checkout, { kind: 'redirect', url: `https://pay.example/${order.trade_no}` })
  t.match(await callback(reported(order.trade_no)), {
    ...{ status: 200, text: 'success', headers: { 'content-type': 'text/plain; charset=utf-8' } },
  })
  t.equal(await balance(principal.userId), 5_000_000n)
  const own = await data(area, 'own', { principal, query: { status: 'success' } })
  t.match(own, { total: 1, items: [{ trade_no: order.trade_no, status: 'success' }] })
  t.ok(own.items[0].complete_time > 0)
  const stranger = await person('other')
  t.match(await data(area, 'own', { principal: stranger }), { total: 0, items: [] })
  const events = await data(area, 'events', { params: { trade_no: order.trade_no } })
  t.match(events, [{ verdict: 'credited', detail: { amount_minor: '7000' }, times: 1 }])
})

t.test('[PAY-3] what has to be sent again is a 500, what is not genuine a 400', async (t) => {
  t.match(await callback(reported('9'.repeat(32))), { status: 500, text: 'fail' })
  const usual = script.verify
  script.verify = () => ({ kind: 'forged', reason: 'no' })
  t.match(await callback(Buffer.from('x')), { status: 400, text: 'fail' })
  script.verify = usual
  await t.rejects(callback(Buffer.from('x'), 'nobody'), { code: 'gone_missing' })
  await t.rejects(callback(Buffer.alloc(0), 'acme', 'callbackByGet'), { code: 'gone_missing' })
  script.offer = undefined
  await t.rejects(callback(Buffer.from('x')), { code: 'gone_missing' })
  script.offer = offer
})

t.test('[SVC-4] an admin finds an order and completes it, with a reason and a proof', async (t) => {
  const payer = await person('dora')
  const admin = await person('admin', 10)
  const body = { amount: 10, gateway: 'acme' }
  const { order } = await data(area, 'place', { principal: payer, body })
  const query = { keyword: order.trade_no, user_id: payer.userId, gateway: 'acme' }
  t.match(await data(area, 'list', { principal: admin, query }), { total: 1 })
  const form = { trade_no: order.trade_no, reason: 'seen on the account' }
  const complete = () => call(area, 'complete', { principal: admin, body: form })
  proven = false
  await t.rejects(complete(), /proof/)
  proven = true
  const { data: done, audit } = await complete()
  t.match(done, {
    status: 'success',
    reason: `Completed by ${admin.username}: seen on the account`,
  })
  t.match(audit, { object: `order ${order.trade_no}` })
  t.ok(proofs.every((scope) => scope === 'balance'))
  t.equal(await balance(payer.userId), 5_000_000n)
  await t.rejects(complete(), { code: 'conflict', param: 'trade_no' })
  await t.rejects(call(area, 'complete', { principal: admin, body: { ...form, reason: '' } }))
})

t.test(
  '[SVC-4] root has a payment paid back, by a decimal of its currency and a proof',
  async (t) => {
    const payer = await person('eve')
    const root = await person('root', 100)
    const body = { amount: 10, gateway: 'acme' }
    const { order } = await data(area, 'place', { principal: payer, body })
    await callback(reported(order.trade_no))
    const refund = (amount: string, trade_no = order.trade_no) =>
      call(area, 'refund', { principal: root, body: { trade_no, amount }, moneyKey: `m ${amount}` })
    for (const amount of ['7,3', '-1', '1e3', '']) await t.rejects(refund(amount), /decimal|empty/)
    await t.rejects(refund('0.001'), { code: 'invalid_field', param: 'amount' })
    await t.rejects(refund('0'), { code: 'invalid_field', param: 'amount' })
    await t.rejects(refund('70.01'), { code: 'invalid_field', param: 'amount' })
    await t.rejects(refund('1', '0'.repeat(32)), { code: 'gone_missing' })
    script.refund = ({ key }) => {
      t.equal(key, 'm 35.00')
      const notice = { event: 'r', state: 'refunded', reference: `pay ${order.trade_no}` } as const
      return { kind: 'done', notice: { ...notice, amountMinor: 3500n } }
    }
    t.match((await refund('35.00')).data, { status: 'success', returned_quota: 2_500_000n })
    t.equal(await balance(payer.userId), 2_500_000n)
    const totals = await data(area, 'totals', { principal: root })
    t.match(totals, [{ payment_provider: 'acme', currency: 'CNY', refunded: '35.00', test: false }])
  },
)
