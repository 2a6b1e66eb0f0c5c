/** From an order to its credit: once, whatever the provider sends, how often, and in which order. */
import t from 'tap'
import type {
  CheckoutOrder,
  PaymentNotice,
  RefundRequest,
} from '../../../../kernel/contract/payment.js'
import { bodyOf, offer, paymentsFixture } from './payments-fixture.js'

const fixture = await paymentsFixture(t)
const { payments, script, opened, settings, checks, jobs, clock, database, person } = fixture
const { order, callback, balance, another } = fixture
const { knex } = database

t.beforeEach(() => {
  script.offer = offer
  script.fetch = undefined
  Object.assign(settings, { ordersMax: 200 })
})

let events = 0
const paid = (orderNo: string, over: Partial<PaymentNotice> = {}): PaymentNotice => ({
  event: `evt-${++events}`,
  state: 'paid',
  orderNo,
  reference: `pay-${orderNo}`,
  amountMinor: 7000n,
  currency: 'cny',
  ...over,
})

const stateOf = async (orderNo: string) =>
  (await knex('payment_orders').where('order_no', orderNo).first()).state
const verdicts = async (orderNo: string) =>
  (await payments.events(orderNo)).map(({ verdict, times }) => [verdict, times])

t.test(
  '[PAY-5] an order is credited by its callback, once, however often it is replayed',
  async (t) => {
    const { userId } = await person('ada')
    const { orderNo, amountMinor, quota } = await order(userId)
    t.strictSame([amountMinor, quota], [7000n, 5_000_000n])
    const opening = opened.at(-1) as CheckoutOrder
    t.equal(opening.callbackUrl, 'https://gate.example/api/payment/acme/callback')
    t.match(opening.returnUrl, new RegExp(`^https://gate.example/.*${orderNo}`))
    const notice = paid(orderNo)
    t.equal(await callback(notice), 200)
    t.equal(await balance(userId), 5_000_000n)
    for (let again = 0; again < 3; again++) t.equal(await callback(notice), 200)
    t.equal(await callback(paid(orderNo)), 200, 'the same payment by another event')
    t.equal(await balance(userId), 5_000_000n)
    t.equal(await stateOf(orderNo), 'paid')
    t.strictSame(await verdicts(orderNo), [
      ['credited', 4],
      ['already_paid', 1],
    ])
  },
)

t.test('[PAY-5] the payer gets a notice of what was paid, with its exact amount', async (t) => {
  const { userId } = await person('noticed')
  const { orderNo } = await order(userId)
  const key = `payment received:${orderNo}`
  await callback(paid(orderNo, { state: 'pending' }))
  t.notOk(fixture.notices.has(key))
  await callback(paid(orderNo))
  t.strictSame(fixture.notices.get(key), [orderNo, '70.00 CNY'])
})

t.test('[PAY-5] racing callbacks of many orders credit each once', async (t) => {
  const { userId } = await person('racing')
  const other = await another()
  const orders = await Promise.all(Array.from({ length: 20 }, () => order(userId)))
  const from = { address: '203.0.113.7', requestId: 'callback' }
  const replies = await Promise.all(
    orders.flatMap(({ orderNo }) => {
      const notice = paid(orderNo)
      const request = { method: 'POST', headers: {}, query: '', body: bodyOf(notice) } as const
      return Array.from({ length: 8 }, (_, at) =>
        (at % 2 === 0 ? payments : other).receive('acme', request, from),
      )
    }),
  )
  t.strictSame(new Set(replies.map((reply) => reply?.status)), new Set([200]))
  t.equal(await balance(userId), 100_000_000n)
  const [{ count }] = (await knex('transfers')
    .where({ kind: 'topup' })
    .whereIn(
      'idem_key',
      orders.map(({ orderNo }) => `topup:${orderNo}`),
    )
    .count('* as count')) as unknown as [{ count: bigint }]
  t.equal(Number(count), 20)
})

