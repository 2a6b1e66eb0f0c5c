/** Receipts of paid orders: what they say, that it stays, and that numbers have no gap. */
import t from 'tap'
import type { PaymentNotice, RenewalNotice } from '../../../../kernel/contract/payment.js'
import { offer } from '../payments/payments-fixture.js'
import { pagesOf, readPdf, receiptsFixture } from './receipts-fixture.js'

const fixture = await receiptsFixture(t)
const { receipts, payments, subscriptions, script, stated, clock, database } = fixture
const { person, order, paidOrder, callback, pages } = fixture
const { knex } = database

const report = (orderNo: string, notice: Partial<PaymentNotice>) =>
  callback({ event: `${notice.state} ${orderNo}`, reference: `pay ${orderNo}`, ...notice })

t.test('a receipt names seller, buyer, order, what was bought and what was paid', async (t) => {
  const { userId, username } = await person('ada')
  const { orderNo } = await paidOrder(userId)
  const { receipt, isNew, body } = await receipts.print({ orderNo, userId })
  t.match(receipt, { series: 'paid', label: /^R-\d{6}$/, orderNo, userId, amountMinor: 7000n })
  t.equal(isNew, true)
  const [page = '', ...others] = await pagesOf(body)
  t.strictSame(others, [])
  for (const text of [
    ...['Receipt', `Number ${receipt.label}`, 'Issued 2023-11-14 22:13 UTC', 'Paid by Acme Pay'],
    ...['Acme Relay GmbH', 'Long Road 1', '10115 Berlin', 'Tax number: DE123'],
    ...['billing@acme.example', username, `Account: ${username}`, `Order ${orderNo}`],
    ...['10 units of credit 70.00', 'Amount (CNY)', 'Total paid 70.00 CNY'],
    ...['No VAT is charged.', 'Thank you.', 'Until next time.', 'Page 1 of 1'],
  ]) {
    t.ok(page.includes(text), text)
  }
  t.notMatch(page, /TEST|Paid back|\ufffd/)
})

t.test('a reader of the file finds title, seller, language and structure', async (t) => {
  const { userId } = await person('abe')
  const { orderNo } = await paidOrder(userId)
  const { receipt, body } = await receipts.print({ orderNo })
  const pdf = await readPdf(body)
  const { info } = await pdf.getMetadata()
  t.match(info, {
    ...{ Title: `Receipt ${receipt.label}`, Author: 'Acme Relay GmbH', Language: 'en' },
    ...{ Creator: 'Waybill', CreationDate: /^D:20231114221320/ },
  })
  const tree = JSON.stringify(await (await pdf.getPage(1)).getStructTree())
  for (const role of ['Document', 'H1', 'H2', 'P', 'Table', 'TR', 'TH', 'TD']) {
    t.ok(tree.includes(`"role":"${role}"`), role)
  }
})

t.test('what a receipt states stays: seller, buyer, plan and number', async (t) => {
  const { userId, username } = await person('bea')
  await receipts.setBilling(userId, { name: 'Bea Ltd.', address: 'Old Street 1', taxId: 'GB1' })
  const { orderNo } = await paidOrder(userId)
  const first = await receipts.print({ orderNo })
  const before = { ...stated }
  Object.assign(stated, { sellerName: 'Another Inc.', sellerAddress: '', prefix: 'Z-', note: 'x' })
  await receipts.setBilling(userId, { name: 'Bea Inc.', address: 'New Street 2', taxId: '' })
  clock.advance(86_400_000)
  const again = await receipts.print({ orderNo })
  t.strictSame(again.receipt, first.receipt)
  t.equal(again.isNew, false)
  t.ok(again.body.equals(first.body), 'the same bytes')
  const [page = ''] = await pagesOf(again.body)
  for (const text of ['Acme Relay GmbH', 'Bea Ltd.', 'Old Street 1', 'Tax number: GB1', username]) {
    t.ok(page.includes(text), text)
  }
  t.notMatch(page, /Another|New Street/)
  const next = await paidOrder(userId)
  const [later = ''] = await pages(next.orderNo)
  t.match(later, /Another Inc\.[\s\S]*Bea Inc\.[\s\S]*New Street 2/)
  const { receipt } = await receipts.print({ orderNo: next.orderNo })
  t.equal(receipt.number, first.receipt.number + 1n, 'a new prefix does not begin anew')
  t.match(receipt.label, /^Z-/)
  Object.assign(stated, before)
})

