/** Creem's subscriptions: what is sold, what their payments report, how money goes back, and how they end. */
import t from 'tap'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { RecurringOrder } from '../../../kernel/contract/payment.js'
import {
  checkout,
  creem,
  event,
  host,
  judged,
  ordered,
  product,
  received,
  renewed,
  second,
  signed,
  strict,
  subscription,
  transaction,
} from './creem-fixture.js'
import { now, order } from './gateway-fixture.js'

const recurring: RecurringOrder = {
  ...{ ...order, currency: 'EUR', productId: 'prod_1', every: { unit: 'month', count: 1 } },
}
const renewal = {
  ...{ event: 'evt_1', at: now, agreement: 'sub_1', state: 'paid', reference: 'tran_2' },
  ...{ amountMinor: 7000n, currency: 'EUR', isTest: true },
}

t.test('[PAY-1] a product is subscribed to where it is what the plan states', async (t) => {
  const url = 'https://creem.io/checkout/prod_1/ch_1'
  const opened = (over: JsonObject, wanted: Partial<RecurringOrder> = {}) => {
    const { gateway, world } = creem(
      {},
      strict({
        [`GET ${host}/products?product_id=prod_1`]: product(over),
        [`POST ${host}/checkouts`]: checkout({ checkout_url: url, order: null }),
      }),
    )
    return { world, result: gateway.subscribe!({ ...recurring, ...wanted }) }
  }
  const every = (unit: RecurringOrder['every']['unit'], count: number) => ({
    every: { unit, count },
  })
  const interval = (unit: string, count: number): JsonObject => ({
    ...{ billing_period: 'custom', recurring_interval: unit, recurring_interval_count: count },
  })
  const { result, world } = opened({})
  t.strictSame(await result, { kind: 'redirect', url, reference: 'ch_1' })
  t.strictSame(JSON.parse(world.calls[1]!.body), {
    ...{ product_id: 'prod_1', request_id: order.orderNo, units: 1 },
    ...{ success_url: order.returnUrl, metadata: { order_no: order.orderNo } },
  })
  const sold: readonly (readonly [JsonObject, Partial<RecurringOrder>])[] = [
    [{ billing_period: 'every-three-months' }, every('month', 3)],
    [{ billing_period: 'every-six-months' }, every('month', 6)],
    [{ billing_period: 'every-year' }, every('year', 1)],
    [{ billing_period: 'every-year' }, every('month', 12)],
    [{ billing_period: 'every-day' }, every('day', 1)],
    [interval('week', 2), every('day', 14)],
    [interval('month', 5), every('month', 5)],
  ]
  for (const [over, wanted] of sold) {
    t.match(await opened(over, wanted).result, { url }, JSON.stringify(over))
  }
  const refused: readonly (readonly [JsonObject, Partial<RecurringOrder>, RegExp])[] = [
    [{ billing_type: 'onetime' }, {}, /does not repeat/],
    [{ billing_period: 'every-year' }, {}, /as often/],
    [{ billing_period: 'custom' }, {}, /as often/],
    [{ billing_period: 'toString' }, {}, /as often/],
    [interval('month', 2), {}, /as often/],
    [{}, every('day', 30), /as often/],
    [{ price: 6999 }, {}, /another price/],
    [{ currency: 'USD' }, {}, /another price/],
    [{ trial_period_days: 7 }, {}, /trial/],
    [{}, { productId: undefined }, /products alone/],
  ]
  for (const [over, wanted, reason] of refused) {
    const { result, world } = opened(over, wanted)
    await t.rejects(result, reason)
    t.ok(
      world.calls.every(({ method }) => method === 'GET'),
      'nothing is opened',
    )
  }
})