t.test('[PAY-2] what does not fit is acknowledged, kept, and credits nothing', async (t) => {
  const { userId } = await person('cheat')
  const { orderNo } = await order(userId)
  t.equal(await callback(paid(orderNo, { amountMinor: 1n })), 200)
  t.equal(await callback(paid(orderNo, { currency: 'USD' })), 200)
  t.equal(await callback(paid(orderNo, { isTest: true })), 200)
  t.equal(await callback(paid(orderNo), 'other'), 200)
  t.equal(await balance(userId), 0n)
  t.equal(await stateOf(orderNo), 'pending')
  t.strictSame(
    (await verdicts(orderNo)).map(([verdict]) => verdict),
    ['wrong_amount', 'wrong_currency', 'wrong_mode', 'wrong_gateway'],
  )
  const alerted = [...fixture.alerts.values()].filter((values) => values.includes(orderNo))
  t.strictSame(
    alerted.map(([gateway, , verdict]) => [gateway, verdict]),
    [
      ['acme', 'wrong_amount'],
      ['acme', 'wrong_currency'],
      ['acme', 'wrong_mode'],
      ['other', 'wrong_gateway'],
    ],
    'root is alerted of each',
  )
  t.equal(await callback(paid(orderNo)), 200)
  t.equal(await balance(userId), 5_000_000n, 'the right one still counts')
})

t.test(
  '[PAY-3] a second payment of an order is kept for an admin and credits nothing',
  async (t) => {
    const { userId } = await person('twice')
    const { orderNo } = await order(userId)
    await callback(paid(orderNo))
    t.equal(await callback(paid(orderNo, { reference: 'another' })), 200)
    t.equal(await balance(userId), 5_000_000n)
    t.equal((await verdicts(orderNo)).at(-1)?.[0], 'duplicate_payment')
  },
)

t.test('[PAY-3] an order that is not known yet is requested again, for ten minutes', async (t) => {
  const notice = paid('f'.repeat(32))
  t.equal(await callback(notice), 500)
  clock.advance(599_000)
  t.equal(await callback(notice), 500)
  clock.advance(2_000)
  t.equal(await callback(notice), 200)
  t.strictSame(await verdicts('f'.repeat(32)), [['unknown_order', 3]])
})

t.test('[PAY-3] a database error is sent again, and credited once then', async (t) => {
  const { userId } = await person('broken')
  const { orderNo } = await order(userId)
  await knex.raw(`
    CREATE FUNCTION break_orders() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'the disk is full' USING ERRCODE = 'disk_full'; END $$`)
  for (const table of ['payment_events', 'payment_orders', 'transfers']) {
    await knex.raw(`CREATE TRIGGER break_it BEFORE INSERT OR UPDATE ON ${table}
      FOR EACH ROW EXECUTE FUNCTION break_orders()`)
    t.equal(await callback(paid(orderNo)), 500, table)
    t.equal(await balance(userId), 0n, table)
    await knex.raw(`DROP TRIGGER break_it ON ${table}`)
  }
  t.equal(await callback(paid(orderNo)), 200)
  t.equal(await balance(userId), 5_000_000n)
  t.strictSame(await verdicts(orderNo), [['credited', 1]])
})

t.test('[PAY-5] what is paid after the order expired is credited', async (t) => {
  const { userId } = await person('late')
  const { orderNo } = await order(userId)
  clock.advance(3_700_000)
  await payments.reconcile()
  t.equal(await stateOf(orderNo), 'expired')
  t.equal(await callback(paid(orderNo)), 200)
  t.equal(await stateOf(orderNo), 'paid')
  t.equal(await balance(userId), 5_000_000n)
})

t.test('a lost callback is made up for by asking the provider', async (t) => {
  const { userId } = await person('lost')
  const { orderNo } = await order(userId)
  const requests: unknown[] = []
  script.fetch = async (placed) => {
    requests.push(placed.reference)
    return placed.orderNo === orderNo ? paid(orderNo) : undefined
  }
  await payments.reconcile()
  t.strictSame(requests, [], 'its callback has ten minutes')
  clock.advance(601_000)
  await payments.reconcile()
  t.ok(requests.includes(`checkout-${orderNo}`))
  t.equal(await balance(userId), 5_000_000n)
  const questions = requests.length
  await payments.reconcile()
  t.equal(requests.length, questions, 'nobody is queried twice within ten minutes')
})

t.test(
  '[BILL-2] what is paid back is taken back by its part, once, below zero if need be',
  async (t) => {
    const { userId } = await person('returning')
    const { orderNo } = await order(userId)
    const refund = (amountMinor: bigint) =>
      callback(paid(orderNo, { state: 'refunded', amountMinor }))
    t.equal(await refund(3500n), 500, 'it is not paid yet as far as is known')
    await callback(paid(orderNo))
    await refund(3500n)
    await refund(3500n)
    t.equal(await balance(userId), 2_500_000n)
    await fixture.ledger.post({
      ...{ key: 'spent', kind: 'admin', userId, amount: -2_000_000n },
      ...{ requestId: 'r', note: 'spent' },
    })
    t.equal(await refund(7000n), 200)
    t.equal(await balance(userId), -2_000_000n)
    t.equal(await stateOf(orderNo), 'refunded')
    await refund(3500n)
    t.equal(await balance(userId), -2_000_000n, 'an older sum comes too late')
    t.strictSame(await fixture.ledger.check(), [])
  },
)