t.test('a row of a receipt cannot be changed or removed', async (t) => {
  const { userId } = await person('ben')
  const { orderNo } = await paidOrder(userId)
  await receipts.print({ orderNo })
  const row = () => knex('payment_receipts').where('order_no', orderNo)
  await t.rejects(row().update({ label: 'x' }), /stays as it is/)
  await t.rejects(row().delete(), /stays as it is/)
  await t.rejects(knex.raw('TRUNCATE payment_receipts'), /stays as it is/)
})

t.test('what was paid back since stands below the total, part by part', async (t) => {
  const { userId } = await person('cleo')
  const { orderNo } = await paidOrder(userId)
  const { receipt } = await receipts.print({ orderNo })
  await report(orderNo, { event: `r1 ${orderNo}`, state: 'refunded', amountMinor: 500n })
  clock.advance(3_600_000)
  await report(orderNo, { event: `r2 ${orderNo}`, state: 'refunded', amountMinor: 2_000n })
  const at = (ms: number) => new Date(ms).toISOString().replace('T', ' ').slice(0, 16)
  const [page = ''] = await pages(orderNo)
  t.ok(page.includes(`Paid back: 5.00 CNY on ${at(clock.now() - 3_600_000)} UTC`), page)
  t.ok(page.includes(`Paid back: 15.00 CNY on ${at(clock.now())} UTC`), page)
  t.match(page, 'Total paid 70.00 CNY')
  t.match(page, 'Left of the payment 50.00 CNY')
  await knex('payment_events').where('order_no', orderNo).delete()
  const [undated = ''] = await pages(orderNo)
  t.match(undated, /Paid back: 20\.00 CNY\n/, 'its day is not known once reports are trimmed')
  t.strictSame((await receipts.print({ orderNo })).receipt, receipt)
})

t.test('what a bank took back is named as that, and is gone when it is given again', async (t) => {
  const { userId } = await person('carl')
  const { orderNo } = await paidOrder(userId)
  await report(orderNo, { state: 'disputed', amountMinor: 7_000n })
  const [page = ''] = await pages(orderNo)
  t.match(page, /Taken back by the bank of the payer: 70\.00 CNY on \d{4}-\d\d-\d\d \d\d:\d\d UTC/)
  t.match(page, 'Left of the payment 0.00 CNY')
  await report(orderNo, { state: 'reinstated', amountMinor: 7_000n })
  const [won = ''] = await pages(orderNo)
  t.notMatch(won, /bank|Left of/)
})

t.test('an order that was paid back before its receipt was wanted has one', async (t) => {
  const { userId } = await person('cora')
  const { orderNo } = await paidOrder(userId)
  await report(orderNo, { state: 'refunded', amountMinor: 7_000n })
  t.match(await payments.orders({ search: orderNo, offset: 0, limit: 1 }), {
    items: [{ state: 'refunded' }],
  })
  const [page = ''] = await pages(orderNo)
  t.match(page, /Paid back: 70\.00 CNY on/)
})

t.test('payments of tests have numbers of their own and are marked on the page', async (t) => {
  const { userId } = await person('dan')
  const last = await paidOrder(userId)
  const { receipt: before } = await receipts.print({ orderNo: last.orderNo })
  script.offer = { ...offer, isTest: true }
  const tests = [await paidOrder(userId), await paidOrder(userId)]
  script.offer = offer
  const labels: string[] = []
  for (const { orderNo } of tests) {
    const { receipt, body } = await receipts.print({ orderNo })
    labels.push(receipt.label)
    const [page = ''] = await pagesOf(body)
    t.match(page, 'This is a receipt of a test. No money was paid.')
    t.match(page, /^TEST$/m, 'across the page')
  }
  t.strictSame(labels, ['TEST-R-000001', 'TEST-R-000002'])
  const next = await paidOrder(userId)
  const { receipt } = await receipts.print({ orderNo: next.orderNo })
  t.equal(receipt.number, before.number + 1n, 'they leave no gap among the others')
})

t.test('an order that is not paid has no receipt, and takes no number', async (t) => {
  const { userId } = await person('eve')
  const counted = () => knex('payment_receipt_series').orderBy('series')
  const before = await counted()
  const pending = await order(userId)
  const failed = await order(userId)
  await report(failed.orderNo, { orderNo: failed.orderNo, state: 'failed' })
  for (const { orderNo } of [pending, failed]) {
    await t.rejects(receipts.print({ orderNo }), {
      ...{ code: 'conflict', param: 'trade_no' },
      message: 'This order is not paid, so there is no receipt of it.',
    })
  }
  t.strictSame(await counted(), before)
})

