/** Epay: forms and callbacks of both interfaces, signed here by openssl and not by the gateway's own code. */
import { execFileSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import type { CallbackVerdict, PaymentGateway } from '../../../kernel/contract/payment.js'
import { readManifest } from '../../../kernel/registry/manifest.js'
import createEpay from '../../../plugins/payments/epay/index.js'
import { checkedText } from '../../../plugins/services/options/option-value.js'
import { callbackOf, gatewayOf, now, order } from './gateway-fixture.js'

type Fields = Readonly<Record<string, string>>

const directory = mkdtempSync(join(tmpdir(), 'epay-'))
t.teardown(() => rmSync(directory, { recursive: true }))
const pair = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
const [merchant, platform] = [pair(), pair()]
const bare = (pem: string) => pem.replace(/-----[^-]+-----|\n/g, '')

const key = 'k3y of the merchant'
const md5Settings = { address: 'https://pay.example/', merchant: '1001', key }
const rsaSettings = {
  ...{ address: 'https://pay.example', merchant: '1001', signing: 'RSA' },
  ...{ merchantKey: bare(merchant.privateKey), platformKey: platform.publicKey },
}
const epay = (settings: object = md5Settings, script = () => undefined as never) =>
  gatewayOf({ name: 'epay', create: createEpay, settings: { ...settings }, script })

const text = (fields: Fields) =>
  Object.entries(fields)
    .filter(([name, value]) => value !== '' && name !== 'sign' && name !== 'sign_type')
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map((pair) => pair.join('='))
    .join('&')

function openssl(input: string, ...args: readonly string[]): Buffer {
  return execFileSync('openssl', ['dgst', ...args], { input })
}

function md5(fields: Fields, secret = key): Fields {
  const sign = openssl(text(fields) + secret, '-md5', '-r')
    .toString()
    .slice(0, 32)
  return { ...fields, sign, sign_type: 'MD5' }
}

function rsa(fields: Fields, privateKey = platform.privateKey): Fields {
  const file = join(directory, 'key.pem')
  writeFileSync(file, privateKey)
  const sign = openssl(text(fields), '-sha256', '-sign', file).toString('base64')
  return { ...fields, sign, sign_type: 'RSA' }
}

const paid = {
  ...{ pid: '1001', trade_no: '2026013112000000001', out_trade_no: order.orderNo },
  ...{ type: 'alipay', name: '10 units of credit', money: '70.00' },
  ...{ trade_status: 'TRADE_SUCCESS', param: '' },
}
const notice = {
  ...{ event: `paid ${paid.trade_no}`, state: 'paid', orderNo: order.orderNo },
  ...{ reference: paid.trade_no, amountMinor: 7000n },
}
const judged = (gateway: PaymentGateway, fields: Fields, method: 'GET' | 'POST' = 'GET') =>
  gateway.verify!(callbackOf(fields, method)) as Promise<CallbackVerdict>

t.test(
  '[PAY-1] a genuine callback of either interface names order, payment and amount',
  async (t) => {
    const { gateway } = epay()
    for (const method of ['GET', 'POST'] as const) {
      t.strictSame(await judged(gateway, md5(paid), method), { kind: 'notice', notice })
    }
    const upper = md5(paid)
    t.match(await judged(gateway, { ...upper, sign: upper.sign!.toUpperCase() }), {
      kind: 'notice',
    })
    const second = epay(rsaSettings).gateway
    const signed = rsa({ ...paid, timestamp: String(now / 1000) })
    t.strictSame(await judged(second, signed), { kind: 'notice', notice })
  },
)

t.test(
  '[PAY-2] what is changed, unsigned, of another key, merchant or time is not genuine',
  async (t) => {
    const { gateway } = epay()
    const signed = md5(paid)
    for (const name of Object.keys(paid).filter((one) => one !== 'param')) {
      const changed = { ...signed, [name]: `${signed[name]}1` }
      t.match(await judged(gateway, changed), { kind: 'forged' }, name)
    }
    const { sign: _, ...unsigned } = signed
    for (const fields of [
      unsigned,
      { ...signed, sign: '' },
      md5(paid, 'another key'),
      md5(paid, ''),
      md5({ ...paid, pid: '1002' }),
      md5({ ...paid, money: '70.001' }),
      md5({ ...paid, money: '-70' }),
      md5({ ...paid, out_trade_no: '' }),
      {},
    ]) {
      t.match(await judged(gateway, fields as Fields), { kind: 'forged' })
    }
    const second = epay(rsaSettings).gateway
    const at = (seconds: number) => rsa({ ...paid, timestamp: String(now / 1000 + seconds) })
    t.match(await judged(second, at(-301)), { kind: 'forged' })
    t.match(await judged(second, at(301)), { kind: 'forged' })
    t.match(await judged(second, at(-299)), { kind: 'notice' })
    t.match(await judged(second, rsa(paid)), { kind: 'forged' }, 'without a time')
    t.match(await judged(second, md5(paid)), { kind: 'forged' }, 'the other interface')
    const foreign = rsa({ ...paid, timestamp: String(now / 1000) }, merchant.privateKey)
    t.match(await judged(second, foreign), { kind: 'forged' })
  },
)

t.test('[PAY-2] hostile callbacks are not genuine and throw nothing', async (t) => {
  const { gateway } = epay()
  const signed = new URLSearchParams(md5(paid)).toString()
  for (const query of [
    `${signed}&money=0.01`,
    `${signed}&__proto__=1&__proto__=2`,
    'a=1&'.repeat(70),
    '%',
    '%FF%FE=%00',
    'x'.repeat(200_000),
  ]) {
    const callback = { method: 'GET', headers: {}, query, body: Buffer.alloc(0) } as const
    t.match(await gateway.verify!(callback), { kind: 'forged' }, query.slice(0, 20))
  }
  const body = Buffer.alloc(200_000, 0xff)
  t.match(await gateway.verify!({ method: 'POST', headers: {}, query: '', body }), {
    kind: 'forged',
  })
  t.strictSame(await judged(gateway, md5({ ...paid, trade_status: 'WAIT' })), {
    ...{ kind: 'ignored', event: 'status WAIT' },
  })
})

t.test('[PAY-2] without what callbacks are verified by nothing is offered', async (t) => {
  t.match(epay().gateway.offer(), {
    currency: 'CNY',
    unitPrice: '7.3',
    amountMin: '1',
    isTest: false,
  })
  for (const missing of [
    { key: '' },
    { key: ' ' },
    { merchant: '' },
    { address: '' },
    { address: 'javascript:alert(1)' },
    { currency: 'XXY' },
    { signing: 'RSA' },
  ]) {
    t.equal(
      epay({ ...md5Settings, ...missing }).gateway.offer(),
      undefined,
      JSON.stringify(missing),
    )
  }
  t.equal(epay({ ...rsaSettings, platformKey: '' }).gateway.offer(), undefined)
  t.match(epay(rsaSettings).gateway.offer(), { currency: 'CNY' })
})

t.test('[PAY-1] the form states order, exact amount and addresses, and is signed', async (t) => {
  const checkout = await epay().gateway.checkout({ ...order, methodId: 'alipay' })
  t.match(checkout, { kind: 'form', url: 'https://pay.example/submit.php' })
  const fields = (checkout as { fields: Fields }).fields
  const { sign, ...rest } = fields
  t.strictSame(rest, {
    ...{ pid: '1001', type: 'alipay', out_trade_no: order.orderNo, money: '70.00' },
    ...{ name: order.title, notify_url: order.callbackUrl, return_url: order.returnUrl },
    sign_type: 'MD5',
  })
  t.equal(sign, md5(rest).sign)
  const yen = await epay({ ...md5Settings, currency: 'JPY' }).gateway.checkout({
    ...{ ...order, currency: 'JPY', amountMinor: 1050n },
  })
  t.match(yen, { fields: { money: '1050' } })
  const second = (await epay(rsaSettings).gateway.checkout(order)) as {
    url: string
    fields: Fields
  }
  t.equal(second.url, 'https://pay.example/api/pay/submit')
  t.equal(second.fields.timestamp, String(now / 1000))
  t.equal(second.fields.sign, rsa(second.fields, merchant.privateKey).sign)
})

t.test('[PAY-5] an order whose callback was lost is queried about', async (t) => {
  const answers = [
    { code: 1, status: 1, trade_no: paid.trade_no, out_trade_no: order.orderNo, money: '70.00' },
    { code: 1, status: 0, trade_no: paid.trade_no, out_trade_no: order.orderNo, money: '70.00' },
    { code: 1, status: 1, trade_no: paid.trade_no, out_trade_no: 'another', money: '70.00' },
    { code: -1, msg: 'no such order' },
  ]
  const placed = { ...order, createdAt: now }
  const found: unknown[] = []
  for (const json of answers) {
    const { gateway, world } = gatewayOf({
      ...{ name: 'epay', create: createEpay, settings: md5Settings, script: () => ({ json }) },
    })
    found.push(await gateway.fetch!(placed))
    const query = Object.fromEntries(world.calls[0]!.url.searchParams)
    t.strictSame(query, { act: 'order', pid: '1001', key, out_trade_no: order.orderNo })
    t.notMatch(world.logged.join(), key)
  }
  t.strictSame(found, [notice, undefined, undefined, undefined])
  const away = gatewayOf({ name: 'epay', create: createEpay, settings: md5Settings })
  await t.rejects(away.gateway.fetch!(placed))
})

t.test('[PAY-3] the reply is the word the service waits for', async (t) => {
  const { gateway } = epay()
  t.match(gateway.reply!('accepted'), { status: 200, body: 'success' })
  t.match(gateway.reply!('later'), { status: 500, body: 'fail' })
  t.match(gateway.reply!('forged'), { status: 400, body: 'fail' })
})

t.test('the option PayMethods holds a list', (t) => {
  const file = 'plugins/payments/epay/manifest.json'
  const { settings } = readManifest(readFileSync(file, 'utf8'), file)
  const field = settings.find(({ name }) => name === 'methods')!
  const text = JSON.stringify([{ name: 'Alipay', type: 'alipay', min_topup: 1 }])
  t.equal(checkedText('PayMethods', field, text), text)
  t.end()
})
