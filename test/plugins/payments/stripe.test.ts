/** Stripe: events signed by Stripe's own client, and an API that takes nothing but what is documented. */
import t from 'tap'
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import type { Script } from '../../conformance/outgoing.js'
import { now, order } from './gateway-fixture.js'
import { formOf, key } from './stripe-api.js'
import { event, headerOf, judged, session, stripe, stripeWith } from './stripe-fixture.js'

const { gateway } = stripeWith()
const paid = event('checkout.session.completed', session())
const facts = { event: 'evt_1', at: now, isTest: true }

t.test('[PAY-1] a paid session names order, payment, amount and currency', async (t) => {
  const notice = {
    ...{ ...facts, state: 'paid', orderNo: order.orderNo, reference: 'pi_1' },
    ...{ amountMinor: 7000n, currency: 'usd' },
  }
  t.strictSame(await judged(gateway, paid), { kind: 'notice', notice })
  const late = event('checkout.session.async_payment_succeeded', session())
  t.strictSame(await judged(gateway, late), { kind: 'notice', notice })
  const live = event('checkout.session.completed', session(), { livemode: true })
  t.match(await judged(gateway, live), { notice: { isTest: false } })
})

t.test('[PAY-4] a discount is reported, tax and shipping are no part of the price', async (t) => {
  const details = { amount_discount: 1000, amount_shipping: 500, amount_tax: 300 }
  const discounted = session({ amount_total: 6800, total_details: details })
  const verdict = await judged(gateway, event('checkout.session.completed', discounted))
  t.match(verdict, { notice: { amountMinor: 6000n, discountMinor: 1000n } })
  const free = session({
    amount_total: 0,
    payment_intent: null,
    total_details: { amount_discount: 7000 },
  })
  t.match(await judged(gateway, event('checkout.session.completed', free)), {
    notice: { amountMinor: 0n, discountMinor: 7000n, reference: 'cs_test_1' },
  })
})

t.test('each event means what it is', async (t) => {
  const charge = {
    ...{ payment_intent: 'pi_1', amount: 7000, amount_refunded: 3500, currency: 'usd' },
    metadata: { order_no: order.orderNo },
  }
  const dispute = { payment_intent: 'pi_1', amount: 7000, currency: 'usd' }
  const rows: readonly (readonly [string, JsonObject, object])[] = [
    ['checkout.session.completed', session({ payment_status: 'unpaid' }), { state: 'pending' }],
    [
      'checkout.session.completed',
      session({ payment_status: 'no_payment_required' }),
      { state: 'paid' },
    ],
    [
      'checkout.session.async_payment_failed',
      session(),
      { state: 'failed', reference: 'cs_test_1' },
    ],
    ['checkout.session.expired', session(), { state: 'expired', orderNo: order.orderNo }],
    ['charge.refunded', charge, { state: 'refunded', reference: 'pi_1', amountMinor: 3500n }],
    ['charge.dispute.funds_withdrawn', dispute, { state: 'disputed', amountMinor: 7000n }],
    ['charge.dispute.funds_reinstated', dispute, { state: 'reinstated', reference: 'pi_1' }],
  ]
  for (const [type, object, notice] of rows) {
    t.match(await judged(gateway, event(type, object)), { kind: 'notice', notice }, type)
  }
  for (const [type, object] of [
    ['customer.created', {}],
    ['checkout.session.completed', session({ client_reference_id: null })],
    ['charge.refunded', { amount_refunded: 1, currency: 'usd', payment_intent: null }],
  ] as const) {
    t.match(await judged(gateway, event(type, object)), { kind: 'ignored' }, type)
  }
})

t.test('[PAY-2] what is unsigned, changed, old, or signed by another is not genuine', async (t) => {
  const header = headerOf(paid)
  const rows = [
    [paid, { header: '' }],
    [paid, { header: 't=,v1=' }],
    [paid, { secret: 'whsec_another' }],
    [paid, { secret: '' }],
    [paid, { at: -301 }],
    [paid, { at: 301 }],
    [paid.replace('7000', '7001'), { header }],
    [`${paid} `, { header }],
    ['', { header }],
    ['[]', {}],
    ['{"type":"checkout.session.completed"}', {}],
    ['not JSON', {}],
  ] as const
  for (const [payload, over] of rows) {
    t.match(
      await judged(gateway, payload, over),
      { kind: 'forged' },
      `${payload.slice(0, 20)} ${JSON.stringify(over)}`,
    )
  }
  t.match(await judged(gateway, paid, { at: -299 }), { kind: 'notice' })
})