t.test('an order of somebody else is no order', async (t) => {
  const [mine, other] = [await person('fay'), await person('fritz')]
  const { orderNo } = await paidOrder(mine.userId)
  const foreign = { orderNo, userId: other.userId }
  await t.rejects(receipts.print(foreign), { code: 'gone_missing', param: 'trade_no' })
  await receipts.print({ orderNo, userId: mine.userId })
  await t.rejects(receipts.print(foreign), { code: 'gone_missing' }, 'nor once it is issued')
  await t.rejects(receipts.print({ orderNo: '0'.repeat(32) }), { code: 'gone_missing' })
  const reference = { orderNo: `pay ${orderNo}` }
  await t.rejects(receipts.print(reference), { code: 'gone_missing' }, 'by its number alone')
})

t.test('none is issued before the seller is named or while they are off', async (t) => {
  const { userId } = await person('gil')
  const [issued, open] = [await paidOrder(userId), await paidOrder(userId)]
  await receipts.print({ orderNo: issued.orderNo })
  const rows = [
    [{ sellerName: ' ' }, 'payment_setting.receipt_seller_name'],
    [{ enabled: false }, 'payment_setting.receipt_enabled'],
  ] as const
  for (const [setting, option] of rows) {
    const before = { ...stated }
    Object.assign(stated, setting)
    t.match(receipts.reasonOff(), option)
    const refused = { code: 'conflict', message: new RegExp(option) }
    await t.rejects(receipts.print({ orderNo: open.orderNo }), refused)
    t.equal((await receipts.print({ orderNo: issued.orderNo })).isNew, false)
    Object.assign(stated, before)
  }
  t.equal(receipts.reasonOff(), undefined)
  t.equal((await receipts.print({ orderNo: open.orderNo })).isNew, true)
})

t.test('amounts have the digits of their currency', async (t) => {
  const { userId } = await person('hal')
  const rows = [
    ['JPY', '150', '10 units of credit 1500', 'Total paid 1500 JPY'],
    ['KWD', '0.307', '10 units of credit 3.070', 'Total paid 3.070 KWD'],
    ['USD', '1', '10 units of credit 10.00', 'Total paid 10.00 USD'],
  ] as const
  for (const [currency, unitPrice, line, total] of rows) {
    script.offer = { ...offer, currency, unitPrice }
    const { orderNo } = await paidOrder(userId)
    const [page = ''] = await pages(orderNo)
    t.ok(page.includes(line) && page.includes(total), page)
  }
  script.offer = offer
})

t.test('bonus, discount and products are lines that add up to what was paid', async (t) => {
  const { userId } = await person('ida')
  fixture.settings.bonuses = { 10: 2.5 } as never
  const gifted = await paidOrder(userId)
  fixture.settings.bonuses = {} as never
  t.match(await pages(gifted.orderNo), [/10 units of credit\n2\.5 more as a bonus\n70\.00/])
  const cheap = await order(userId)
  await report(cheap.orderNo, {
    ...{ orderNo: cheap.orderNo, state: 'paid', amountMinor: 6_300n, discountMinor: 700n },
  })
  const discounted = /70\.00\nDiscount -7\.00\nTotal paid 63\.00 CNY/
  t.match(await pages(cheap.orderNo), [discounted])
  const product = { id: 'starter', title: 'Starter', amountMinor: 990n, currency: 'EUR' } as const
  script.offer = { ...offer, products: [{ ...product, quota: 750_001n }] }
  const sold = await paidOrder(userId, { amount: undefined, product: 'starter' })
  script.offer = offer
  t.match(await pages(sold.orderNo), [/Product: starter\n1\.500002 units of credit\n9\.90/])
})

