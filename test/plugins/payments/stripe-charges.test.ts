/** Payments by Stripe while the payer is away: what is agreed to, what is taken, and that nothing is taken twice. */
import t from 'tap'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { ChargeOrder } from '../../../kernel/contract/payment.js'
import { now, order } from './gateway-fixture.js'
import { formOf, key, type Outcome, refusal, takenBy } from './stripe-api.js'
import { event, judged, session, stripe, stripeWith } from './stripe-fixture.js'

const { orderNo, title } = order
const wanted: ChargeOrder = {
  ...{ orderNo, title, amountMinor: 7000n, currency: 'USD', mandate: 'cus_1' },
}
const other = { ...wanted, orderNo: 'decade'.repeat(5) }
const paid = {
  ...{ event: 'paid pi_1', state: 'paid', orderNo, reference: 'pi_1' },
  ...{ amountMinor: 7000n, currency: 'usd', isTest: true },
}

t.test(
  '[PAY-1] a page whose payer agrees to later payments makes a customer for them',
  async (t) => {
    const { gateway, world } = stripeWith()
    await gateway.checkout({ ...order, currency: 'USD', keepsMandate: true })
    await gateway.checkout({ ...order, currency: 'USD' })
    const [kept, usual] = world.calls.map(formOf)
    t.strictSame(kept, {
      ...{ ...usual, customer_creation: 'always' },
      'payment_intent_data[setup_future_usage]': 'off_session',
    })
  },
)

t.test('the notice of such a page names the customer, where a way to pay was stored', async (t) => {
  const { gateway } = stripe()
  const agreed = { customer: 'cus_1', customer_creation: 'always' }
  const rows: readonly (readonly [JsonObject, string | undefined])[] = [
    [agreed, 'cus_1'],
    [{ ...agreed, customer: { id: 'cus_1' } }, 'cus_1'],
    [{ customer: 'cus_1' }, undefined],
    [{ ...agreed, payment_intent: null, payment_status: 'no_payment_required' }, undefined],
    [{ ...agreed, payment_intent: null }, undefined],
    [{ ...agreed, payment_status: 'unpaid' }, undefined],
    [{ ...agreed, customer: null }, undefined],
    [{ ...agreed, mode: 'subscription', payment_intent: null }, undefined],
  ]
  for (const [over, mandate] of rows) {
    const verdict = await judged(gateway, event('checkout.session.completed', session(over)))
    t.equal(verdict.kind === 'notice' && verdict.notice.mandate, mandate, JSON.stringify(over))
  }
})

t.test('[PAY-1] a payment is taken by what is stored, its exact amount', async (t) => {
  const rows = [
    ['USD', 7000n, '7000'],
    ['JPY', 1050n, '1050'],
    ['KWD', 1050n, '1050'],
  ] as const
  for (const [currency, amountMinor, amount] of rows) {
    const { gateway, world } = stripeWith({}, { currency })
    const result = await gateway.charge!({ ...wanted, currency, amountMinor })
    const notice = { ...paid, amountMinor, currency: currency.toLowerCase() }
    t.strictSame(result, { kind: 'done', notice })
    const call = world.calls.at(-1)!
    t.match(call.headers, { 'idempotency-key': `charge-${orderNo}` })
    t.strictSame(formOf(call), {
      ...{ amount, currency: currency.toLowerCase(), customer: 'cus_1', payment_method: 'pm_1' },
      ...{ 'allowed_payment_method_types[0]': 'card', off_session: 'true', confirm: 'true' },
      ...{ description: title, 'metadata[order_no]': orderNo, 'metadata[charged]': 'true' },
    })
  }
  const { gateway, world } = stripeWith({}, { currency: 'KWD' })
  const odd = { ...wanted, currency: 'KWD', amountMinor: 923n }
  await t.rejects(gateway.charge!(odd), /KWD/)
  t.equal(world.calls.length, 0)
})

t.test('[PAY-5] the same order takes nothing more, also when its key is forgotten', async (t) => {
  const { gateway, state } = stripeWith()
  const first = await gateway.charge!(wanted)
  t.equal(takenBy(state), 7000)
  t.strictSame(await gateway.charge!(wanted), first)
  state.keys.clear()
  t.strictSame(await gateway.charge!(wanted), first)
  t.equal(takenBy(state), 7000)
  t.match(await gateway.charge!(other), { kind: 'done', notice: { reference: 'pi_2' } })
  t.equal(takenBy(state), 14_000, 'another order is another payment')
})