t.test('a dispute takes the credit away, and gives it back when it is won', async (t) => {
  const { userId } = await person('disputed')
  const { orderNo } = await order(userId)
  await callback(paid(orderNo))
  await callback(paid(orderNo, { state: 'disputed' }))
  t.equal(await balance(userId), 0n)
  t.equal(await stateOf(orderNo), 'refunded')
  await callback(paid(orderNo, { state: 'reinstated', amountMinor: undefined }))
  t.equal(await balance(userId), 5_000_000n)
  t.equal(await stateOf(orderNo), 'paid')
})

t.test('what is not genuine is counted by the hour, without a row for each', async (t) => {
  const usual = script.verify
  script.verify = () => ({ kind: 'forged', reason: 'The signature is wrong.' })
  const replies = await Promise.all(Array.from({ length: 50 }, () => callback({})))
  script.verify = usual
  t.strictSame(new Set(replies), new Set([400]))
  t.equal(Number((await knex('payment_events').where({ verdict: 'forged' })).length), 0)
  await jobs.get('payments.tallies')?.()
  const rows = await knex('payment_events').where({ verdict: 'forged' })
  t.match(rows, [{ gateway: 'acme', times: 50, detail: { reason: 'The signature is wrong.' } }])
})

t.test('a gateway that is off, or stumbles, credits nothing', async (t) => {
  const { userId } = await person('off')
  const { orderNo } = await order(userId)
  script.offer = undefined
  t.equal(await callback(paid(orderNo)), undefined)
  t.strictSame(payments.gateways(), [])
  await t.rejects(order(userId), { code: 'invalid_field', param: 'gateway' })
  script.offer = offer
  const usual = script.verify
  script.verify = () => {
    throw new Error('broken')
  }
  t.equal(await callback(paid(orderNo)), 500)
  script.verify = usual
  t.equal(await balance(userId), 0n)
})

t.test('a payment that cannot be opened is a failed order and a clear error', async (t) => {
  const { userId } = await person('unopened')
  const usual = script.checkout
  script.checkout = () => {
    throw new Error('the provider is away')
  }
  await t.rejects(order(userId), { code: 'payment_failed', message: /^Acme Pay could not open/ })
  script.checkout = usual
  const [row] = await knex('payment_orders').where({ user_id: userId })
  t.match(row, { state: 'failed', reason: 'The payment could not be opened.' })
})

t.test('nobody has more unpaid orders than allowed, also at once', async (t) => {
  const { userId } = await person('eager')
  Object.assign(settings, { ordersMax: 3 })
  const made = await Promise.allSettled(Array.from({ length: 8 }, () => order(userId)))
  t.equal(made.filter(({ status }) => status === 'fulfilled').length, 3)
  await t.rejects(order(userId), { code: 'conflict', param: 'amount' })
})

t.test(
  'an admin completes an order once; its payment, when it comes, changes nothing',
  async (t) => {
    const { userId } = await person('vouched')
    const { orderNo } = await order(userId)
    const completion = { orderNo, by: 'root', reason: 'seen on the account', requestId: 'r1' }
    const both = await Promise.allSettled([
      payments.complete(completion),
      payments.complete(completion),
    ])
    t.equal(both.filter(({ status }) => status === 'fulfilled').length, 1)
    t.equal(await balance(userId), 5_000_000n)
    await callback(paid(orderNo))
    t.equal(await balance(userId), 5_000_000n)
    t.strictSame(await verdicts(orderNo), [
      ['credited', 1],
      ['already_paid', 1],
    ])
    await t.rejects(payments.complete(completion), { code: 'conflict', param: 'trade_no' })
    const unknown = { ...completion, orderNo: 'a'.repeat(32) }
    await t.rejects(payments.complete(unknown), { code: 'gone_missing' })
  },
)

