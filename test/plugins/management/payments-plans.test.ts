/** Plans by gateways through the management API: what is offered, orders of them, and the provider's page. */
import t from 'tap'
import type { Egress } from '../../../kernel/contract/services/egress.js'
import createArea from '../../../plugins/management/payments/index.js'
import createPlans from '../../../plugins/management/subscriptions/index.js'
import type { Pricing } from '../../../plugins/services/pricing/index.js'
import type { Verification } from '../../../plugins/services/verification/index.js'
import { bodyOf, offer, paymentsFixture } from '../services/payments/payments-fixture.js'
import { call, data, settingsOf } from './management-fixture.js'

const fixture = await paymentsFixture(t, ['epay', 'stripe', 'creem'])
const { clock, log, database, payments, subscriptions, person, script, opened, secrets } = fixture
const verification = { require: async () => {} } as unknown as Verification
const pricing = { groups: () => ['default', 'vip'] } as unknown as Pricing
const egress = {} as Egress
const services = { database, payments, subscriptions, pricing, egress, secrets, verification }
const kit = { settings: settingsOf({}), clock, log, services }
const [area, plans] = [createArea(kit), createPlans(kit)]
const principal = { ...(await person('ada')), username: 'ada' }
const form = {
  ...{ title: 'Monthly', price_amount: '30', currency: 'CNY', prices: {}, subtitle: '' },
  ...{ duration_unit: 'month', duration_value: 1, enabled: true, sort_order: 0 },
  ...{ allow_balance_pay: false, allow_wallet_overflow: true, total_amount: 1_000 },
  ...{ stripe_price_id: '', creem_product_id: '', max_purchase_per_user: 2, trial_days: 3 },
  ...{ upgrade_group: '', downgrade_group: '', quota_reset_period: 'daily' },
  ...{ models: [], groups: [], caps: [] },
}
const made = await data(plans, 'createPlan', { principal, body: form })
const body = { plan_id: made.id, recurring: false }

const report = (orderNo: string, over: object = {}) =>
  bodyOf({
    ...{ event: `evt ${orderNo}`, state: 'paid', orderNo, reference: `pay ${orderNo}` },
    ...{ amountMinor: 3_000n, currency: 'CNY', ...over },
  })

t.test(
  '[SVC-4] plans on sale name the gateways that sell them and what the caller may do',
  async (t) => {
    const [shown] = await data(plans, 'plans', { principal })
    t.match(shown, {
      ...{ title: 'Monthly', price_amount: '30.00', currency: 'CNY' },
      ...{ purchases_left: 2, trial_available: true },
      offers: [
        { gateway: 'epay', currency: 'CNY', price: '30.00', recurring: true, test: false },
        { gateway: 'stripe' },
        { gateway: 'creem' },
      ],
    })
    const [all] = await data(plans, 'allPlans', { principal })
    t.match(all, { title: 'Monthly', offers: [{ gateway: 'epay' }, {}, {}] })
  },
)

t.test('[PAY-5] Epay, Stripe and Creem sell a plan by the words scripts know', async (t) => {
  const fields = { pid: '1', sign: 'abc' }
  script.checkout = () => ({ kind: 'form', url: 'https://epay.example/submit.php', fields })
  const epay = { ...body, payment_method: 'alipay' }
  t.match(await call(area, 'startPlanEpay', { principal, body: epay }), {
    ...{ message: 'success', data: fields, beside: { url: 'https://epay.example/submit.php' } },
  })
  t.match(opened.at(-1), { amountMinor: 3_000n, methodId: 'alipay', title: 'Monthly' })
  script.checkout = ({ orderNo }) => ({ kind: 'redirect', url: `https://pay.example/${orderNo}` })
  const stripe = { ...body, payment_method: 'stripe', recurring: true }
  const { pay_link } = await data(area, 'startPlanStripe', { principal, body: stripe })
  const { orderNo, ...order } = opened.at(-1)!
  t.equal(pay_link, `https://pay.example/${orderNo}`)
  t.match(order, { every: { unit: 'month', count: 1 }, methodId: undefined })
  const third = { principal, body: { ...body, payment_method: 'creem' } }
  await t.rejects(call(area, 'startPlanCreem', third), { code: 'conflict', param: 'plan_id' })
})