t.test('[PAY-5] a payment whose connection broke is found, and not taken again', async (t) => {
  const { gateway, state } = stripeWith({ next: 'lost' })
  await t.rejects(gateway.charge!(wanted), /could not be reached/)
  t.equal(takenBy(state), 7000)
  state.keys.clear()
  t.strictSame(await gateway.charge!(wanted), { kind: 'done', notice: paid })
  t.equal(takenBy(state), 7000)
})

t.test('[PAY-5] an order is found behind hundreds of later payments', async (t) => {
  const { gateway, state, world } = stripeWith()
  await gateway.charge!(wanted)
  const [first] = state.intents
  for (let index = 2; index <= 250; index += 1) {
    state.intents.push({ ...first!, id: `pi_${index}`, metadata: { order_no: `n${index}` } })
  }
  state.keys.clear()
  const before = world.calls.length
  t.match(await gateway.charge!(wanted), { kind: 'done', notice: { reference: 'pi_1' } })
  t.equal(world.calls.length - before, 3, 'three pages')
  t.equal(state.intents.length, 250)
})

t.test('two calls at the same time take one payment', async (t) => {
  const { gateway, state } = stripeWith()
  const results = await Promise.all([gateway.charge!(wanted), gateway.charge!(wanted)])
  t.same(
    results.map(({ kind }) => kind),
    ['done', 'done'],
  )
  t.equal(takenBy(state), 7000)
})

t.test(
  '[PAY-5] a payment that takes its time is begun, and reported when it is decided',
  async (t) => {
    const { gateway, state } = stripeWith({ next: 'processing' })
    const begun = { kind: 'begun', reference: 'pi_1' }
    t.strictSame(await gateway.charge!(wanted), begun)
    t.strictSame(await gateway.charge!(wanted), begun)
    t.equal(takenBy(state), 7000)
    const placed = { ...order, currency: 'USD', reference: 'pi_1', createdAt: now }
    t.equal(await gateway.fetch!(placed), undefined)
    const decided = { ...state.intents[0]!, status: 'succeeded', amount_received: 7000 }
    const facts = { event: 'evt_1', at: now, isTest: true }
    t.strictSame(await judged(gateway, event('payment_intent.succeeded', decided)), {
      ...{ kind: 'notice', notice: { ...paid, ...facts } },
    })
    state.intents[0] = decided
    t.strictSame(await gateway.fetch!(placed), paid)
    t.equal(await gateway.fetch!({ ...placed, orderNo: other.orderNo }), undefined)
    const failed = { ...decided, status: 'requires_payment_method', amount_received: 0 }
    t.strictSame(await judged(gateway, event('payment_intent.payment_failed', failed)), {
      ...{ kind: 'notice', notice: { ...facts, state: 'failed', orderNo, reference: 'pi_1' } },
    })
    state.intents[0] = failed
    t.match(await gateway.fetch!(placed), { state: 'failed', event: 'failed pi_1' })
  },
)

t.test('payments of pages are left to the reports of their sessions', async (t) => {
  const { gateway } = stripe()
  for (const metadata of [{ order_no: orderNo }, { charged: 'true' }, {}]) {
    const intent = { id: 'pi_1', status: 'succeeded', amount_received: 7000, currency: 'usd' }
    for (const type of ['payment_intent.succeeded', 'payment_intent.payment_failed']) {
      const verdict = await judged(gateway, event(type, { ...intent, metadata }))
      t.match(verdict, { kind: 'ignored' }, type)
    }
  }
})

t.test('what the bank refuses is one sentence for the payer, the same at every call', async (t) => {
  const rows: readonly (readonly [Outcome, RegExp])[] = [
    [{ code: 'card_declined', declined: 'insufficient_funds' }, /declined/],
    [{ code: 'authentication_required' }, /by hand/],
    [{ code: 'expired_card' }, /expired/],
    [{ code: 'processing_error' }, /declined/],
  ]
  for (const [next, reason] of rows) {
    const { gateway, state, world } = stripeWith({ next })
    const result = await gateway.charge!(wanted)
    t.match(result, { kind: 'refused', reason })
    t.notMatch(`${JSON.stringify(result)} ${world.logged}`, /sk_test|says/, 'nothing of Stripe')
    state.keys.clear()
    t.strictSame(await gateway.charge!(wanted), result)
    t.equal(takenBy(state), 0, 'an order that was refused is not tried again')
  }
})

