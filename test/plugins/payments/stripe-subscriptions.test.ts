/** Stripe's subscriptions: how they are opened, what their invoices report, how money goes back, and how they end. */
import t from 'tap'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { RecurringOrder } from '../../../kernel/contract/payment.js'
import { now, order } from './gateway-fixture.js'
import { formOf, key, refusal } from './stripe-api.js'
import { event, headerOf, judged, session, stripe, stripeWith } from './stripe-fixture.js'

const recurring: RecurringOrder = { ...order, every: { unit: 'month', count: 1 } }
const facts = { event: 'evt_1', at: now, isTest: true }
const metadata = { order_no: order.orderNo }

/** Of the API version 2025-03-31 and later. */
const invoice = (over: JsonObject = {}): JsonObject => ({
  ...{ id: 'in_2', object: 'invoice', billing_reason: 'subscription_cycle', currency: 'usd' },
  ...{ total: 7000, amount_paid: 7000, total_taxes: [], total_discount_amounts: [] },
  parent: {
    ...{ type: 'subscription_details', quote_details: null },
    subscription_details: { subscription: 'sub_1', metadata },
  },
  ...over,
})
/** Of endpoints that were made before it. */
const earlier = (over: JsonObject = {}): JsonObject => {
  const { parent: _, total_taxes: __, ...rest } = invoice()
  const details = { subscription: 'sub_1', subscription_details: { metadata } }
  return { ...rest, ...details, payment_intent: 'pi_2', total_tax_amounts: [], ...over }
}
const first = (over: JsonObject = {}) =>
  session({
    ...{ mode: 'subscription', payment_intent: null, invoice: 'in_1', subscription: 'sub_1' },
    ...{ customer: 'cus_1', ...over },
  })
const renewal = {
  ...{ ...facts, agreement: 'sub_1', state: 'paid', reference: 'in_2' },
  ...{ amountMinor: 7000n, currency: 'usd' },
}
const { gateway } = stripeWith()

t.test(
  '[PAY-1] a subscription is opened for the order, its amount and interval, once',
  async (t) => {
    const { gateway, world } = stripeWith({}, { currency: 'JPY', promotionCodes: true })
    const yen: RecurringOrder = {
      ...{ ...recurring, currency: 'JPY', amountMinor: 1050n, every: { unit: 'week', count: 2 } },
      payer: { id: 7, email: 'ada@example.com' },
    }
    t.strictSame(await gateway.subscribe!(yen), {
      ...{ kind: 'redirect', url: 'https://checkout.stripe.com/c/pay/cs_test_1' },
      reference: 'cs_test_1',
    })
    t.match(world.calls[0]!.headers, { 'idempotency-key': `order-${order.orderNo}` })
    t.strictSame(formOf(world.calls[0]!), {
      mode: 'subscription',
      'line_items[0][quantity]': '1',
      'line_items[0][price_data][currency]': 'jpy',
      'line_items[0][price_data][unit_amount]': '1050',
      'line_items[0][price_data][recurring][interval]': 'week',
      'line_items[0][price_data][recurring][interval_count]': '2',
      'line_items[0][price_data][product_data][name]': order.title,
      client_reference_id: order.orderNo,
      'metadata[order_no]': order.orderNo,
      'subscription_data[metadata][order_no]': order.orderNo,
      success_url: order.returnUrl,
      cancel_url: order.cancelUrl,
      expires_at: String(order.expiresAt / 1000),
      customer_email: 'ada@example.com',
      allow_promotion_codes: 'true',
    })
  },
)

t.test('intervals of up to three years are taken, longer ones are refused by name', async (t) => {
  const rows = [
    ['day', 1095],
    ['week', 156],
    ['month', 36],
    ['year', 3],
  ] as const
  for (const [unit, count] of rows) {
    const { gateway, world } = stripeWith({}, { currency: 'KWD' })
    const dinars = { ...recurring, currency: 'KWD', amountMinor: 1050n }
    await gateway.subscribe!({ ...dinars, every: { unit, count: 1 } })
    t.match(formOf(world.calls[0]!), {
      'line_items[0][price_data][unit_amount]': '1050',
      'line_items[0][price_data][recurring][interval]': unit,
    })
    const tooLong = gateway.subscribe!({ ...dinars, every: { unit, count: count + 1 } })
    await t.rejects(tooLong, new RegExp(`after ${count} ${unit}s at the latest`))
    t.equal(world.calls.length, 1, 'nothing was sent')
    await t.rejects(gateway.subscribe!({ ...dinars, amountMinor: 923n }), /KWD/)
  }
})