t.test('[PAY-5] an order of a plan is shown with it, and opens one subscription', async (t) => {
  const bob = { ...(await person('bob')), username: 'bob' }
  const wanted = { ...body, gateway: 'stripe', recurring: true }
  const { order, checkout } = await data(area, 'placePlan', { principal: bob, body: wanted })
  t.match(checkout, { kind: 'redirect' })
  t.match(order, {
    ...{ title: 'Monthly', plan_id: made.id, subscription_id: 0, recurring: true },
    ...{ money: '30.00', quota: 0n, status: 'pending' },
  })
  const params = { gateway: 'stripe' }
  const paid = report(order.trade_no, { agreement: 'sub-bob' })
  t.match(await call(area, 'callback', { params, query: {}, body: paid }), { status: 200 })
  const { subscriptions: active } = await data(plans, 'self', { principal: bob })
  const { id, renewal } = active[0].subscription
  t.equal(renewal, 'gateway')
  const { items } = await data(area, 'own', { principal: bob, query: { p: 1, page_size: 10 } })
  t.match(items, [{ subscription_id: id, status: 'success' }])
  const of = { params: { id: String(id) } }
  t.match(await data(plans, 'periods', { principal: bob, ...of }), [
    { number: 1, amount_total: 1_000n, amount_used: 0n, closed: false },
  ])
  t.match(await data(area, 'portal', { principal: bob, ...of }), {
    url: 'https://pay.example/portal/sub-bob',
  })
  const foreign = { principal, ...of }
  await t.rejects(call(area, 'portal', foreign), { code: 'gone_missing' })
  await t.rejects(call(plans, 'periods', foreign), { code: 'gone_missing' })
  const admin = { principal, ...of }
  t.strictSame(
    await data(plans, 'periodsOf', admin),
    await data(plans, 'periods', { principal: bob, ...of }),
    'an admin sees those of everybody',
  )
  const none = { principal, params: { id: '999999' } }
  await t.rejects(call(plans, 'periodsOf', none), { code: 'gone_missing', param: 'id' })
  t.equal(active[0].subscription.ended_time, 0)
  const { data: ended } = await call(plans, 'remove', admin)
  t.match(ended, { status: 'cancelled', ended_time: Math.floor(clock.now() / 1000) })
  const [left] = await data(plans, 'plans', { principal: bob })
  t.match(left, { purchases_left: 1, trial_available: false })
})

t.test('a way to pay the gateway does not offer buys no plan, by whichever route', async (t) => {
  const principal = { ...(await person('dora')), username: 'dora' }
  const wanted = { principal, body: { ...body, payment_method: 'cash' } }
  const refused = { code: 'invalid_field', param: 'payment_method' }
  for (const route of ['startPlanEpay', 'startPlanStripe', 'startPlanCreem']) {
    await t.rejects(call(area, route, wanted), refused, route)
  }
  for (const gateway of ['epay', 'stripe', 'creem']) {
    const named = { ...wanted, body: { ...wanted.body, gateway } }
    await t.rejects(call(area, 'placePlan', named), refused, gateway)
  }
  t.strictSame(await database.knex('payment_orders').where('user_id', principal.userId), [])
})

t.test('what cannot be bought is refused by the field at fault', async (t) => {
  const cleo = { ...(await person('cleo')), username: 'cleo' }
  const refused = (over: object) =>
    call(area, 'placePlan', { principal: cleo, body: { ...body, ...over } })
  await t.rejects(refused({}), { code: 'invalid_field', param: 'gateway' })
  await t.rejects(refused({ gateway: 'acme' }), { code: 'invalid_field', param: 'gateway' })
  await t.rejects(refused({ gateway: 'epay', plan_id: 99 }), {
    code: 'invalid_field',
    param: 'plan_id',
  })
  await t.rejects(refused({ gateway: 'epay', replaces: 1 }), {
    code: 'invalid_field',
    param: 'replaces',
  })
  script.offer = { ...offer, currency: 'USD' }
  await t.rejects(refused({ gateway: 'epay' }), { code: 'invalid_field', param: 'payment_method' })
  script.offer = offer
})