t.test('a decline that names no payment is refused, another fault is not', async (t) => {
  const answers = (status: number, type: string) => {
    const { gateway } = stripe({}, ({ method, url }) => {
      if (method === 'POST') return { status, json: { error: { type, code: 'c', message: key } } }
      const card = { id: 'pm_1', type: 'card' }
      if (url.pathname.endsWith('payment_intents')) return { json: { data: [], has_more: false } }
      return { json: { id: 'cus_1', invoice_settings: { default_payment_method: card } } }
    })
    return gateway.charge!(wanted)
  }
  t.match(await answers(402, 'card_error'), { kind: 'refused' })
  for (const [status, type] of [
    [400, 'invalid_request_error'],
    [409, 'idempotency_error'],
    [500, 'api_error'],
  ] as const) {
    const thrown = await answers(status, type).catch((error: Error) => error)
    t.ok(thrown instanceof Error, type)
    t.notMatch(String(thrown), 'sk_test')
  }
})

t.test(
  'what the payer chose on the page of Stripe is charged, else what they stored last',
  async (t) => {
    const [card, newer] = ['pm_1', 'pm_2'].map((id) => ({
      id,
      object: 'payment_method',
      type: 'card',
    }))
    const debit = { id: 'pm_3', object: 'payment_method', type: 'sepa_debit' }
    const rows = [
      [{ methods: [newer!, card!] }, 'pm_2', 'card'],
      [{ methods: [newer!, card!], chosen: card! }, 'pm_1', 'card'],
      [{ methods: [debit] }, 'pm_3', 'sepa_debit'],
    ] as const
    for (const [customer, payment_method, type] of rows) {
      const customers = { cus_1: { ...customer, methods: [...customer.methods] } }
      const { gateway, world } = stripeWith({ customers })
      t.match(await gateway.charge!(wanted), { kind: 'done' })
      const form = formOf(world.calls.at(-1)!)
      t.match(form, { payment_method, 'allowed_payment_method_types[0]': type })
    }
  },
)

t.test('where nothing is stored any more the payer is told, and nothing is sent', async (t) => {
  const { gateway, world } = stripeWith({ customers: { cus_1: { methods: [] } } })
  for (const mandate of ['cus_1', 'cus_9']) {
    const result = await gateway.charge!({ ...wanted, mandate })
    t.match(result, { kind: 'refused', reason: /no longer stored/ })
  }
  t.ok(world.calls.every(({ method }) => method === 'GET'))
  const deleted = stripe({}, ({ url }) =>
    url.pathname.endsWith('payment_intents')
      ? { json: { data: [], has_more: false } }
      : { json: { id: 'cus_1', deleted: true } },
  )
  t.match(await deleted.gateway.charge!(wanted), { kind: 'refused' })
})

t.test(
  'a mandate of the other mode, and a Stripe that fails, are no answer of the bank',
  async (t) => {
    const otherMode = 'No such customer; a similar object exists in live mode, but a test mode key'
    for (const script of [
      () => undefined,
      () => refusal(400, 'resource_missing', otherMode),
      () => refusal(401, 'api_key_expired', key),
      () => ({ status: 500, text: '<html>' }),
    ]) {
      const { gateway, world } = stripe({}, script)
      const thrown = await gateway.charge!(wanted).catch((error: Error) => error)
      t.ok(thrown instanceof Error)
      t.notMatch(`${thrown} ${world.logged}`, 'sk_test')
      t.equal(world.calls.length, 1, 'nothing is taken where it is not known what was')
    }
  },
)

t.test('a list without an end is given up', async (t) => {
  let count = 0
  const { gateway } = stripe({}, () => {
    const data = Array.from({ length: 100 }, (_, at) => ({ id: `pi_${count + at}`, metadata: {} }))
    count += data.length
    return { json: { object: 'list', url: '/v1/payment_intents', data, has_more: true } }
  })
  await t.rejects(gateway.charge!(wanted), /too many payments/)
  t.equal(count, 10_000)
})
