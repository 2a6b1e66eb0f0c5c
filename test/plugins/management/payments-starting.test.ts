/** Orders by the routes that scripts of this family of gateways know. */
import t from 'tap'
import type { Egress } from '../../../kernel/contract/services/egress.js'
import createArea from '../../../plugins/management/payments/index.js'
import type { Verification } from '../../../plugins/services/verification/index.js'
import { bodyOf, offer, paymentsFixture } from '../services/payments/payments-fixture.js'
import { call, data, settingsOf } from './management-fixture.js'

const fixture = await paymentsFixture(t, ['epay', 'stripe', 'creem'])
const { clock, log, database, payments, subscriptions, person, script, opened, balance, secrets } =
  fixture
const egress = {} as Egress
const services = {
  database,
  payments,
  subscriptions,
  egress,
  secrets,
  verification: {} as Verification,
}
const area = createArea({ settings: settingsOf({}), clock, log, services })
const principal = await person('ada')

t.test('[SVC-4] what can be bought has the fields scripts know', async (t) => {
  script.offer = {
    ...offer,
    products: [
      { id: 'prod_1', title: 'Small', amountMinor: 999n, currency: 'USD', quota: 5_000_000n },
    ],
  }
  t.match(await data(area, 'info', { principal }), {
    ...{
      enable_redemption: true,
      enable_online_topup: true,
      enable_stripe_topup: true,
      enable_creem_topup: true,
    },
    ...{ min_topup: 1, stripe_min_topup: 1 },
    pay_methods: [{ name: 'Alipay', type: 'alipay', min_topup: 1 }],
    creem_products:
      '[{"name":"Small","productId":"prod_1","price":9.99,"currency":"USD","quota":5000000}]',
  })
  script.offer = undefined
  t.match(await data(area, 'info', { principal }), {
    ...{ enable_online_topup: false, enable_stripe_topup: false, enable_creem_topup: false },
    ...{ pay_methods: [], creem_products: '[]' },
  })
  script.offer = offer
})

t.test('[PAY-5] Epay: the fields of a form and where it is posted', async (t) => {
  const fields = { pid: '1', sign: 'abc' }
  script.checkout = () => ({ kind: 'form', url: 'https://epay.example/submit.php', fields })
  const body = { amount: 10, payment_method: 'alipay' }
  t.match(await call(area, 'startEpay', { principal, body }), {
    ...{ message: 'success', data: fields, beside: { url: 'https://epay.example/submit.php' } },
  })
  const order = opened.at(-1)!
  t.match(order, { amountMinor: 7000n, methodId: 'alipay', payer: { id: principal.userId } })
  const report = bodyOf({
    ...{ event: 'e', state: 'paid', orderNo: order.orderNo, reference: 'p1' },
    ...{ amountMinor: 7000n, currency: 'CNY' },
  })
  t.match(await call(area, 'epayNotify', { body: report }), { status: 200, text: 'success' })
  t.equal(await balance(principal.userId), 5_000_000n)
})

t.test('[PAY-5] Stripe and Creem: the address of the page', async (t) => {
  script.checkout = ({ orderNo }) => ({ kind: 'redirect', url: `https://pay.example/${orderNo}` })
  const stripe = await call(area, 'startStripe', {
    ...{ principal, body: { amount: 10, payment_method: 'stripe' } },
  })
  t.equal(stripe.data.pay_link, `https://pay.example/${opened.at(-1)!.orderNo}`)
  script.offer = {
    ...offer,
    products: [
      { id: 'prod_1', title: 'Small', amountMinor: 999n, currency: 'USD', quota: 5_000_000n },
    ],
  }
  const creem = await call(area, 'startCreem', { principal, body: { product_id: 'prod_1' } })
  t.equal(creem.data.checkout_url, `https://pay.example/${opened.at(-1)!.orderNo}`)
  t.match(opened.at(-1), { amountMinor: 999n, currency: 'USD', productId: 'prod_1' })
  script.offer = offer
})

t.test('what is not offered, or opens otherwise, is refused in a sentence', async (t) => {
  script.checkout = () => ({ kind: 'offline', instructions: 'Pay at the desk.' })
  const body = { amount: 10 }
  await t.rejects(call(area, 'startStripe', { principal, body }), { code: 'conflict' })
  await t.rejects(call(area, 'startEpay', { principal, body }), { code: 'conflict' })
  await t.rejects(call(area, 'startEpay', { principal, body: {} }), {
    code: 'invalid_field',
    param: 'amount',
  })
  await t.rejects(call(area, 'startCreem', { principal, body }), {
    code: 'invalid_field',
    param: 'product_id',
  })
  script.offer = undefined
  const refused = { code: 'invalid_field', param: 'gateway' }
  await t.rejects(call(area, 'startStripe', { principal, body }), refused)
  script.offer = offer
})