t.test('[PAY-1] the first payment names the order, what repeats, and its invoice', async (t) => {
  const notice = {
    ...{ ...facts, state: 'paid', orderNo: order.orderNo, agreement: 'sub_1' },
    ...{ reference: 'in_1', amountMinor: 7000n, currency: 'usd' },
  }
  for (const type of ['completed', 'async_payment_succeeded']) {
    const verdict = await judged(gateway, event(`checkout.session.${type}`, first()))
    t.strictSame(verdict, { kind: 'notice', notice }, type)
  }
  const waiting = event('checkout.session.completed', first({ payment_status: 'unpaid' }))
  t.match(await judged(gateway, waiting), { notice: { state: 'pending' } })
  const free = first({ amount_total: 0, total_details: { amount_discount: 7000 } })
  t.match(await judged(gateway, event('checkout.session.completed', free)), {
    notice: { state: 'paid', amountMinor: 0n, discountMinor: 7000n, reference: 'in_1' },
  })
})

t.test('[PAY-5] the invoice of the first payment is the same payment as its session', async (t) => {
  const one = invoice({ id: 'in_1', billing_reason: 'subscription_create' })
  const ofInvoice = await judged(gateway, event('invoice.paid', one))
  const ofSession = await judged(gateway, event('checkout.session.completed', first()))
  t.strictSame(ofInvoice, ofSession)
  t.match(await judged(gateway, event('invoice.payment_failed', one)), { kind: 'ignored' })
})

t.test('[PAY-1] a paid duration is a renewal with its exact amount', async (t) => {
  const tax = (amount: number, tax_behavior: string) => ({
    total_taxes: [{ amount, tax_behavior }],
  })
  const coupon = (amount: number) => ({ total_discount_amounts: [{ amount, discount: 'di_1' }] })
  const earlierTax = (amount: number, inclusive: boolean) =>
    earlier({ total_tax_amounts: [{ amount, inclusive }], total: 8470, amount_paid: 8470 })
  const rows: readonly (readonly [string, JsonObject, bigint, bigint | undefined])[] = [
    ['the price', invoice(), 7000n, undefined],
    [
      'without its fields',
      invoice({ total_taxes: null, total_discount_amounts: null }),
      7000n,
      undefined,
    ],
    ['JPY', invoice({ currency: 'jpy', total: 1050, amount_paid: 1050 }), 1050n, undefined],
    ['KWD', invoice({ currency: 'kwd', total: 1050, amount_paid: 1050 }), 1050n, undefined],
    [
      'a tax on top',
      invoice({ ...tax(1470, 'exclusive'), total: 8470, amount_paid: 8470 }),
      ...([7000n, undefined] as const),
    ],
    ['a tax within', invoice(tax(1118, 'inclusive')), 7000n, undefined],
    ['a coupon', invoice({ ...coupon(1000), total: 6000, amount_paid: 6000 }), 6000n, 1000n],
    [
      'a coupon and a tax on top',
      invoice({ ...coupon(1000), ...tax(1260, 'exclusive'), total: 7260, amount_paid: 7260 }),
      ...([6000n, 1000n] as const),
    ],
    ['a coupon of everything', invoice({ ...coupon(7000), total: 0, amount_paid: 0 }), 0n, 7000n],
    ['credit at Stripe', invoice({ amount_paid: 5000 }), 5000n, 2000n],
    ['credit for all of it', invoice({ amount_paid: 0 }), 0n, 7000n],
    ['a debt collected with it', invoice({ amount_paid: 9000 }), 7000n, undefined],
    ['another price', invoice({ total: 6999, amount_paid: 6999 }), 6999n, undefined],
    ['nothing but credit', invoice({ total: -500, amount_paid: 0 }), 0n, undefined],
    ['an earlier version', earlier(), 7000n, undefined],
    ['an earlier version, a tax on top', earlierTax(1470, false), 7000n, undefined],
    ['an earlier version, a tax within', earlierTax(1470, true), 8470n, undefined],
  ]
  for (const [what, object, amountMinor, discountMinor] of rows) {
    const wanted = {
      ...{ ...renewal, amountMinor, currency: object.currency },
      ...(discountMinor !== undefined && { discountMinor }),
    }
    const verdict = await judged(gateway, event('invoice.paid', object))
    t.strictSame(verdict, { kind: 'renewal', renewal: wanted }, what)
  }
  const live = await judged(gateway, event('invoice.paid', invoice(), { livemode: true }))
  t.match(live, { renewal: { isTest: false } })
})

t.test('a duration that could not be collected, and the end, are reported', async (t) => {
  const subscription = { id: 'sub_1', object: 'subscription', status: 'canceled', metadata }
  const rows = [
    ['invoice.payment_failed', invoice(), 'failed'],
    ['invoice.payment_failed', earlier(), 'failed'],
    ['customer.subscription.deleted', subscription, 'ended'],
  ] as const
  for (const [type, object, state] of rows) {
    const renewal = { ...facts, agreement: 'sub_1', state }
    t.strictSame(await judged(gateway, event(type, object)), { kind: 'renewal', renewal }, type)
  }
})