t.test('[PAY-2] without what callbacks are verified by nothing is offered', async (t) => {
  t.match(gateway.offer(), { currency: 'USD', unitPrice: '8.5', isTest: true })
  t.match(stripe({ key: 'rk_live_1' }).gateway.offer(), { isTest: false })
  for (const missing of [
    { key: '' },
    { key: 'pk_test_1' },
    { webhookSecret: '' },
    { webhookSecret: ' ' },
    { currency: 'XXY' },
    { currency: 'ISK' },
  ]) {
    t.equal(stripe(missing).gateway.offer(), undefined, JSON.stringify(missing))
  }
})

const answering =
  (json: Json): Script =>
  () => ({ json })

t.test('[PAY-1] a session is opened for the order, its exact amount, once', async (t) => {
  const yen = {
    ...order,
    currency: 'JPY',
    amountMinor: 1050n,
    payer: { id: 7, email: 'ada@example.com' },
  }
  const settings = { currency: 'JPY', promotionCodes: true }
  const { gateway, world } = stripeWith({}, settings)
  t.strictSame(await gateway.checkout(yen), {
    ...{
      kind: 'redirect',
      url: 'https://checkout.stripe.com/c/pay/cs_test_1',
      reference: 'cs_test_1',
    },
  })
  const [call] = world.calls
  t.match(call, { method: 'POST', url: { href: 'https://api.stripe.com/v1/checkout/sessions' } })
  t.match(call!.headers, {
    authorization: `Bearer ${key}`,
    'content-type': 'application/x-www-form-urlencoded',
    'idempotency-key': `order-${order.orderNo}`,
  })
  t.strictSame(formOf(call!), {
    mode: 'payment',
    'line_items[0][quantity]': '1',
    'line_items[0][price_data][currency]': 'jpy',
    'line_items[0][price_data][unit_amount]': '1050',
    'line_items[0][price_data][product_data][name]': order.title,
    client_reference_id: order.orderNo,
    'metadata[order_no]': order.orderNo,
    'payment_intent_data[metadata][order_no]': order.orderNo,
    success_url: order.returnUrl,
    cancel_url: order.cancelUrl,
    expires_at: String(order.expiresAt / 1000),
    customer_email: 'ada@example.com',
    allow_promotion_codes: 'true',
  })
})

t.test(
  'an amount Stripe cannot take, and a call it refuses, are errors without secrets',
  async (t) => {
    const dinars = { ...order, currency: 'KWD', amountMinor: 923n }
    await t.rejects(stripe({ currency: 'KWD' }).gateway.checkout(dinars), /KWD/)
    const error = {
      type: 'invalid_request_error',
      code: 'amount_too_small',
      message: `with ${key}`,
    }
    const refused = stripe({}, () => ({ status: 400, json: { error } }))
    const thrown = await refused.gateway.checkout(order).catch((one: Error) => one)
    t.match(String(thrown), /amount_too_small/)
    t.notMatch(String(thrown), /sk_test/)
    t.equal(refused.world.calls.length, 1, 'nothing is tried again')
    await t.rejects(stripe().gateway.checkout(order), /could not be reached/)
  },
)

t.test('[PAY-5] an order whose callback was lost is queried about by its session', async (t) => {
  const placed = { ...order, reference: 'cs_test_1', createdAt: now }
  const found = async (json: JsonObject) => stripe({}, answering(json)).gateway.fetch!(placed)
  t.match(await found(session()), {
    state: 'paid',
    reference: 'pi_1',
    amountMinor: 7000n,
    isTest: true,
  })
  t.match(await found(session({ status: 'expired' })), { state: 'expired' })
  t.equal(await found(session({ status: 'open' })), undefined)
  t.equal(await found(session({ payment_status: 'unpaid' })), undefined)
  t.equal(await found(session({ client_reference_id: 'another' })), undefined)
  const { reference: _, ...unopened } = placed
  t.equal(await gateway.fetch!(unopened), undefined)
})

t.test('a payment is paid back under the key of the request', async (t) => {
  const { gateway, world } = stripeWith()
  const request = {
    ...{ ...order, createdAt: now, reference: 'pi_1', refundMinor: 3500n, key: 'r1' },
  }
  t.strictSame(await gateway.refund!(request), { kind: 'begun' })
  t.match(world.calls[0], {
    url: { pathname: '/v1/refunds' },
    headers: { 'idempotency-key': 'refund-r1' },
  })
  t.strictSame(formOf(world.calls[0]!), { payment_intent: 'pi_1', amount: '3500' })
  t.match(await gateway.refund!({ ...request, reference: 'cs_test_1' }), { kind: 'refused' })
})
