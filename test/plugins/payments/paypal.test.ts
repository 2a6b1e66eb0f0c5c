/** PayPal: transmissions signed by openssl with a certificate of its own, and an API that takes nothing but what is documented. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import t from 'tap'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { CallbackVerdict } from '../../../kernel/contract/payment.js'
import createPayPal from '../../../plugins/payments/paypal/index.js'
import { conformingPayment } from '../../conformance/index.js'
import type { OutgoingCall, ScriptedAnswer } from '../../conformance/outgoing.js'
import { gatewayOf, now, order } from './gateway-fixture.js'

const directory = mkdtempSync(join(tmpdir(), 'paypal-'))
t.teardown(() => rmSync(directory, { recursive: true }))
const path = (name: string) => join(directory, name)

/** A key and a self-signed certificate of the year 2026. */
function certificate(name: string, [start, end]: readonly [string, string]): string {
  const [config, key, request] = [path('ca.cnf'), path(`${name}.key`), path(`${name}.csr`)]
  writeFileSync(path('index'), '')
  writeFileSync(
    config,
    `[ca]\ndefault_ca=c\n[c]\ndatabase=${path('index')}\nrand_serial=yes\nnew_certs_dir=${directory}\ndefault_md=sha256\npolicy=p\n[p]\ncommonName=supplied\n`,
  )
  const run = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' })
  run(
    'req',
    '-new',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    key,
    '-out',
    request,
    '-subj',
    '/CN=certs',
  )
  const out = path(`${name}.pem`)
  const dates = ['-startdate', `${start}000000Z`, '-enddate', `${end}000000Z`]
  run(
    'ca',
    '-batch',
    '-selfsign',
    '-notext',
    '-config',
    config,
    '-keyfile',
    key,
    '-in',
    request,
    '-out',
    out,
    ...dates,
  )
  return readFileSync(out, 'utf8')
}
const usualCertificate = certificate('usual', ['20260101', '20270101'])
const expired = certificate('expired', ['20250101', '20260101'])

const webhookId = 'WH0000000000000001'
const clientSecret = 'secret of the client'
const usual = { clientId: 'client', clientSecret, webhookId, sandbox: true, currency: 'USD' }
const api = 'https://api-m.sandbox.paypal.com'
const certificates = 'https://api.sandbox.paypal.com/v1/notifications/certs'
type Answers = Readonly<Record<string, ScriptedAnswer>>

/** PayPal as documented: another path, token, header or field is refused. */
function strict(answers: Answers = {}) {
  return ({ method, url, headers, body }: OutgoingCall): ScriptedAnswer => {
    if (url.href === `${certificates}/CERT-1`) return { text: usualCertificate }
    if (url.href === `${certificates}/CERT-old`) return { text: expired }
    if (url.href === `${api}/v1/oauth2/token`) {
      const basic = `Basic ${Buffer.from(`client:${clientSecret}`).toString('base64')}`
      const isRight = headers.authorization === basic && body === 'grant_type=client_credentials'
      return isRight
        ? { json: { access_token: 'A21', token_type: 'Bearer', expires_in: 32_400 } }
        : { status: 401, json: { error: 'invalid_client', error_description: clientSecret } }
    }
    if (headers.authorization !== 'Bearer A21') return { status: 401, json: {} }
    if (headers['content-type'] !== 'application/json') return { status: 415, json: {} }
    if (method === 'POST' && headers['paypal-request-id'] === undefined)
      return { status: 400, json: {} }
    const known = ['intent', 'purchase_units', 'payment_source', 'amount']
    const isKnown = Object.keys(body === '' ? {} : JSON.parse(body)).every((one) =>
      known.includes(one),
    )
    const found = answers[`${method} ${url.href.slice(api.length)}`]
    return (isKnown ? found : undefined) ?? { status: 404, json: { name: 'RESOURCE_NOT_FOUND' } }
  }
}
const paypal = (settings: object = {}, answers?: Answers) =>
  gatewayOf({
    ...{ name: 'paypal', create: createPayPal, settings: { ...usual, ...settings } },
    script: strict(answers),
  })

interface Transmission {
  readonly at?: number
  readonly key?: string
  readonly webhook?: string
  readonly headers?: Readonly<Record<string, string>>
}

function transmitted(
  payload: string,
  { at = 0, key = 'usual', webhook = webhookId, headers }: Transmission = {},
) {
  const time = new Date(now + at * 1000).toISOString().replace('.000', '')
  const input = `t-1|${time}|${webhook}|${crc32(payload)}`
  const signature = execFileSync('openssl', ['dgst', '-sha256', '-sign', path(`${key}.key`)], {
    input,
  })
  return {
    ...{ 'paypal-transmission-id': 't-1', 'paypal-transmission-time': time },
    ...{ 'paypal-auth-algo': 'SHA256withRSA', 'paypal-cert-url': `${certificates}/CERT-1` },
    'paypal-transmission-sig': signature.toString('base64'),
    ...headers,
  }
}

