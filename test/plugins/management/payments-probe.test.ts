/** Whether a callback address leads to the gateway, as an admin tests it, and what was reported last. */
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { startGateway } from '../../kit/gateway.js'

const { url, admin } = await startGateway(t)
await admin.option('PayAddress', 'https://pay.example')
await admin.option('EpayId', '1001')

const probe = () => admin.call('POST', '/api/user/topup/gateways/epay/probe', {})

t.test(
  'without a secret, an address or a gateway of the name there is nothing to reach',
  async (t) => {
    t.match(await probe(), { status: 409, body: { field: 'gateway', code: 'conflict' } })
    await admin.option('EpayKey', 'the key of the merchant')
    t.match(await probe(), { status: 409, body: { message: /ServerAddress/ } })
    const none = await admin.call('POST', '/api/user/topup/gateways/none/probe', {})
    t.match(none, { status: 404 })
  },
)

t.test('an address that leads to this gateway is told apart from one that does not', async (t) => {
  await admin.option('ServerAddress', url)
  t.match(await probe(), {
    status: 200,
    body: { data: { result: 'reached', status: 200, reason: '' } },
  })
  const other = createServer((_, response) => response.end('0'.repeat(64)))
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as AddressInfo
  await admin.option('CustomCallbackAddress', `http://127.0.0.1:${port}`)
  t.match(await probe(), {
    body: { data: { result: 'elsewhere', status: 200, reason: /status 200/ } },
  })
  await new Promise((resolve) => other.close(resolve))
  t.match(await probe(), { body: { data: { result: 'unreachable', status: 0, reason: /\w/ } } })
  await admin.option('CustomCallbackAddress', '')
})

t.test(
  'a probe is no report: nothing is kept of it, and nobody else can make one that counts',
  async (t) => {
    const callback = `${url}/api/payment/epay/callback`
    const before = await admin.must('GET', '/api/user/topup/gateways')
    t.match(
      before.find(({ name }: { name: string }) => name === 'epay'),
      {
        ...{ state: 'on', last_report: 0, last_verdict: '' },
      },
    )
    const guess = await fetch(`${callback}?waybill_probe=abc`, { method: 'POST' })
    t.equal(guess.status, 400, 'which is no number of a probe, so it is a report, and forged')
    const fields = { out_trade_no: '0'.repeat(32), pid: '1001', trade_status: 'TRADE_SUCCESS' }
    const paid = Object.entries({ money: '1.00', ...fields, trade_no: 't1', type: 'alipay' }).sort()
    const text = paid.map((pair) => pair.join('=')).join('&')
    const sign = createHash('md5').update(`${text}the key of the merchant`).digest('hex')
    const report = new URLSearchParams([...paid, ['sign', sign], ['sign_type', 'MD5']])
    t.equal((await fetch(`${callback}?${report}`)).status, 500)
    const after = await admin.must('GET', '/api/user/topup/gateways')
    const { last_report, last_verdict } = after.find(
      ({ name }: { name: string }) => name === 'epay',
    )
    t.equal(last_verdict, 'unknown_order')
    t.ok(last_report > 0)
  },
)
