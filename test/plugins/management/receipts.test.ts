/** The area of receipts: files to who may have them, billing details, and the list of admins. */
import t from 'tap'
import createArea from '../../../plugins/management/receipts/index.js'
import { pagesOf, receiptsFixture } from '../services/receipts/receipts-fixture.js'
import { call, data, settingsOf } from './management-fixture.js'

const fixture = await receiptsFixture(t)
const { clock, log, person, receipts, stated, paidOrder, order } = fixture
const area = createArea({ settings: settingsOf({}), clock, log, services: { receipts } })

const print = (principal: object, trade_no: string) =>
  call(area, 'print', { principal: principal as never, params: { trade_no } })

t.test('a payer downloads a receipt as a file, and its issue alone is audited', async (t) => {
  const principal = await person('ada')
  const { orderNo } = await paidOrder(principal.userId)
  const first = await print(principal, orderNo)
  const [page = ''] = await pagesOf(first.bytes.body)
  const [, number] = /Number (\S+)/.exec(page) ?? []
  t.match(first, {
    bytes: { type: 'application/pdf', fileName: `receipt-${number}.pdf` },
    audit: { object: `order ${orderNo}`, detail: `receipt ${number}` },
  })
  const again = await print(principal, orderNo)
  t.notOk('audit' in again)
  t.ok(again.bytes.body.equals(first.bytes.body))
})

t.test('an admin downloads that of anybody, others only their own', async (t) => {
  const { userId } = await person('bea')
  const { orderNo } = await paidOrder(userId)
  const [stranger, admin] = [await person('eve'), await person('admin', 10)]
  await t.rejects(print(stranger, orderNo), { code: 'gone_missing', param: 'trade_no' })
  t.match(await receipts.list({ userId, offset: 0, limit: 1 }), { total: 0 }, 'none was issued')
  t.match(await print(admin, orderNo), { audit: { object: `order ${orderNo}` } })
  await t.rejects(print(stranger, orderNo), { code: 'gone_missing', param: 'trade_no' })
  await t.rejects(print(admin, 'receipts'), { code: 'invalid_field', param: 'trade_no' })
})

t.test('an order that is not paid has none', async (t) => {
  const principal = await person('cleo')
  const { orderNo } = await order(principal.userId)
  await t.rejects(print(principal, orderNo), { code: 'conflict', param: 'trade_no' })
})

t.test(
  'who is billed is set by the payer, and stands on what is issued from then on',
  async (t) => {
    const principal = await person('dan')
    t.strictSame(await data(area, 'billing', { principal }), {
      ...{ name: '', address: '', tax_id: '', receipts: true },
    })
    const body = { name: 'Dan Ltd.', address: 'Street 1\nTown', tax_id: 'GB1' }
    const set = await call(area, 'setBilling', { principal, body })
    t.match(set, {
      data: { ...body, receipts: true },
      audit: { object: `user ${principal.userId}`, detail: 'billing details' },
    })
    t.match(await data(area, 'billing', { principal }), body)
    t.match(await data(area, 'billing', { principal: await person('dora') }), { name: '' })
    const { orderNo } = await paidOrder(principal.userId)
    const { bytes } = await print(principal, orderNo)
    t.match(await pagesOf(bytes.body), [
      /Received from\nDan Ltd\.\nStreet 1\nTown\nTax number: GB1/,
    ])
    for (const left of ['name', 'address', 'tax_id']) {
      const part = { ...body, [left]: undefined }
      await t.rejects(call(area, 'setBilling', { principal, body: part }), {
        code: 'invalid_field',
        param: left,
      })
    }
    const odd = { ...body, address: 'x\u0000' }
    await t.rejects(call(area, 'setBilling', { principal, body: odd }), {
      code: 'invalid_field',
      param: 'address',
    })
  },
)

t.test('whether receipts are issued is shown to who would want one', async (t) => {
  const principal = await person('fay')
  stated.sellerName = '' as never
  t.match(await data(area, 'billing', { principal }), { receipts: false })
  stated.sellerName = 'Acme Relay GmbH' as never
})

t.test('admins list what was issued, with buyers and amounts', async (t) => {
  const principal = await person('gil')
  const { userId } = principal
  const { orderNo } = await paidOrder(userId)
  const { bytes } = await print(principal, orderNo)
  const list = (query: object) => data(area, 'list', { query })
  const found = await list({ user_id: userId })
  t.match(found, {
    ...{ page: 1, page_size: 10, total: 1 },
    items: [
      {
        ...{ trade_no: orderNo, user_id: userId, buyer: principal.username, money: '70.00' },
        ...{ amount_minor: 7000n, currency: 'CNY', test: false },
        issue_time: Math.floor(clock.now() / 1000),
      },
    ],
  })
  const [{ number }] = found.items
  t.equal(bytes.fileName, `receipt-${number}.pdf`)
  t.match(await list({ keyword: number }), { total: 1, items: [{ trade_no: orderNo }] })
  t.match(await list({ keyword: orderNo }), { total: 1 })
  t.match(await list({ keyword: 'none', user_id: '' }), { total: 0, items: [] })
  const all = await list({ page_size: 2, p: 2 })
  t.ok(all.total > 2)
  t.equal(all.items.length, Math.min(2, all.total - 2))
})