function judged(payload: string, headers: Readonly<Record<string, string>>, by = paypal()) {
  const body = Buffer.from(payload)
  return by.gateway.verify!({
    method: 'POST',
    headers,
    query: '',
    body,
  }) as Promise<CallbackVerdict>
}
const received = (payload: string, by?: ReturnType<typeof paypal>) =>
  judged(payload, transmitted(payload), by)

const money = (value: string, currency_code = 'USD') => ({ currency_code, value })
const capture = (over: JsonObject = {}): JsonObject => ({
  ...{ id: 'CAPTURE1', status: 'COMPLETED', custom_id: order.orderNo, amount: money('70.00') },
  ...over,
})
const paypalOrder = (over: JsonObject = {}): JsonObject => ({
  ...{ id: 'ORDER001', status: 'COMPLETED' },
  purchase_units: [{ custom_id: order.orderNo, payments: { captures: [capture()] } }],
  ...over,
})
const event = (event_type: string, resource: JsonObject) =>
  JSON.stringify({ id: 'WH-1', event_type, resource })
const paid = event('PAYMENT.CAPTURE.COMPLETED', capture())
const fields = {
  ...{ isTest: true, state: 'paid', orderNo: order.orderNo, reference: 'CAPTURE1' },
  ...{ amountMinor: 7000n, currency: 'USD' },
}

t.test('[PAY-1] a capture names order, payment, exact amount and currency', async (t) => {
  t.strictSame(await received(paid), { kind: 'notice', notice: { event: 'WH-1', ...fields } })
  const amounts: readonly (readonly [string, string, bigint | undefined])[] = [
    ['70.01', 'USD', 7001n],
    ['1050', 'JPY', 1050n],
    ['1050.50', 'JPY', undefined],
    ['1050', 'HUF', 105_000n],
    ['1.050', 'KWD', 1050n],
    ['70.001', 'USD', undefined],
    ['-70.00', 'USD', undefined],
    ['70.00', 'XXY', undefined],
  ]
  for (const [value, currency, amountMinor] of amounts) {
    const payload = event('PAYMENT.CAPTURE.COMPLETED', capture({ amount: money(value, currency) }))
    const expected =
      amountMinor === undefined
        ? { kind: 'ignored' }
        : { kind: 'notice', notice: { amountMinor, currency } }
    t.match(await received(payload), expected, `${value} ${currency}`)
  }
})

t.test('each event means what it is', async (t) => {
  const refund = {
    ...{ id: 'REFUND01', status: 'COMPLETED', amount: money('10.00') },
    seller_payable_breakdown: { total_refunded_amount: money('35.00') },
    links: [{ rel: 'up', href: `${api}/v2/payments/captures/CAPTURE1` }],
  }
  const rows: readonly (readonly [string, JsonObject, object])[] = [
    ['PAYMENT.CAPTURE.PENDING', capture({ status: 'PENDING' }), { state: 'pending' }],
    ['PAYMENT.CAPTURE.DENIED', capture({ status: 'DECLINED' }), { state: 'failed' }],
    [
      'PAYMENT.CAPTURE.REFUNDED',
      refund,
      { state: 'refunded', reference: 'CAPTURE1', amountMinor: 3500n },
    ],
    [
      'PAYMENT.CAPTURE.REVERSED',
      refund,
      { state: 'disputed', reference: 'CAPTURE1', amountMinor: 1000n },
    ],
  ]
  for (const [type, resource, notice] of rows) {
    t.match(await received(event(type, resource)), { kind: 'notice', notice }, type)
  }
  for (const [type, resource] of [
    ['CUSTOMER.DISPUTE.CREATED', {}],
    ['PAYMENT.CAPTURE.COMPLETED', capture({ custom_id: null })],
    ['PAYMENT.CAPTURE.REFUNDED', { ...refund, links: [] }],
    ['PAYMENT.CAPTURE.REFUNDED', { ...refund, status: 'PENDING' }],
  ] as const) {
    t.match(await received(event(type, resource)), { kind: 'ignored' }, type)
  }
})