t.test(
  '[PAY-5] paying back takes the credit once the provider reports it, under one key',
  async (t) => {
    const { userId } = await person('paid-back')
    const { orderNo } = await order(userId)
    const request = { orderNo, amountMinor: 3500n, key: 'refund-1', requestId: 'r' }
    await t.rejects(payments.refund(request), { code: 'invalid_field', param: 'trade_no' })
    await callback(paid(orderNo))
    const requests: RefundRequest[] = []
    script.refund = (wanted) => {
      requests.push(wanted)
      return { kind: 'begun' }
    }
    t.match(await payments.refund(request), { state: 'paid', returned: 0n })
    t.match(requests, [{ reference: `pay-${orderNo}`, refundMinor: 3500n, key: 'refund-1' }])
    t.equal(await balance(userId), 5_000_000n, 'nothing was reported yet')
    await callback(paid(orderNo, { state: 'refunded', amountMinor: 3500n }))
    t.equal(await balance(userId), 2_500_000n)
    const more = { ...request, amountMinor: 3501n }
    await t.rejects(payments.refund(more), { code: 'invalid_field', param: 'amount' })
    const whole = paid(orderNo, { state: 'refunded', amountMinor: 7000n })
    script.refund = () => ({ kind: 'done', notice: whole })
    t.match(await payments.refund({ ...request, key: 'refund-2' }), { state: 'refunded' })
    t.equal(await balance(userId), 0n)
    script.refund = () => ({ kind: 'refused', reason: 'The card is closed.' })
    const again = await order(userId)
    await callback(paid(again.orderNo))
    const closed = { ...request, orderNo: again.orderNo }
    await t.rejects(payments.refund(closed), { message: 'The card is closed.' })
    script.refund = () => {
      throw new Error('away')
    }
    await t.rejects(payments.refund(closed), { code: 'refund_failed' })
  },
)

t.test('[SVC-4] totals by day, gateway and currency equal the ledger', async (t) => {
  const everything = { from: new Date(0), to: new Date(8.64e15) }
  const totals = await payments.totals(everything)
  const quota = totals.reduce((sum, total) => sum + total.quota - total.returned, 0n)
  const [row] = await knex('transfers')
    .whereIn('kind', ['topup', 'chargeback'])
    .select(
      knex.raw('sum(CASE WHEN debit_account < 0 THEN amount ELSE -amount END)::bigint AS moved'),
    )
  t.equal(quota, BigInt(row.moved))
  t.ok(quota > 0n)
  t.ok(totals.every(({ gateway, currency }) => gateway === 'acme' && currency === 'CNY'))
  const paidMinor = totals.reduce((sum, total) => sum + total.paidMinor, 0n)
  t.equal(paidMinor, 7000n * BigInt(totals.reduce((sum, { orders }) => sum + orders, 0)))
  t.strictSame(await payments.totals({ from: new Date(0), to: new Date(1) }), [])
})

t.test('[API-4] options of prices hold numbers that mean something', async (t) => {
  const rows: readonly (readonly [string, string, boolean])[] = [
    ['TopupGroupRatio', '{"vip": 0.9}', true],
    ['TopupGroupRatio', '{"vip": 0}', false],
    ['TopupGroupRatio', '{"vip": "1"}', false],
    ['payment_setting.amount_discount', '{"100": 0.95}', true],
    ['payment_setting.amount_discount', '{"100": 1.5}', false],
    ['payment_setting.amount_discount', '{"ten": 0.9}', false],
    ['payment_setting.amount_bonus', '{"100": 7.5}', true],
    ['payment_setting.amount_bonus', '{"100": -1}', false],
    ['payment_setting.amount_options', '[10, 20]', true],
    ['payment_setting.amount_options', '[10, 2.5]', false],
    ['payment_setting.amount_options', '{}', false],
    ['CustomCallbackAddress', '', true],
    ['CustomCallbackAddress', 'https://gate.example', true],
    ['CustomCallbackAddress', 'gate.example', false],
    ['CustomCallbackAddress', 'https://gate.example/?a=b', false],
  ]
  for (const [key, text, isSound] of rows) {
    const check = () => checks.get(key)!(text)
    if (isSound) t.doesNotThrow(check, `${key} ${text}`)
    else t.throws(check, { code: 'invalid_field', param: key }, text)
  }
})

t.test(
  '[PAY-5] a gateway that was switched off sells nothing more, and what was paid counts',
  async (t) => {
    const { userId } = await person('switched')
    const { orderNo } = await order(userId)
    fixture.switches.on = false
    t.strictSame(payments.gateways(), [])
    await t.rejects(order(userId), { code: 'invalid_field', param: 'gateway' })
    t.equal(await callback(paid(orderNo)), 200)
    fixture.switches.on = true
    t.equal(await balance(userId), 5_000_000n)
  },
)