t.test('[PAY-5] checkout and subscription report the same first payment', async (t) => {
  const first = {
    ...{ event: 'evt_1', at: now, state: 'paid', orderNo: order.orderNo, reference: 'tran_1' },
    ...{ amountMinor: 7000n, currency: 'EUR', isTest: true, agreement: 'sub_1' },
  }
  const ofOrder = ordered({ type: 'recurring', transaction: 'tran_1' })
  const completed = checkout({ order: ofOrder, subscription: { id: 'sub_1' } })
  t.strictSame(await received(event('checkout.completed', completed)), {
    ...{ kind: 'notice', notice: first },
  })
  t.strictSame(await received(event('subscription.paid', subscription())), {
    ...{ kind: 'notice', notice: first },
  })
  const unnamed = checkout({ order: ordered(), subscription: 'sub_1' })
  t.match(await received(event('checkout.completed', unnamed)), { kind: 'ignored' })
  const startsAt = (over: JsonObject, day: string) =>
    subscription({ last_transaction: transaction(over), current_period_start_date: day })
  for (const [object, kind] of [
    [startsAt({ period_start: null }, '2026-01-31T11:59:58.000Z'), 'notice'],
    [startsAt({ period_start: now + 60_000 }, ''), 'notice'],
    [startsAt({ period_start: now + 86_400_000 }, ''), 'renewal'],
    [startsAt({ period_start: null }, '2026-02-28T12:00:00.000Z'), 'renewal'],
    [startsAt({ period_start: null }, ''), 'renewal'],
  ] as const) {
    t.match(await received(event('subscription.paid', object)), { kind })
  }
})

t.test(
  '[PAY-1] a later payment of a subscription is a renewal with its exact amount',
  async (t) => {
    t.strictSame(await received(event('subscription.paid', renewed)), { kind: 'renewal', renewal })
    const rows: readonly (readonly [JsonObject, bigint, bigint | undefined])[] = [
      [{ amount_paid: 8470, tax_amount: 1470 }, 7000n, undefined],
      [{ amount_paid: 7260, tax_amount: 1260, discount_amount: 1000 }, 6000n, 1000n],
      [{ amount_paid: 0, tax_amount: 0, discount_amount: 7000 }, 0n, 7000n],
      [{ amount_paid: 6999, tax_amount: 0 }, 6999n, undefined],
    ]
    for (const [amounts, amountMinor, discountMinor] of rows) {
      const object = { ...renewed, last_transaction: { ...second, ...amounts } }
      const wanted = { ...renewal, amountMinor, ...(discountMinor && { discountMinor }) }
      t.strictSame(await received(event('subscription.paid', object)), {
        ...{ kind: 'renewal', renewal: wanted },
      })
    }
  },
)

t.test(
  '[PAY-3] a payment without amounts is queried, and sent again where it cannot be',
  async (t) => {
    const { last_transaction: _, ...bare } = renewed
    const payload = event('subscription.paid', bare)
    const answers = { [`GET ${host}/transactions?transaction_id=tran_2`]: second }
    const { gateway, world } = creem({}, strict(answers))
    t.strictSame(await received(payload, gateway), { kind: 'renewal', renewal })
    t.equal(world.calls.length, 1)
    const stale = event('subscription.paid', { ...renewed, last_transaction: transaction() })
    t.strictSame(await received(stale, gateway), { kind: 'renewal', renewal }, 'of another payment')
    await t.rejects(received(payload))
    const forged = await judged(payload, { 'creem-signature': signed(payload, 'another') }, gateway)
    t.match(forged, { kind: 'forged' })
    t.equal(world.calls.length, 2, 'what is not genuine is not asked about')
  },
)

t.test('what becomes of a subscription is reported, of the gateway alone', async (t) => {
  const rows = [
    ['past_due', 'failed'],
    ['unpaid', 'failed'],
    ['expired', 'failed'],
    ['canceled', 'ended'],
  ] as const
  const reported = { event: 'evt_1', at: now, agreement: 'sub_1', isTest: true }
  for (const [name, state] of rows) {
    const verdict = await received(event(`subscription.${name}`, subscription()))
    t.strictSame(verdict, { kind: 'renewal', renewal: { ...reported, state } }, name)
  }
  for (const payload of [
    event('subscription.active', subscription()),
    event('subscription.scheduled_cancel', subscription()),
    event('subscription.paid', subscription({ metadata: {} })),
    event('subscription.canceled', subscription({ metadata: null })),
    event('subscription.paid', subscription({ last_transaction_id: null })),
  ]) {
    t.match(await received(payload), { kind: 'ignored' }, payload.slice(0, 60))
  }
})