t.test('[PAY-5] an approved order is captured once, under a key of the order', async (t) => {
  const approved = event('CHECKOUT.ORDER.APPROVED', { id: 'ORDER001', status: 'APPROVED' })
  const one = paypal({}, { 'POST /v2/checkout/orders/ORDER001/capture': { json: paypalOrder() } })
  const notice = { event: 'WH-1', ...fields }
  t.strictSame(await received(approved, one), { kind: 'notice', notice })
  t.equal(one.world.calls.at(-1)!.headers['paypal-request-id'], 'capture-ORDER001')
  t.strictSame(await received(approved, one), { kind: 'notice', notice })
  const tokens = one.world.calls.filter(({ url }) => url.pathname === '/v1/oauth2/token')
  t.equal(tokens.length, 1, 'the token is kept')
  const fault = (issue: string) => ({ status: 422, json: { details: [{ issue }] } })
  const again = paypal(
    {},
    {
      'POST /v2/checkout/orders/ORDER001/capture': fault('ORDER_ALREADY_CAPTURED'),
      'GET /v2/checkout/orders/ORDER001': { json: paypalOrder() },
    },
  )
  t.match(await received(approved, again), { notice })
  const declined = { 'POST /v2/checkout/orders/ORDER001/capture': fault('INSTRUMENT_DECLINED') }
  t.match(await received(approved, paypal({}, declined)), { kind: 'ignored' })
  await t.rejects(received(approved), 'it is to be sent again')
})

t.test('[PAY-2] what is unsigned, changed, old, or signed by another is not genuine', async (t) => {
  const header = transmitted(paid)
  const large = 'x'.repeat(1_048_576)
  const foreign = (url: string) => transmitted(paid, { headers: { 'paypal-cert-url': url } })
  const rows: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    [paid, {}],
    ...Object.keys(header).map((name) => [paid, { ...header, [name]: '' }] as const),
    [paid.replace('70.00', '70.01'), header],
    [`${paid} `, header],
    [paid, transmitted(paid, { at: -3 * 86_400 - 3_601 })],
    [paid, transmitted(paid, { at: 301 })],
    [paid, transmitted(paid, { webhook: 'WH0000000000000002' })],
    [paid, transmitted(paid, { webhook: '' })],
    [paid, transmitted(paid, { key: 'expired' })],
    [
      paid,
      transmitted(paid, {
        key: 'expired',
        headers: { 'paypal-cert-url': `${certificates}/CERT-old` },
      }),
    ],
    [paid, { ...header, 'paypal-auth-algo': 'SHA1withRSA' }],
    [paid, foreign(`${certificates}/CERT-none`)],
    [paid, foreign(`${certificates}/../CERT-1`)],
    [paid, foreign('https://api.sandbox.paypal.com.evil.example/v1/notifications/certs/CERT-1')],
    [paid, foreign('https://api.paypal.com/v1/notifications/certs/CERT-1')],
    [paid, foreign('http://api.sandbox.paypal.com/v1/notifications/certs/CERT-1')],
    [large, header],
    ...[large, '', '[]', '{}', 'not JSON'].map((text) => [text, transmitted(text)] as const),
  ]
  for (const [payload, headers] of rows) {
    t.match(await judged(payload, headers), { kind: 'forged' }, payload.slice(0, 40))
  }
  t.match(await judged(paid, transmitted(paid, { at: -3 * 86_400 })), { kind: 'notice' })
})

t.test('[PAY-2] without what callbacks are verified by nothing is offered', async (t) => {
  t.match(paypal().gateway.offer(), { currency: 'USD', unitPrice: '1', isTest: true })
  t.match(paypal({ sandbox: false, currency: 'jpy' }).gateway.offer(), {
    currency: 'JPY',
    isTest: false,
  })
  for (const missing of [
    ...[{ clientId: '' }, { clientSecret: '' }, { clientSecret: ' ' }, { webhookId: '' }],
    ...[{ currency: 'XXY' }, { currency: 'KWD' }],
  ]) {
    t.equal(paypal(missing).gateway.offer(), undefined, JSON.stringify(missing))
  }
})

t.test('[PAY-1] an order is opened for the exact amount, once', async (t) => {
  const links = [
    { rel: 'payer-action', href: 'https://www.sandbox.paypal.com/checkoutnow?token=ORDER001' },
  ]
  const answers = { 'POST /v2/checkout/orders': { status: 201, json: { id: 'ORDER001', links } } }
  const { gateway, world } = paypal({}, answers)
  const rows: readonly (readonly [string, bigint, string])[] = [
    ['USD', 7000n, '70.00'],
    ['JPY', 1050n, '1050'],
    ['HUF', 105_000n, '1050'],
    ['TWD', 100n, '1'],
  ]
  for (const [currency, amountMinor, value] of rows) {
    const opened = await gateway.checkout({ ...order, currency, amountMinor })
    t.strictSame(opened, { kind: 'redirect', url: links[0]!.href, reference: 'ORDER001' })
    const { headers, body } = world.calls.at(-1)!
    t.equal(headers['paypal-request-id'], `order-${order.orderNo}`)
    t.match(JSON.parse(body), {
      intent: 'CAPTURE',
      purchase_units: [{ custom_id: order.orderNo, amount: { currency_code: currency, value } }],
    })
  }
  await t.rejects(
    gateway.checkout({ ...order, currency: 'HUF', amountMinor: 105_050n }),
    /decimals/,
  )
  const refused = paypal({ clientSecret: 'wrong' })
  const thrown = await refused.gateway.checkout(order).catch((error: Error) => error)
  t.match(String(thrown), /status 401/)
  t.notMatch(`${thrown} ${refused.world.logged}`, clientSecret)
})