t.test('what is of no subscription of the gateway, or no duration, means nothing', async (t) => {
  const foreign = { subscription_details: { subscription: 'sub_9', metadata: {} } }
  const rows: readonly (readonly [string, JsonObject])[] = [
    ['invoice.paid', invoice({ parent: foreign })],
    ['invoice.paid', invoice({ parent: null })],
    ['invoice.paid', invoice({ parent: { subscription_details: null } })],
    ['invoice.paid', earlier({ subscription: null })],
    ['invoice.paid', invoice({ billing_reason: 'subscription_update' })],
    ['invoice.paid', invoice({ billing_reason: 'manual' })],
    ['invoice.payment_failed', invoice({ parent: foreign })],
    ['customer.subscription.deleted', { id: 'sub_9', metadata: {} }],
    ['customer.subscription.updated', { id: 'sub_1', metadata }],
    ['invoice_payment.paid', { id: 'inpay_1' }],
  ]
  for (const [type, object] of rows) {
    t.match(await judged(gateway, event(type, object)), { kind: 'ignored' }, type)
  }
})

t.test('[PAY-2] a renewal that was altered or is signed by another is not genuine', async (t) => {
  const paid = event('invoice.paid', invoice())
  const header = headerOf(paid)
  const rows = [
    [paid.replace('7000', '7001'), { header }],
    [paid.replace('sub_1', 'sub_2'), { header }],
    [paid.replace('in_2', 'in_3'), { header }],
    [paid, { secret: 'whsec_another' }],
    [paid, { at: -301 }],
  ] as const
  for (const [payload, signing] of rows) {
    t.match(await judged(gateway, payload, signing), { kind: 'forged' })
  }
})

const paymentOf = (over: JsonObject = {}): JsonObject => ({
  ...{ id: 'inpay_1', object: 'invoice_payment', status: 'paid' },
  ...{ payment: { type: 'payment_intent', payment_intent: 'pi_2' }, invoice: invoice(over) },
})
const charge = (amount_refunded: number, over: JsonObject = {}): JsonObject => ({
  ...{
    id: 'ch_2',
    payment_intent: 'pi_2',
    amount_refunded,
    currency: 'usd',
    metadata: {},
    ...over,
  },
})
const dispute = { id: 'dp_1', payment_intent: 'pi_2', amount: 7000, currency: 'usd' }

t.test('money of a subscription that goes back names the invoice it was paid for', async (t) => {
  const taxed = { total: 8470, amount_paid: 8470 }
  const tax = { total_taxes: [{ amount: 1470, tax_behavior: 'exclusive' }] }
  const rows: readonly (readonly [string, JsonObject, JsonObject, object])[] = [
    ['charge.refunded', {}, charge(3500), { state: 'refunded', amountMinor: 3500n }],
    ['charge.refunded', { ...taxed, ...tax }, charge(8470), { amountMinor: 7000n }],
    ['charge.refunded', { ...taxed, ...tax }, charge(4235), { amountMinor: 3500n }],
    ['charge.refunded', { ...taxed, ...tax }, charge(1), { amountMinor: 1n }],
    ['charge.dispute.funds_withdrawn', {}, dispute, { state: 'disputed', amountMinor: 7000n }],
    ['charge.dispute.funds_reinstated', {}, dispute, { state: 'reinstated' }],
  ]
  for (const [type, over, object, wanted] of rows) {
    const { gateway, world } = stripeWith({ invoicePayments: [paymentOf(over)] })
    const verdict = await judged(gateway, event(type, object))
    t.match(verdict, { kind: 'notice', notice: { ...wanted, reference: 'in_2' } }, type)
    t.equal(world.calls.length, 1)
  }
})

t.test('money that goes back is looked up only where it may be of an invoice', async (t) => {
  const { gateway, world } = stripeWith({ invoicePayments: [paymentOf({ parent: null })] })
  const ofPage = event('charge.refunded', charge(3500, { metadata }))
  t.match(await judged(gateway, ofPage), { notice: { reference: 'pi_2', amountMinor: 3500n } })
  t.equal(world.calls.length, 0, 'a payment of a page says so itself')
  t.match(await judged(gateway, event('charge.refunded', charge(3500))), { kind: 'ignored' })
  t.equal(world.calls.length, 1, 'an invoice of another origin')
  const forged = await judged(gateway, event('charge.refunded', charge(1)), { secret: 'whsec_no' })
  t.match(forged, { kind: 'forged' })
  t.equal(world.calls.length, 1, 'what is not genuine is not asked about')
})