t.test('receipts of plans and of their renewals name the plan', async (t) => {
  const { userId } = await person('jon')
  const make = (title: string, minor: bigint) =>
    subscriptions.plans.create({
      terms: {
        ...{ title, subtitle: '', duration: { unit: 'day', count: 30 }, quota: 1_000n },
        ...{ caps: [], models: [], groups: [], overflow: true },
        ...{ upgradeGroup: '', downgradeGroup: '' },
      },
      ...{ isOn: true, sortOrder: 0, prices: { CNY: minor }, products: {} },
      ...{ purchasesMax: 0, trialDays: 0 },
    })
  const small = await make('专业版', 3_000n)
  const large = await make('Large', 9_000n)
  const buy = async (planId: number, over: object = {}) => {
    const request = { gateway: 'acme', payer: { id: userId }, planId, recurring: false, ...over }
    const { order } = await payments.placePlan(request)
    const { orderNo, amountMinor, currency } = order
    const agreement = order.isRecurring ? `sub ${orderNo}` : undefined
    await report(orderNo, { orderNo, state: 'paid', amountMinor, currency, agreement })
    return order
  }
  const first = await buy(small.id, { recurring: true })
  await subscriptions.plans.change(small.id, {
    terms: { ...small.terms, title: 'Renamed' },
  })
  t.match(await pages(first.orderNo), [/Plan: 专业版\nAutomatic payment\n30\.00/])

  const renewal: RenewalNotice = {
    ...{ event: 'cycle', agreement: `sub ${first.orderNo}`, state: 'paid', reference: 'inv 1' },
    ...{ amountMinor: 3_000n, currency: 'CNY' },
  }
  const { verify } = script
  script.verify = () => ({ kind: 'renewal', renewal })
  await callback({ event: 'cycle' })
  script.verify = verify
  const [renewed] = (await payments.orders({ userId, offset: 0, limit: 1 })).items
  t.match(await pages(renewed!.orderNo), [/Renewal of the plan: 专业版\nAutomatic payment\n30\.00/])

  const manual = await buy(small.id)
  const [held] = (await subscriptions.list({ userId, offset: 0, limit: 1 })).items
  const [once = ''] = await pages(manual.orderNo)
  t.match(once, /Plan: Renamed 30\.00\n/)
  t.notMatch(once, /Automatic/)
  clock.advance(15 * 86_400_000)
  const change = await buy(large.id, { replaces: held!.id })
  t.match(await pages(change.orderNo), [
    /Plan: Large 90\.00\nWhat was left of the plan before -15\.00\nTotal paid 75\.00 CNY/,
  ])
})

t.test(
  '64 orders wanted by two processes at once get the numbers that follow, each once',
  async (t) => {
    const { userId } = await person('kim')
    const other = fixture.anotherReceipts()
    const orders: string[] = []
    for (let made = 0; made < 64; made++) orders.push((await paidOrder(userId)).orderNo)
    const row = await knex('payment_receipt_series').where('series', 'paid').first()
    const last = BigInt(row.last_number)
    const wanted = orders.flatMap((orderNo) => [receipts, other].map((by) => ({ by, orderNo })))
    const queue = wanted[Symbol.iterator]()
    const numbers = new Map<string, Set<bigint>>()
    let made = 0
    await Promise.all(
      Array.from({ length: 16 }, async () => {
        for (const { by, orderNo } of queue) {
          const { receipt, isNew } = await by.print({ orderNo })
          if (isNew) made += 1
          numbers.set(orderNo, (numbers.get(orderNo) ?? new Set()).add(receipt.number))
        }
      }),
    )
    const given = [...numbers.values()].flatMap((each) => [...each])
    given.sort((one, next) => Number(one - next))
    t.strictSame(
      given,
      Array.from({ length: 64 }, (_, at) => last + 1n + BigInt(at)),
    )
    t.equal(made, 64, 'each was issued by one of them')
  },
)

t.test('what fails while it is issued leaves no gap', async (t) => {
  const { userId } = await person('lea')
  const [one, odd, next] = [
    await paidOrder(userId),
    await paidOrder(userId),
    await paidOrder(userId),
  ]
  const { receipt } = await receipts.print({ orderNo: one.orderNo })
  const rule = `CHECK (order_no <> '${odd.orderNo}')`
  await knex.raw(`ALTER TABLE payment_receipts ADD CONSTRAINT odd ${rule}`)
  await t.rejects(receipts.print({ orderNo: odd.orderNo }))
  const after = await receipts.print({ orderNo: next.orderNo })
  t.equal(after.receipt.number, receipt.number + 1n)
  await knex.raw('ALTER TABLE payment_receipts DROP CONSTRAINT odd')
  const late = await receipts.print({ orderNo: odd.orderNo })
  t.equal(late.receipt.number, receipt.number + 2n)
})

t.test('receipts are listed newest first, of one user and by their numbers', async (t) => {
  const { userId } = await person('mia')
  const orders = [await paidOrder(userId), await paidOrder(userId)]
  const labels: string[] = []
  for (const { orderNo } of orders) labels.push((await receipts.print({ orderNo })).receipt.label)
  const bounds = { offset: 0, limit: 1 }
  t.match(await receipts.list({ ...bounds, userId }), { total: 2, items: [{ label: labels[1] }] })
  t.match(await receipts.list({ ...bounds, search: labels[0] }), {
    ...{ total: 1, items: [{ userId, orderNo: orders[0]?.orderNo }] },
  })
  t.match(await receipts.list({ ...bounds, search: orders[1]?.orderNo }), { total: 1 })
  t.match(await receipts.list({ ...bounds, search: 'R' }), { total: 0, items: [] })
})
