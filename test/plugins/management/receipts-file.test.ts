/** A receipt as a browser and a script download it from a running gateway. */
import t from 'tap'
import { startGateway } from '../../kit/gateway.js'
import { pagesOf } from '../services/receipts/receipts-fixture.js'

const { admin, url, gateway } = await startGateway(t)
const { knex } = gateway.service('database')
await admin.option('ServerAddress', 'https://gate.example')
await admin.option('payment.offline.instructions', 'Name {order}.')
await admin.option('payment.offline.enabled', true)

const proof = await admin.prove('access_token')
const wish = { name: 'books', scopes: ['money:read'] }
const { token } = await admin.must('POST', '/api/user/access_tokens', wish, proof)
const form = { gateway: 'offline', amount: 10 }
const { trade_no } = (await admin.must('POST', '/api/user/topup/order', form)).order

const download = (headers: Record<string, string> = { authorization: `Bearer ${token}` }) =>
  fetch(`${url}/api/user/topup/${trade_no}/receipt`, { headers })

async function refusal() {
  const response = await download()
  return { status: response.status, ...((await response.json()) as object) }
}

t.test('what stands against a receipt is a sentence', async (t) => {
  t.match(await refusal(), { status: 409, message: /payment_setting\.receipt_seller_name/ })
  await admin.option('payment_setting.receipt_seller_name', '例子有限公司')
  t.match(await refusal(), { status: 409, message: /not paid/, field: 'trade_no' })
  t.equal((await download({})).status, 401)
})

t.test('an option that could not be shown is not stored', async (t) => {
  const put = (key: string, value: string) =>
    admin.call('PUT', '/api/option/', { key: `payment_setting.receipt_${key}`, value })
  t.match(await put('prefix', 'R 1'), { status: 400 })
  t.match(await put('seller_address', 'a\u0007'), { status: 400 })
  t.match(await put('prefix', 'R-'), { status: 200 })
})

t.test('a paid order is downloaded as a file', async (t) => {
  const vouched = { trade_no, reason: 'seen on the account' }
  await admin.must('POST', '/api/user/topup/complete', vouched, await admin.prove('balance'))
  const response = await download()
  t.equal(response.status, 200)
  t.match(Object.fromEntries(response.headers), {
    'content-type': 'application/pdf',
    'content-disposition':
      'attachment; filename="receipt-R-000001.pdf"; filename*=UTF-8\'\'receipt-R-000001.pdf',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  const body = Buffer.from(await response.arrayBuffer())
  t.match(await pagesOf(body), [
    /例子有限公司[\s\S]*Received from\nroot[\s\S]*Total paid 10\.00 USD/,
  ])
  const again = Buffer.from(await (await download()).arrayBuffer())
  t.ok(again.equals(body))
  const lines = await knex('audit_log').where('action', 'receipts.print')
  t.match(lines, [{ object: `order ${trade_no}`, detail: 'receipt R-000001' }])
  t.equal(lines.length, 1, 'its issue, and not each download')
  t.match(await admin.must('GET', '/api/user/topup/receipts'), {
    items: [{ number: 'R-000001', trade_no, money: '10.00', currency: 'USD' }],
  })
})

t.test('a user who leaves takes the billing details along, and leaves the receipts', async (t) => {
  const { id } = await admin.must('POST', '/api/user/', {
    ...{ username: 'leaver', password: 'a long password here' },
  })
  const row = { user_id: id, name: 'n', address: '', tax_id: '', updated_at: new Date() }
  await knex('billing_details').insert(row)
  await admin.must('DELETE', `/api/user/${id}`)
  t.strictSame(await knex('billing_details').where('user_id', id), [])
  t.equal((await knex('payment_receipts')).length, 1)
})
