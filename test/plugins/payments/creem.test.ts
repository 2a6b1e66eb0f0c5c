/** Creem: events signed by openssl, and an API that takes nothing but what is documented. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import type { JsonObject } from '../../../kernel/contract/json.js'
import { readManifest } from '../../../kernel/registry/manifest.js'
import createCreem from '../../../plugins/payments/creem/index.js'
import { checkedText } from '../../../plugins/services/options/option-value.js'
import { conformingPayment } from '../../conformance/index.js'
import {
  callbackBy,
  checkout,
  creem,
  event,
  gateway,
  hmac,
  host,
  judged,
  key,
  notice,
  ordered,
  paid,
  product,
  products,
  received,
  second,
  signed,
  strict,
  subscription,
  usual,
} from './creem-fixture.js'
import { now, order } from './gateway-fixture.js'

t.test('[PAY-1] a completed checkout names order, payment, amount and currency', async (t) => {
  t.strictSame(await received(paid), { kind: 'notice', notice })
  const live = event('checkout.completed', checkout({ mode: 'prod' }))
  t.match(await received(live), { notice: { isTest: false } })
  const other = event('checkout.completed', checkout({ order: ordered({ currency: 'USD' }) }))
  t.match(await received(other), { notice: { currency: 'USD' } })
  const open = event('checkout.completed', checkout({ order: ordered({ status: 'pending' }) }))
  t.match(await received(open), { notice: { state: 'pending' } })
})

t.test('[PAY-4] discounts are reported, and taxes are no part of the price', async (t) => {
  const rows: readonly (readonly [string, JsonObject, bigint, bigint | undefined])[] = [
    ['exclusive', { amount_paid: 8470, tax_amount: 1470 }, 7000n, undefined],
    ['inclusive', { amount_paid: 7000, tax_amount: 1215 }, 7000n, undefined],
    ['exclusive', { amount_paid: 7260, tax_amount: 1260, discount_amount: 1000 }, 6000n, 1000n],
    ['inclusive', { amount_paid: 6000, tax_amount: 1041, discount_amount: 1000 }, 6000n, 1000n],
    ['exclusive', { amount_paid: 0, tax_amount: 0, discount_amount: 7000 }, 0n, 7000n],
    ['exclusive', { amount_paid: 6999, tax_amount: 0 }, 6999n, undefined],
    ['exclusive', { amount: 7001 }, 7001n, undefined],
  ]
  for (const [tax_mode, amounts, amountMinor, discountMinor] of rows) {
    const object = checkout({ order: ordered(amounts), product: { id: 'prod_1', tax_mode } })
    const verdict = await received(event('checkout.completed', object))
    const { notice } = verdict as { notice: { amountMinor: bigint; discountMinor?: bigint } }
    t.strictSame([notice.amountMinor, notice.discountMinor], [amountMinor, discountMinor])
  }
})

t.test('refunds and disputes name the payment and what went back of its price', async (t) => {
  const transaction = {
    ...{ id: 'tran_1', order: 'ord_1', amount: 7000, amount_paid: 8470, tax_amount: 1470 },
    ...{ currency: 'EUR', mode: 'test', refunded_amount: 8470 },
  }
  const refund = (over: JsonObject, object: JsonObject = {}) =>
    event('refund.created', {
      ...{ id: 'ref_1', status: 'succeeded', refund_amount: 8470, refund_currency: 'EUR' },
      ...{ transaction: { ...transaction, ...over }, ...object },
    })
  const whole = { state: 'refunded', reference: 'ord_1', amountMinor: 7000n, currency: 'EUR' }
  t.match(await received(refund({})), { notice: whole })
  t.match(await received(refund({ refunded_amount: 4235 })), { notice: { amountMinor: 3500n } })
  t.match(await received(refund({ order: null }, { order: 'ord_1' })), { notice: whole })
  t.match(await received(refund({}, { status: 'failed' })), { kind: 'ignored' })
  const dispute = event('dispute.created', { id: 'disp_1', amount: 8470, transaction })
  t.match(await received(dispute), { notice: { state: 'disputed', amountMinor: 7000n } })
  for (const payload of [
    event('checkout.completed', checkout({ request_id: null })),
    event('checkout.completed', checkout({ order: null })),
    event('refund.created', { id: 'ref_1' }),
  ]) {
    t.match(await received(payload), { kind: 'ignored' }, payload)
  }
})

t.test('[PAY-2] what is unsigned, changed or signed by another is not genuine', async (t) => {
  const header = { 'creem-signature': signed(paid) }
  const large = 'x'.repeat(1_048_576)
  const rows: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    [paid, {}],
    [paid, { 'creem-signature': '' }],
    [paid, { 'creem-signature': signed(paid, 'another secret') }],
    [paid, { 'creem-signature': header['creem-signature'].slice(0, -1) }],
    [paid.replace('7000', '7001'), header],
    [`${paid} `, header],
    [large, header],
    [large, { 'creem-signature': signed(large) }],
    ...['', '[]', '{}', 'not JSON', '{"id":"evt_1","eventType":"checkout.completed"}'].map(
      (payload) => [payload, { 'creem-signature': signed(payload) }] as const,
    ),
  ]
  for (const [payload, headers] of rows) {
    t.match(await judged(payload, headers), { kind: 'forged' }, payload.slice(0, 60))
  }
})

t.test('[PAY-2] a signature with a time may be 300 seconds old', async (t) => {
  const standard = Buffer.from('a key of the test')
  const { gateway } = creem({ webhookSecret: `whsec_${standard.toString('base64')}` })
  const headers = (seconds: number, by = standard) => {
    const at = String(now / 1000 + seconds)
    const made = hmac(`msg_1.${at}.${paid}`, by.toString('hex')).toString('base64')
    return {
      ...{ 'webhook-id': 'msg_1', 'webhook-timestamp': at },
      'webhook-signature': `v1,AAAA v1,${made}`,
    }
  }
  t.strictSame(await judged(paid, headers(-299), gateway), { kind: 'notice', notice })
  for (const wrong of [
    headers(-301),
    headers(301),
    headers(0, Buffer.from('another key')),
    { ...headers(0), 'webhook-id': 'msg_2' },
    { ...headers(0), 'webhook-timestamp': '' },
    { ...headers(-301), 'creem-signature': signed(paid) },
  ]) {
    t.match(await judged(paid, wrong, gateway), { kind: 'forged' }, JSON.stringify(wrong))
  }
})

t.test('[PAY-2] without what callbacks are verified by nothing is offered', async (t) => {
  const product = { id: 'prod_1', title: 'Small', amountMinor: 7000n, currency: 'EUR' }
  t.match(gateway.offer(), { isTest: true, products: [{ ...product, quota: 5_000_000n }] })
  t.match(creem({ test: false }).gateway.offer(), { isTest: false })
  for (const missing of [{ key: '' }, { webhookSecret: '' }, { webhookSecret: ' ' }]) {
    t.equal(creem(missing).gateway.offer(), undefined, JSON.stringify(missing))
  }
})

t.test('products that cannot be sold are left out', async (t) => {
  const [product] = products
  const prices: readonly (readonly [object, bigint | undefined])[] = [
    [{ price: 9.99 }, 999n],
    [{ price: '0.10', currency: 'usd' }, 10n],
    [{ price: 9.999 }, undefined],
    [{ price: 0 }, undefined],
    [{ price: -1 }, undefined],
    [{ price: 1050, currency: 'JPY' }, undefined],
    [{ price: 1.05, currency: 'KWD' }, undefined],
    [{ currency: 'XXY' }, undefined],
    [{ quota: 0 }, undefined],
    [{ quota: 1.5 }, undefined],
    [{ productId: '' }, undefined],
  ]
  for (const [over, minor] of prices) {
    const offer = creem({ products: [{ ...product, ...over }, 'text', null] }).gateway.offer()
    t.same(
      offer!.products!.map(({ amountMinor }) => amountMinor),
      minor === undefined ? [] : [minor],
    )
  }
  const twice = creem({ products: [product, { ...product, price: 1 }] }).gateway.offer()
  t.match(twice!.products, [{ amountMinor: 7000n }])
  t.equal(twice!.products!.length, 1)
})

t.test('[PAY-1] a checkout is opened for the product under the number of the order', async (t) => {
  const url = 'https://creem.io/checkout/prod_1/ch_1'
  const answers = {
    [`GET ${host}/products?product_id=prod_1`]: { id: 'prod_1', billing_type: 'onetime' },
    [`POST ${host}/checkouts`]: checkout({ checkout_url: url, order: null }),
  }
  const { gateway, world } = creem({}, strict(answers))
  const bought = { ...order, productId: 'prod_1', payer: { id: 7, email: 'ada@example.com' } }
  t.strictSame(await gateway.checkout(bought), { kind: 'redirect', url, reference: 'ch_1' })
  t.strictSame(JSON.parse(world.calls[1]!.body), {
    ...{ product_id: 'prod_1', request_id: order.orderNo, units: 1 },
    ...{ success_url: order.returnUrl, metadata: { order_no: order.orderNo } },
    customer: { email: 'ada@example.com' },
  })
  await t.rejects(gateway.checkout(order), /products/)
  const refused = creem({ key: 'wrong', test: false }, () => ({ status: 403, json: { key } }))
  const thrown = await refused.gateway.checkout(bought).catch((error: Error) => error)
  t.match(String(thrown), /status 403/)
  t.notMatch(`${thrown} ${refused.world.logged}`, key)
  t.equal(refused.world.calls[0]!.url.host, 'api.creem.io')
  await t.rejects(creem().gateway.checkout(bought))
  const repeating = { [`GET ${host}/products?product_id=prod_1`]: { billing_type: 'recurring' } }
  const other = creem({}, strict({ ...answers, ...repeating }))
  await t.rejects(other.gateway.checkout(bought), /cannot be sold once/)
  t.equal(other.world.calls.length, 1, 'what repeats is not opened as what is paid once')
})

t.test('[PAY-5] an order whose callback was lost is queried about', async (t) => {
  const placed = { ...order, reference: 'ch_1', createdAt: now }
  const found = (json: JsonObject) =>
    creem({}, strict({ [`GET ${host}/checkouts?checkout_id=ch_1`]: json })).gateway.fetch!(placed)
  const { at: _, ...fields } = notice
  t.strictSame(await found(checkout()), { ...fields, event: 'paid ch_1' })
  t.match(await found(checkout({ status: 'expired' })), { state: 'expired' })
  t.equal(await found(checkout({ status: 'pending' })), undefined)
  t.equal(await found(checkout({ request_id: 'another' })), undefined)
  t.equal(await gateway.fetch!({ ...placed, reference: 'ord_1' }), undefined)
  await t.rejects(gateway.fetch!(placed))
})

t.test('a whole payment is paid back, a part is refused', async (t) => {
  const transaction = { id: 'tran_1', order: 'ord_1', amount: 7000, status: 'paid' }
  const answers = (status: string, items: JsonObject[] = [transaction]) => ({
    [`GET ${host}/transactions/search?order_id=ord_1`]: { items, pagination: {} },
    [`POST ${host}/refunds`]: { status },
  })
  const request = { ...order, createdAt: now, reference: 'ord_1', refundMinor: 7000n, key: 'r1' }
  const { gateway, world } = creem({}, strict(answers('succeeded')))
  t.strictSame(await gateway.refund!(request), { kind: 'begun' })
  t.strictSame(JSON.parse(world.calls[1]!.body), { transaction_id: 'tran_1' })
  t.match(await gateway.refund!({ ...request, refundMinor: 6999n }), { kind: 'refused' })
  t.equal(world.calls.length, 3, 'a part is not sent')
  for (const script of [strict(answers('failed')), strict(answers('succeeded', []))]) {
    t.match(await creem({}, script).gateway.refund!(request), { kind: 'refused' })
  }
})

t.test('the option CreemProducts holds a list', (t) => {
  const file = 'plugins/payments/creem/manifest.json'
  const { settings } = readManifest(readFileSync(file, 'utf8'), file)
  const field = settings.find(({ name }) => name === 'products')!
  const text = JSON.stringify(products)
  t.equal(checkedText('CreemProducts', field, text), text)
  t.end()
})

t.test('it conforms', async (t) => {
  conformingPayment((title, run) => t.test(title, async () => run()), {
    manifest: readFileSync('plugins/payments/creem/manifest.json', 'utf8'),
    create: createCreem,
    settings: usual,
    required: ['key', 'webhookSecret'],
    checkout: {
      productId: 'prod_1',
      provider: () => ({ json: { id: 'ch_1', checkout_url: 'https://creem.io/checkout/ch_1' } }),
      amounts: [{ currency: 'EUR', amountMinor: 7000n }],
    },
    callbacks: {
      secrets: ['webhookSecret'],
      currency: 'EUR',
      paid({ orderNo, amountMinor }, secrets) {
        const object = checkout({
          ...{ request_id: orderNo, order: ordered({ amount: Number(amountMinor) }) },
        })
        return callbackBy('checkout.completed', object, secrets)
      },
    },
    recurring: {
      productId: 'prod_1',
      provider: ({ method }) =>
        method === 'GET'
          ? { json: product({ price: 7000 }) }
          : { json: { id: 'ch_1', checkout_url: 'https://creem.io/checkout/ch_1' } },
      amounts: [{ currency: 'EUR', amountMinor: 7000n }],
      agreement: 'sub_1',
      first({ orderNo, amountMinor }, secrets) {
        const paid = ordered({ amount: Number(amountMinor), transaction: 'tran_1' })
        const object = checkout({ request_id: orderNo, order: paid, subscription: 'sub_1' })
        return callbackBy('checkout.completed', object, secrets)
      },
      renewed({ amountMinor, nth }, secrets) {
        const id = `tran_${nth}`
        const paid = { ...second, id, amount: Number(amountMinor) }
        const object = subscription({ last_transaction_id: id, last_transaction: paid })
        return callbackBy('subscription.paid', object, secrets)
      },
      ended: (_, secrets) => callbackBy('subscription.canceled', subscription(), secrets),
      ending() {
        let hasEnded = false
        return ({ method }) => {
          if (method === 'GET') return { json: subscription({ status: 'canceled' }) }
          const answer = hasEnded ? { status: 400, json: {} } : { json: subscription() }
          hasEnded = true
          return answer
        }
      },
    },
    portal: {
      requests: [{ agreement: 'sub_1' }],
      provider: ({ method }) =>
        method === 'GET'
          ? { json: subscription() }
          : { json: { customer_portal_link: 'https://creem.io/my-orders/login/1' } },
    },
    lookup: {
      reference: 'ch_1',
      paid: () => ({ json: checkout() }),
      unpaid: () => ({ json: checkout({ status: 'pending' }) }),
    },
    refund: {
      isKeyed: false,
      reference: 'ord_1',
      provider: ({ url }) =>
        url.pathname.endsWith('/search')
          ? { json: { items: [{ id: 'tran_1' }] } }
          : { json: { status: 'succeeded' } },
    },
  })
})
