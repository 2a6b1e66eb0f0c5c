import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { conformingPayment, type PaidFacts } from 'waybill/conformance'
import { json, startTestGateway } from 'waybill/testing'
import { decimalAmount } from 'waybill/toolkit/payment'
import create from '../src/index.js'

const secrets = { key: 'k3y-of-the-merchant', callbackSecret: 's3cret-of-callbacks' }

/** As Acme signs it. Better still is a callback that Acme itself has signed. */
function callbackOf({ orderNo, amountMinor, currency, at }: PaidFacts, given = {}) {
  const body = JSON.stringify({
    ...{ id: `event-${orderNo}`, type: 'payment.paid', order: orderNo, payment: 'pay_1' },
    ...{ amount: decimalAmount(amountMinor, currency), currency },
  })
  const seconds = Math.floor(at / 1000)
  const { callbackSecret } = { ...secrets, ...given }
  const signature = createHmac('sha256', callbackSecret).update(`${seconds}.${body}`).digest('hex')
  return { body, headers: { 'acme-signature': `${seconds}.${signature}` } }
}

conformingPayment(test, {
  manifest: readFileSync(new URL('../src/manifest.json', import.meta.url), 'utf8'),
  create,
  settings: secrets,
  required: ['key', 'callbackSecret', 'currency', 'unitPrice'],
  checkout: {
    provider: () => ({ json: { id: 'pay_1', url: 'https://pay.acme.example/pay_1' } }),
    amounts: [
      { currency: 'USD', amountMinor: 7000n, written: '70.00' },
      { currency: 'JPY', amountMinor: 1050n, written: '1050', settings: { currency: 'JPY' } },
      { currency: 'KWD', amountMinor: 1050n, written: '1.050', settings: { currency: 'KWD' } },
    ],
  },
  callbacks: {
    secrets: ['callbackSecret'],
    currency: 'USD',
    toleranceSeconds: 300,
    paid(facts, given) {
      const { body, headers } = callbackOf(facts, given)
      return { method: 'POST', headers, query: '', body: Buffer.from(body) }
    },
  },
})

test('an order is paid at Acme, and its callback credits it once', async (t) => {
  const gateway = await startTestGateway({
    plugins: [fileURLToPath(new URL('../../', import.meta.url))],
  })
  t.after(() => gateway.close())
  const upstream = await gateway.upstream(
    json(200, { id: 'pay_1', url: 'https://pay.acme.example/1' }),
  )
  await gateway.setOptions({
    ServerAddress: 'https://gateway.example',
    'payment.acme.address': upstream.url,
    'payment.acme.key': secrets.key,
    'payment.acme.callbackSecret': secrets.callbackSecret,
    'payment.acme.enabled': true,
  })
  const placed = await gateway.request('POST', '/api/user/topup/order', {
    ...{ gateway: 'acme', amount: 10 },
  })
  assert.equal(upstream.requests[0]?.json?.amount, '10.00')
  const orderNo = String(upstream.requests[0]?.json?.order)
  assert.ok(JSON.stringify(placed).includes('https://pay.acme.example/1'))

  const before = await gateway.balance()
  const facts = { orderNo, amountMinor: 1000n, currency: 'USD', at: Date.now() }
  const { body, headers } = callbackOf(facts)
  for (let delivery = 0; delivery < 2; delivery += 1) {
    const response = await fetch(`${gateway.url}/api/payment/acme/callback`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
    })
    assert.equal(response.status, 200)
  }
  assert.equal((await gateway.balance()) - before, 5_000_000n)
})