t.test('[PAY-5] an order whose callback was lost is queried about, and captured', async (t) => {
  const placed = { ...order, reference: 'ORDER001', createdAt: now }
  const found = (json: JsonObject) =>
    paypal(
      {},
      {
        'GET /v2/checkout/orders/ORDER001': { json },
        'POST /v2/checkout/orders/ORDER001/capture': { json: paypalOrder() },
      },
    ).gateway.fetch!(placed)
  const notice = { event: 'paid CAPTURE1', ...fields }
  t.strictSame(await found(paypalOrder()), notice)
  const units = [{ custom_id: order.orderNo }]
  t.strictSame(await found({ id: 'ORDER001', status: 'APPROVED', purchase_units: units }), notice)
  t.equal(await found({ id: 'ORDER001', status: 'CREATED', purchase_units: units }), undefined)
  t.equal(await found(paypalOrder({ purchase_units: [{ custom_id: 'another' }] })), undefined)
  await t.rejects(paypal().gateway.fetch!(placed))
})

t.test('a payment is paid back by its capture, under the key of the request', async (t) => {
  const refund = (status: string) =>
    paypal({}, { 'POST /v2/payments/captures/CAPTURE1/refund': { status: 201, json: { status } } })
  const request = {
    ...{ ...order, createdAt: now, currency: 'USD', reference: 'CAPTURE1' },
    ...{ refundMinor: 3500n, key: 'r1' },
  }
  const { gateway, world } = refund('COMPLETED')
  t.strictSame(await gateway.refund!(request), { kind: 'begun' })
  const { headers, body } = world.calls.at(-1)!
  t.equal(headers['paypal-request-id'], 'refund-r1')
  t.strictSame(JSON.parse(body), { amount: money('35.00') })
  t.match(await refund('CANCELLED').gateway.refund!(request), { kind: 'refused' })
  t.match(await gateway.refund!({ ...request, reference: '../x' }), { kind: 'refused' })
})

t.test('it conforms', async (t) => {
  const links = [
    { rel: 'payer-action', href: 'https://www.sandbox.paypal.com/checkoutnow?token=1' },
  ]
  const currencyOf = (currency: string) => ({ settings: { currency } })
  conformingPayment((title, run) => t.test(title, async () => run()), {
    manifest: readFileSync('plugins/payments/paypal/manifest.json', 'utf8'),
    create: createPayPal,
    settings: usual,
    required: ['clientId', 'clientSecret', 'webhookId'],
    checkout: {
      provider: strict({ 'POST /v2/checkout/orders': { json: { id: 'ORDER001', links } } }),
      amounts: [
        { currency: 'USD', amountMinor: 7000n, written: '70.00' },
        { currency: 'JPY', amountMinor: 1050n, written: '1050', ...currencyOf('JPY') },
      ],
    },
    callbacks: {
      secrets: ['webhookId'],
      currency: 'USD',
      provider: strict(),
      toleranceSeconds: 3 * 86_400 + 3600,
      aheadSeconds: 300,
      paid({ orderNo, amountMinor, at }, secrets = {}) {
        const digits = String(amountMinor).padStart(3, '0')
        const amount = money(`${digits.slice(0, -2)}.${digits.slice(-2)}`)
        const body = event('PAYMENT.CAPTURE.COMPLETED', capture({ custom_id: orderNo, amount }))
        const webhook = String(secrets.webhookId ?? webhookId)
        const headers = transmitted(body, { webhook, at: (at - now) / 1000 })
        return { method: 'POST', headers, query: '', body: Buffer.from(body) }
      },
    },
    lookup: {
      reference: 'ORDER001',
      paid: strict({ 'GET /v2/checkout/orders/ORDER001': { json: paypalOrder() } }),
      unpaid: strict({
        'GET /v2/checkout/orders/ORDER001': {
          json: {
            id: 'ORDER001',
            status: 'CREATED',
            purchase_units: [{ custom_id: order.orderNo }],
          },
        },
      }),
    },
    refund: {
      reference: 'CAPTURE1',
      provider: strict({
        'POST /v2/payments/captures/CAPTURE1/refund': { json: { status: 'COMPLETED' } },
      }),
    },
  })
})