t.test('[PAY-3] where Stripe cannot be asked, the report is to be sent again', async (t) => {
  for (const script of [() => undefined, () => refusal(403, 'no', `for ${key}`)]) {
    const { gateway, world } = stripe({}, script)
    for (const payload of [
      event('charge.refunded', charge(3500)),
      event('charge.dispute.funds_withdrawn', dispute),
    ]) {
      const thrown = await judged(gateway, payload).catch((error: Error) => error)
      t.ok(thrown instanceof Error)
      t.notMatch(`${thrown} ${world.logged}`, 'sk_test')
    }
  }
  const paid = await judged(stripe().gateway, event('invoice.paid', invoice()))
  t.match(paid, { kind: 'renewal' }, 'what was paid is read without a call')
})

t.test('a payment of a subscription is paid back by its invoice', async (t) => {
  const request = {
    ...{ ...order, createdAt: now, reference: 'in_2', refundMinor: 3500n, key: 'r1' },
  }
  const tax = { total_taxes: [{ amount: 1470, tax_behavior: 'exclusive' }] }
  const taxed = { ...tax, total: 8470, amount_paid: 8470 }
  const rows = [
    [{}, 3500n, '3500'],
    [taxed, 3500n, '4235'],
    [taxed, 7000n, '8470'],
  ] as const
  for (const [over, refundMinor, amount] of rows) {
    const { gateway, world } = stripeWith({ invoicePayments: [paymentOf(over)] })
    t.strictSame(await gateway.refund!({ ...request, refundMinor }), { kind: 'begun' })
    t.strictSame(formOf(world.calls[1]!), { payment_intent: 'pi_2', amount })
    t.match(world.calls[1]!.headers, { 'idempotency-key': 'refund-r1' })
  }
  const unpaid = stripeWith()
  t.match(await unpaid.gateway.refund!(request), { kind: 'refused' })
  t.equal(unpaid.world.calls.length, 1)
  await t.rejects(stripe().gateway.refund!(request))
})

t.test('[PAY-5] a first payment whose callback was lost is found by its session', async (t) => {
  const placed = { ...order, reference: 'cs_test_1', createdAt: now }
  const found = await stripe({}, () => ({ json: first() })).gateway.fetch!(placed)
  t.match(found, { state: 'paid', reference: 'in_1', agreement: 'sub_1', amountMinor: 7000n })
})

t.test('a subscription ends at once, and may be ended again', async (t) => {
  const { gateway, state, world } = stripeWith({
    subscriptions: { sub_1: { id: 'sub_1', status: 'active', customer: 'cus_1' } },
  })
  await gateway.unsubscribe!('sub_1')
  t.match(state.subscriptions, { sub_1: { status: 'canceled' } })
  t.match(world.calls[0], { method: 'DELETE', body: '' })
  await gateway.unsubscribe!('sub_1')
  await gateway.unsubscribe!('sub_9')
  const expired = { json: { id: 'sub_1', status: 'incomplete_expired' } }
  const other = stripe({}, ({ method }) =>
    method === 'DELETE' ? refusal(400, 'status_transition_invalid', 'no') : expired,
  )
  await other.gateway.unsubscribe!('sub_1')
})

t.test('what may still collect is not taken for ended', async (t) => {
  const otherMode =
    'No such subscription; a similar object exists in live mode, but a test mode key'
  const active = { json: { id: 'sub_1', status: 'active' } }
  const rows = [
    () => undefined,
    () => refusal(500, 'api_error', 'no'),
    () => refusal(404, 'resource_missing', otherMode),
    ({ method }: { readonly method: string }) =>
      method === 'DELETE' ? refusal(400, 'lock_timeout', `no, ${key}`) : active,
  ]
  for (const script of rows) {
    const { gateway, world } = stripe({}, script)
    const thrown = await gateway.unsubscribe!('sub_1').catch((error: Error) => error)
    t.ok(thrown instanceof Error)
    t.notMatch(`${thrown} ${world.logged}`, /sk_test|similar object/)
  }
})

t.test('the page of a payer is that of the customer who subscribed or agreed', async (t) => {
  const subscriptions = { sub_1: { id: 'sub_1', status: 'active', customer: 'cus_7' } }
  const { gateway, world } = stripeWith({ subscriptions })
  const returnUrl = 'https://gate.example/wallet'
  const url = 'https://billing.stripe.com/p/session/1'
  t.strictSame(await gateway.portal!({ agreement: 'sub_1', returnUrl }), { url })
  t.strictSame(formOf(world.calls[1]!), { customer: 'cus_7', return_url: returnUrl })
  t.strictSame(await gateway.portal!({ mandate: 'cus_1', returnUrl }), { url })
  t.strictSame(formOf(world.calls[2]!), { customer: 'cus_1', return_url: returnUrl })
  await t.rejects(gateway.portal!({ returnUrl }), /agreed to nothing/)
  await t.rejects(gateway.portal!({ agreement: 'sub_9', returnUrl }), /resource_missing/)
})