t.test('money of a subscription that goes back names its transaction', async (t) => {
  const amounts = { amount_paid: 8470, tax_amount: 1470, refunded_amount: 8470 }
  const object = {
    status: 'succeeded',
    refund_amount: 8470,
    transaction: { ...second, ...amounts },
  }
  const wanted = { state: 'refunded', reference: 'tran_2', amountMinor: 7000n }
  t.match(await received(event('refund.created', object)), { notice: wanted })
  const dispute = event('dispute.created', { ...object, amount: 8470 })
  t.match(await received(dispute), { notice: { ...wanted, state: 'disputed' } })
  const { gateway, world } = creem(
    {},
    strict({
      [`GET ${host}/transactions?transaction_id=tran_2`]: second,
      [`POST ${host}/refunds`]: { status: 'succeeded' },
    }),
  )
  const request = { ...order, createdAt: now, reference: 'tran_2', refundMinor: 7000n, key: 'r1' }
  t.strictSame(await gateway.refund!(request), { kind: 'begun' })
  t.strictSame(JSON.parse(world.calls[1]!.body), { transaction_id: 'tran_2' })
})

t.test(
  '[PAY-5] a first payment whose callback was lost is found by its subscription',
  async (t) => {
    const placed = { ...order, reference: 'ch_1', createdAt: now }
    const found = (sub: JsonObject) =>
      creem(
        {},
        strict({
          [`GET ${host}/checkouts?checkout_id=ch_1`]: checkout({ subscription: 'sub_1' }),
          [`GET ${host}/subscriptions?subscription_id=sub_1`]: sub,
        }),
      ).gateway.fetch!(placed)
    const wanted = { event: 'paid ch_1', state: 'paid', reference: 'tran_1', agreement: 'sub_1' }
    t.match(await found(subscription()), { ...wanted, amountMinor: 7000n })
    t.equal(await found(renewed), undefined, 'a later payment is not the first')
  },
)

t.test('a subscription ends at once, and may be ended again', async (t) => {
  const path = `${host}/subscriptions`
  const answering = (status: number, found?: JsonObject) =>
    creem({}, ({ method, url }) => {
      if (method === 'GET') return found && { json: found }
      return url.pathname.endsWith('/sub_1/cancel') ? { status, json: {} } : undefined
    })
  const { gateway, world } = creem(
    {},
    strict({ [`POST ${path}/sub_1/cancel`]: subscription({ status: 'canceled' }) }),
  )
  await gateway.unsubscribe!('sub_1')
  t.strictSame(JSON.parse(world.calls[0]!.body), { mode: 'immediate' })
  await answering(404).gateway.unsubscribe!('sub_1')
  await answering(400, subscription({ status: 'canceled' })).gateway.unsubscribe!('sub_1')
  for (const [status, found] of [
    [400, subscription()],
    [400, undefined],
    [403, undefined],
    [500, subscription({ status: 'canceled' })],
  ] as const) {
    await t.rejects(answering(status, found).gateway.unsubscribe!('sub_1'), String(status))
  }
})

t.test('the page of a payer is that of the customer who subscribed', async (t) => {
  const link = 'https://creem.io/my-orders/login/1'
  for (const customer of ['cust_1', { id: 'cust_1' }]) {
    const { gateway, world } = creem(
      {},
      strict({
        [`GET ${host}/subscriptions?subscription_id=sub_1`]: subscription({ customer }),
        [`POST ${host}/customers/billing`]: { customer_portal_link: link },
      }),
    )
    const { returnUrl } = order
    t.strictSame(await gateway.portal!({ agreement: 'sub_1', returnUrl }), { url: link })
    t.strictSame(JSON.parse(world.calls[1]!.body), { customer_id: 'cust_1' })
    await t.rejects(gateway.portal!({ mandate: 'cus_1', returnUrl }), /subscriptions alone/)
  }
})
