/** Alipay: notices and responses signed by openssl, and an interface that takes nothing but what is documented. */
import { execFileSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { CallbackVerdict } from '../../../kernel/contract/payment.js'
import createAlipay from '../../../plugins/payments/alipay/index.js'
import { conformingPayment } from '../../conformance/index.js'
import type { OutgoingCall, ScriptedAnswer } from '../../conformance/outgoing.js'
import { callbackOf, gatewayOf, now, order } from './gateway-fixture.js'

type Fields = Readonly<Record<string, string>>

const directory = mkdtempSync(join(tmpdir(), 'alipay-'))
t.teardown(() => rmSync(directory, { recursive: true }))
const pair = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
const [app, platform, stranger] = [pair(), pair(), pair()]
const bare = (pem: string) => pem.replace(/-----[^-]+-----|\n/g, '')

function openssl(input: string, privateKey: string): string {
  const file = join(directory, 'key.pem')
  writeFileSync(file, privateKey)
  return execFileSync('openssl', ['dgst', '-sha256', '-sign', file], { input }).toString('base64')
}

const text = (fields: Fields, without: readonly string[]) =>
  Object.entries(fields)
    .filter(([name, value]) => value !== '' && !without.includes(name))
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map((entry) => entry.join('='))
    .join('&')

const usual = {
  ...{ appId: '9021000136624944', sellerId: '2088721033871945', sandbox: true },
  ...{ appKey: bare(app.privateKey), platformKey: bare(platform.publicKey) },
}
type Script = (call: OutgoingCall) => ScriptedAnswer | undefined
const alipay = (settings: object = {}, script: Script = () => undefined) =>
  gatewayOf({ name: 'alipay', create: createAlipay, settings: { ...usual, ...settings }, script })

/** Times are of Beijing: the clock of the tests stands at 20:00 there. */
const paid = {
  ...{ app_id: usual.appId, seller_id: usual.sellerId, notify_time: '2026-01-31 20:00:00' },
  ...{ notify_id: '2026013101', notify_type: 'trade_status_sync', trade_no: '20260131220014' },
  ...{ out_trade_no: order.orderNo, total_amount: '70.00', trade_status: 'TRADE_SUCCESS' },
  ...{ subject: '10 单位 + 1 & more', receipt_amount: '70.00', body: '' },
}
const notice = {
  ...{ event: '2026013101', state: 'paid', orderNo: order.orderNo, reference: paid.trade_no },
  ...{ amountMinor: 7000n, currency: 'CNY', at: now, isTest: true },
}
function signed(fields: Fields, key = platform.privateKey): Fields {
  const sign = openssl(text(fields, ['sign', 'sign_type']), key)
  return { ...fields, sign, sign_type: 'RSA2' }
}
const judged = (fields: Fields, by = alipay()) =>
  by.gateway.verify!(callbackOf(fields, 'POST')) as Promise<CallbackVerdict>

t.test('[PAY-1] a notice names order, payment, exact amount and currency', async (t) => {
  t.strictSame(await judged(signed(paid)), { kind: 'notice', notice })
  const finished = signed({ ...paid, trade_status: 'TRADE_FINISHED', total_amount: '70.01' })
  t.match(await judged(finished), { notice: { state: 'paid', amountMinor: 7001n } })
  const part = signed({ ...paid, refund_fee: '35.00', notify_id: '2026013102' })
  t.match(await judged(part), { notice: { state: 'refunded', amountMinor: 3500n } })
  const whole = signed({ ...paid, refund_fee: '70.00', trade_status: 'TRADE_CLOSED' })
  t.match(await judged(whole), { notice: { state: 'refunded', amountMinor: 7000n } })
  const closed = signed({ ...paid, trade_status: 'TRADE_CLOSED' })
  t.match(await judged(closed), { notice: { state: 'expired' } })
  t.match(await judged(signed({ ...paid, trade_status: 'WAIT_BUYER_PAY' })), { kind: 'ignored' })
})

t.test('[PAY-2] what is changed, unsigned, old, or for another is not genuine', async (t) => {
  const fields = signed(paid)
  for (const name of Object.keys(fields).filter((one) => one !== 'body')) {
    const value = fields[name]!
    const changed = { ...fields, [name]: `${value.startsWith('A') ? 'B' : 'A'}${value.slice(1)}` }
    t.match(await judged(changed), { kind: 'forged' }, name)
  }
  const rows: readonly Fields[] = [
    ...[paid, {}, { ...fields, sign: '' }, { ...fields, sign_type: 'RSA' }],
    ...[signed(paid, stranger.privateKey), signed(paid, app.privateKey)],
    signed({ ...paid, app_id: '1' }),
    signed({ ...paid, seller_id: '2088000000000000' }),
    signed({ ...paid, notify_time: '2026-01-30 17:59:59' }),
    signed({ ...paid, notify_time: '2026-01-31 20:05:01' }),
    signed({ ...paid, notify_time: '' }),
    ...['70.001', '-70.00', '', 'x'].map((total_amount) => signed({ ...paid, total_amount })),
    signed({ ...paid, notify_id: '' }),
    signed({ ...paid, out_trade_no: '' }),
  ]
  for (const row of rows) t.match(await judged(row), { kind: 'forged' }, JSON.stringify(row))
  t.match(await judged(signed({ ...paid, notify_time: '2026-01-30 18:00:00' })), { kind: 'notice' })
})

t.test('[PAY-2] hostile callbacks are not genuine and throw nothing', async (t) => {
  const { gateway } = alipay()
  const once = new URLSearchParams(signed(paid)).toString()
  for (const body of [
    `${once}&total_amount=0.01`,
    'a=1&'.repeat(70),
    '%FF%FE=%00',
    'x'.repeat(1_048_576),
  ]) {
    const callback = { method: 'POST', headers: {}, query: '', body: Buffer.from(body) } as const
    t.match(await gateway.verify!(callback), { kind: 'forged' }, body.slice(0, 20))
  }
})

t.test('[PAY-2] without what callbacks are verified by nothing is offered', async (t) => {
  const offer = { currency: 'CNY', unitPrice: '7.3', amountMin: '1' }
  t.match(alipay().gateway.offer(), { ...offer, isTest: true })
  const pems = { appKey: app.privateKey, platformKey: platform.publicKey, sandbox: false }
  t.match(alipay(pems).gateway.offer(), { ...offer, isTest: false })
  for (const missing of [
    ...[{ appId: '' }, { sellerId: ' ' }, { appKey: '' }, { appKey: 'no key' }],
    ...[{ platformKey: '' }, { platformKey: 'no key' }, { platformKey: app.privateKey }],
  ]) {
    t.equal(alipay(missing).gateway.offer(), undefined, JSON.stringify(missing))
  }
})

const address = 'https://openapi-sandbox.dl.alipaydev.com/gateway.do?charset=utf-8'

/** The parameters of a request, by the rules of the documents. Throws where one is missing, unknown or not signed. */
function checked(fields: Fields): JsonObject {
  const file = join(directory, 'app.pem')
  writeFileSync(file, app.publicKey)
  writeFileSync(join(directory, 'signature'), Buffer.from(fields.sign!, 'base64'))
  const args = ['dgst', '-sha256', '-verify', file, '-signature', join(directory, 'signature')]
  execFileSync('openssl', args, { input: text(fields, ['sign']), stdio: 'pipe' })
  const { sign: _, biz_content, method: _m, notify_url: _n, return_url: _r, ...rest } = fields
  const common = { app_id: usual.appId, format: 'JSON', charset: 'utf-8', sign_type: 'RSA2' }
  t.strictSame(rest, { ...common, timestamp: '2026-01-31 20:00:00', version: '1.0' })
  return JSON.parse(biz_content!)
}

t.test('[PAY-1] the address states order, exact amount and addresses, and is signed', async (t) => {
  const checkout = await alipay().gateway.checkout(order)
  const url = new URL((checkout as { url: string }).url)
  t.equal(checkout.kind, 'redirect')
  t.equal(url.origin + url.pathname, address.replace('?charset=utf-8', ''))
  const fields = Object.fromEntries(url.searchParams)
  t.match(fields, {
    ...{ method: 'alipay.trade.page.pay', notify_url: order.callbackUrl },
    return_url: order.returnUrl,
  })
  t.strictSame(checked(fields), {
    ...{ out_trade_no: order.orderNo, product_code: 'FAST_INSTANT_TRADE_PAY' },
    ...{ total_amount: '70.00', subject: order.title, time_expire: '2026-01-31 21:00:00' },
  })
  await t.rejects(alipay().gateway.checkout({ ...order, currency: 'JPY' }), /CNY/)
  t.notMatch(JSON.stringify(fields), bare(app.privateKey).slice(0, 40))
})

/** A response to the one method it knows, signed by `key`. */
function responding(method: string, json: JsonObject, key = platform.privateKey) {
  const requests: JsonObject[] = []
  const script: Script = ({ url, method: verb, headers, body }) => {
    const fields = Object.fromEntries(new URLSearchParams(body))
    const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded')
    if (url.href !== address || verb !== 'POST' || !isForm) return { status: 404, text: '' }
    if (fields.method !== method) return { status: 404, text: '' }
    requests.push(checked(fields))
    const raw = JSON.stringify(json)
    const name = `${method.replaceAll('.', '_')}_response`
    return { text: `{"${name}":${raw},"sign":"${openssl(raw, key)}"}` }
  }
  return { ...alipay({}, script), requests }
}

t.test('[PAY-5] an order whose callback was lost is queried about', async (t) => {
  const placed = { ...order, createdAt: now }
  const found = {
    ...{ code: '10000', msg: 'Success', out_trade_no: order.orderNo, trade_no: paid.trade_no },
    ...{ trade_status: 'TRADE_SUCCESS', total_amount: '70.00', subject: '","sign":"x' },
  }
  const queried = (over: JsonObject = {}, key?: string) =>
    responding('alipay.trade.query', { ...found, ...over }, key)
  const { gateway, requests } = queried()
  const { at: _, ...fields } = notice
  t.strictSame(await gateway.fetch!(placed), { ...fields, event: `paid ${paid.trade_no}` })
  t.strictSame(requests, [{ out_trade_no: order.orderNo }])
  for (const over of [
    { code: '40004', sub_code: 'ACQ.TRADE_NOT_EXIST' },
    { trade_status: 'WAIT_BUYER_PAY' },
    { out_trade_no: 'another' },
    { total_amount: '70.001' },
  ]) {
    t.equal(await queried(over).gateway.fetch!(placed), undefined, JSON.stringify(over))
  }
  await t.rejects(queried({}, stranger.privateKey).gateway.fetch!(placed), 'a false response')
  await t.rejects(alipay().gateway.fetch!(placed))
})

t.test('a payment is paid back under the key of the request', async (t) => {
  const request = {
    ...{ ...order, createdAt: now, reference: paid.trade_no },
    ...{ refundMinor: 3500n, key: 'r1' },
  }
  const done = { code: '10000', refund_fee: '50.00', fund_change: 'Y' }
  const { gateway, requests } = responding('alipay.trade.refund', done)
  t.match(await gateway.refund!(request), {
    kind: 'done',
    notice: { event: 'refund r1', state: 'refunded', amountMinor: 5000n, reference: paid.trade_no },
  })
  t.strictSame(requests, [
    { trade_no: paid.trade_no, out_request_no: 'r1', refund_amount: '35.00' },
  ])
  const refused = { code: '40004', sub_code: 'ACQ.SELLER_BALANCE_NOT_ENOUGH' }
  t.match(await responding('alipay.trade.refund', refused).gateway.refund!(request), {
    ...{ kind: 'refused', reason: /SELLER_BALANCE_NOT_ENOUGH/ },
  })
})

t.test('[PAY-3] the reply is the word Alipay waits for', async (t) => {
  const { gateway } = alipay()
  t.match(gateway.reply!('accepted'), { status: 200, body: 'success' })
  t.match(gateway.reply!('later'), { status: 500, body: 'failure' })
  t.match(gateway.reply!('forged'), { status: 400, body: 'failure' })
})

t.test('it conforms', async (t) => {
  const query = (json: JsonObject) => ({
    ...{ code: '10000', out_trade_no: order.orderNo, trade_no: 't1', ...json },
  })
  const answering =
    (method: string, json: JsonObject): Script =>
    () => {
      const raw = JSON.stringify(json)
      const name = `${method.replaceAll('.', '_')}_response`
      return { text: `{"${name}":${raw},"sign":"${openssl(raw, platform.privateKey)}"}` }
    }
  const settings = { ...usual, platformKey: platform.publicKey }
  conformingPayment((title, run) => t.test(title, async () => run()), {
    manifest: readFileSync('plugins/payments/alipay/manifest.json', 'utf8'),
    create: createAlipay,
    settings,
    required: ['appId', 'sellerId', 'appKey', 'platformKey'],
    checkout: {
      amounts: [
        { currency: 'CNY', amountMinor: 7000n, written: '70.00' },
        { currency: 'CNY', amountMinor: 1n, written: '0.01' },
      ],
    },
    callbacks: {
      secrets: ['platformKey'],
      currency: 'CNY',
      toleranceSeconds: 26 * 3600,
      aheadSeconds: 300,
      paid({ orderNo, amountMinor, at }, secrets) {
        const digits = String(amountMinor).padStart(3, '0')
        const time = new Date(at + 8 * 3_600_000).toISOString()
        const fields = {
          ...{ ...paid, out_trade_no: orderNo, notify_time: time.slice(0, 19).replace('T', ' ') },
          total_amount: `${digits.slice(0, -2)}.${digits.slice(-2)}`,
        }
        const key = secrets === undefined ? platform : stranger
        return callbackOf(signed(fields, key.privateKey), 'POST')
      },
    },
    lookup: {
      paid: answering(
        'alipay.trade.query',
        query({ trade_status: 'TRADE_SUCCESS', total_amount: '70.00' }),
      ),
      unpaid: answering('alipay.trade.query', { code: '40004', sub_code: 'ACQ.TRADE_NOT_EXIST' }),
    },
    refund: {
      reference: paid.trade_no,
      provider: answering('alipay.trade.refund', { code: '10000', refund_fee: '70.00' }),
    },
  })
})