t.test('[PAY-5] one payment pays one order, whatever its provider reports', async (t) => {
  const { userId } = await person('one-payment')
  const [first, second] = [await order(userId), await order(userId)]
  const reference = 'the one payment'
  t.equal(await callback(paid(first.orderNo, { reference })), 200)
  t.equal(await callback(paid(second.orderNo, { reference })), 200)
  t.equal(await balance(userId), 5_000_000n)
  t.strictSame(await verdicts(second.orderNo), [['duplicate_payment', 1]])
})

t.test('[PAY-5] a dispute that was decided is not begun again by its old report', async (t) => {
  const { userId } = await person('replay')
  const { orderNo } = await order(userId)
  await callback(paid(orderNo))
  const lost = await balance(userId)
  const first = paid(orderNo, { state: 'disputed' })
  const won = paid(orderNo, { state: 'reinstated', amountMinor: undefined })
  await callback(first)
  t.equal(await balance(userId), 0n)
  await callback(won)
  t.equal(await balance(userId), lost)
  clock.advance(31 * 86_400_000)
  for (let again = 0; again < 2; again++) t.equal(await callback(first), 200)
  t.equal(await balance(userId), lost, 'what was won stays so')
  await callback(paid(orderNo, { state: 'disputed' }))
  t.equal(await balance(userId), 0n, 'another dispute counts')
  t.equal(await callback(won), 200)
  t.equal(await balance(userId), 0n, 'and is not won by the report of the first')
  t.strictSame(await verdicts(orderNo), [
    ['credited', 1],
    ['returned', 3],
    ['returned', 2],
    ['returned', 1],
  ])
})

t.test('[PAY-5] a dispute that was won before it was reported takes nothing', async (t) => {
  const { userId } = await person('late-dispute')
  const { orderNo } = await order(userId)
  const at = clock.now()
  await callback(paid(orderNo))
  const full = await balance(userId)
  const won = { state: 'reinstated', amountMinor: undefined, at: at + 60_000 } as const
  t.equal(await callback(paid(orderNo, won)), 200)
  t.equal(await callback(paid(orderNo, { state: 'disputed', at })), 200)
  t.equal(await balance(userId), full)
  await callback(paid(orderNo, { state: 'disputed', at: at + 120_000 }))
  t.equal(await balance(userId), 0n, 'a later dispute counts')
})

t.test('every change of an order is announced to its payer, by every process', async (t) => {
  const { userId } = await person('news')
  const { changes, news } = fixture
  const announced = async (what: string, run: () => unknown) => {
    await changes.settled()
    news.splice(0)
    await run()
    await changes.settled()
    t.ok(news.includes(userId), what)
    t.strictSame(new Set(news), new Set([userId]), 'to nobody else')
  }
  let orderNo = ''
  const place = async () => {
    orderNo = (await order(userId)).orderNo
  }
  const paid = (over: object = {}) =>
    callback({
      ...{ event: `news ${orderNo}`, state: 'paid', orderNo, reference: `pay ${orderNo}` },
      ...{ amountMinor: 7_000n, currency: 'CNY', ...over },
    })
  await announced('placed', place)
  await announced('a report that does not fit', () => paid({ event: 'odd', amountMinor: 1n }))
  await announced('paid', paid)
  await announced('refunded', () => paid({ state: 'refunded', event: 'back' }))
  const { checkout } = script
  script.checkout = () => {
    throw new Error('no reply')
  }
  await announced('failed', () => t.rejects(order(userId), { code: 'payment_failed' }))
  script.checkout = checkout
  await place()
  await announced('completed', () =>
    payments.complete({ orderNo, by: 'root', reason: 'seen', requestId: 'news' }),
  )
  await place()
  const others = knex('payment_orders').where({ state: 'pending' }).whereNot('order_no', orderNo)
  await others.update({ state: 'expired' })
  clock.advance(2 * 3_600_000)
  await announced('expired', () => payments.reconcile())
})

t.test('reports are kept as long as an admin wants, orders for ever', async (t) => {
  const { userId } = await person('kept')
  const { orderNo } = await order(userId)
  await callback(paid(orderNo))
  Object.assign(settings, { eventDays: 30 })
  clock.advance(30 * 86_400_000)
  await jobs.get('payments.trim')!()
  t.strictSame(await verdicts(orderNo), [['credited', 1]])
  clock.advance(1)
  await jobs.get('payments.trim')!()
  t.strictSame(await verdicts(orderNo), [])
  t.equal(await stateOf(orderNo), 'paid')
  t.equal(await callback(paid(orderNo, { event: 'evt again' })), 200)
  t.equal(await balance(userId), 5_000_000n, 'a late repeat credits nothing')
  Object.assign(settings, { eventDays: 730 })
})
